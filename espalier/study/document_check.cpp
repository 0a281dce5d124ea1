#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/study/check.hpp"
#include "espalier/study/detail/closing_json.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::study {
namespace {

nlohmann::ordered_json scene_json(const SceneStart& scene) {
  nlohmann::ordered_json shapes = nlohmann::ordered_json::object();
  for (const auto& [word, count] : scene.shapes) shapes[word] = count;
  return {{"shapes", shapes},
          {"moving_bodies", scene.moving},
          {"lightest", scene.lightest},
          {"heaviest", scene.heaviest},
          {"mass", scene.mass},
          {"friction", scene.friction},
          {"restitution", scene.restitution},
          {"overlaps", scene.overlaps},
          {"deepest_overlap", scene.deepest},
          // Null rather than two empty names: a body may be called anything.
          {"deepest_pair", scene.overlaps > 0 ? nlohmann::ordered_json(scene.deepest_pair) : nlohmann::ordered_json()}};
}

}  // namespace

std::string to_json(const CheckAnswer& answer) {
  using nlohmann::ordered_json;
  // An object, in the order of the joint table, so that two models can be compared line by line.
  ordered_json types = ordered_json::object();
  for (const auto& [type, count] : answer.joint_types) types[type] = count;
  // Findings are about physics and notes about reading: a program refuses a model for the first only.
  ordered_json findings = ordered_json::array();
  for (const model::Finding& f : answer.findings) {
    findings.push_back({{"kind", f.kind}, {"message", f.message}, {"file", f.where.file}, {"line", f.where.line}});
  }
  ordered_json notes = ordered_json::array();
  for (const model::Note& note : answer.notes) notes.push_back(detail::note_json(note));
  const plan::Count& c = answer.count;
  ordered_json document = {{"file", answer.file},
                           {"format", formats::format_name(answer.format)},
                           {"name", answer.name},
                           {"bodies", c.bodies},
                           {"bodies_after_welding", c.groups},
                           {"movable_joints", c.movable_joints},
                           {"joint_types", types},
                           {"couplings", answer.couplings},
                           {"forces", answer.forces},
                           {"elastic_bodies", answer.elastic},
                           {"floating_pieces", c.floating},
                           {"coordinates", c.coordinates},
                           {"loops", answer.loops},
                           {"loop_count", c.loops},
                           {"planar_loop_count", c.planar_loops},
                           {"closures", answer.closures},
                           // By count here and by rank under `freedom`, which is missing where the rank is not known.
                           {"freedom_by_count", c.freedom},
                           {"findings", findings},
                           {"notes", notes}};
  // Last: these keys depend on the outcome, and those above are always there.
  document.update(detail::closing_json(answer.closing));
  if (answer.scene) document["scene"] = scene_json(*answer.scene);
  if (!answer.scene_why_not.empty()) document["scene"] = {{"refused", answer.scene_why_not}};
  return detail::document_text(document, 2);
}

}  // namespace espalier::study
