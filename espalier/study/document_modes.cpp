#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

using nlohmann::ordered_json;

ordered_json shape_json(const modes::Shape& shape, bool damped) {
  ordered_json rows = ordered_json::array();
  for (const auto& vertex : shape) {
    ordered_json row = ordered_json::array();
    for (const std::complex<double>& u : vertex) {
      // Without damping shapes are real; pairs with a 0 would double the document.
      if (damped) {
        row.push_back({u.real(), u.imag()});
      } else {
        row.push_back(u.real());
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// A total of 0 has parts of 0, and not the NaN that JSON cannot hold.
double part_of(double share, double whole) { return whole > 0 ? share / whole : 0; }

// What has a thousandth of a percent of anything.
ordered_json energy_json(const ModesAnswer& answer, const modes::ShapeResult& shape) {
  constexpr double kLeast = 1e-5;
  ordered_json json = ordered_json::object();
  // All three groups are there even if empty, so that a program can ask for each.
  for (const char* kind : {"bodies", "joints", "forces"}) json[kind] = ordered_json::object();
  // Shares and not joules: energies of a shape are as arbitrary as its scale.
  const modes::Energy& total = shape.energies.total;
  for (const EnergyPart& part : energy_parts(answer, shape)) {
    const double kinetic = part_of(part.energy.kinetic, total.kinetic);
    const double potential = part_of(part.energy.potential, total.potential);
    const double lost = part_of(part.energy.lost, total.lost);
    // Potential energy may be negative, where gravity works against a spring; the others are not.
    if (std::max({kinetic, std::abs(potential), lost}) < kLeast) continue;
    ordered_json shares = {{"kinetic", kinetic}, {"potential", potential}};
    if (answer.set.damped) shares["lost"] = lost;
    json[part.kind][part.name] = std::move(shares);
  }
  return json;
}

// As shapes above: a number without damping, a pair with it.
ordered_json number_json(std::complex<double> number, bool damped) {
  return damped ? ordered_json({number.real(), number.imag()}) : ordered_json(number.real());
}

void add_results(const ModesAnswer& answer, ordered_json& json) {
  // Only the root has results, and it alone prints.
  if (!answer.results) return;
  json["scaling"] = answer.results->scaling == modes::Scaling::kMass ? "mass" : "largest";
  json["mass"] = answer.results->mass;
  const Eigen::Vector3d& centre = answer.results->centre;
  json["centre"] = {centre.x(), centre.y(), centre.z()};
}

void add_results(const ModesAnswer& answer, std::size_t k, ordered_json& json) {
  if (!answer.results) return;
  ordered_json masses = ordered_json::array(), participation = ordered_json::array();
  ordered_json effective = ordered_json::array(), energy = ordered_json::array();
  // A free motion has no energy to divide among parts.
  const bool vibrates = answer.set.modes[k].s != 0.0;
  // One entry for each shape of an eigenvalue that is several ones, in the order of `shapes`.
  for (const modes::ShapeResult& shape : answer.results->modes[k]) {
    masses.push_back(shape.modal_mass);
    effective.push_back(shape.effective_mass);
    ordered_json row = ordered_json::array();
    for (const std::complex<double>& part : shape.participation) row.push_back(number_json(part, answer.set.damped));
    participation.push_back(std::move(row));
    if (vibrates) energy.push_back(energy_json(answer, shape));
  }
  json["modal_mass"] = std::move(masses);
  json["participation"] = std::move(participation);
  json["effective_mass"] = std::move(effective);
  if (vibrates) json["energy"] = std::move(energy);
}

ordered_json mode_json(const ModesAnswer& answer, std::size_t k) {
  const modes::Mode& mode = answer.set.modes[k];
  ordered_json json = {{"frequency", hertz(mode.s)},
                       // Three ways to say one number, since each branch of the literature prints another one.
                       {"omega", mode.s.imag()},
                       {"s", {mode.s.real(), mode.s.imag()}},
                       {"multiplicity", mode.multiplicity},
                       {"error", mode.error}};
  // No key where there is no estimate: 0 would promise that segments cost nothing.
  if (mode.segment_error) json["segment_error"] = *mode.segment_error;
  if (mode.tapered) json["tapered"] = {mode.tapered->real(), mode.tapered->imag()};
  if (answer.set.damped) {
    json["damping"] = damping_ratio(mode.s);
    // Only the search that counts (M8) knows between which bounds each of its modes lies.
  } else if (answer.set.method == modes::Method::kAuto) {
    json["bracket"] = {mode.bracket[0], mode.bracket[1]};
  }
  // What follows is scaled with the shape and means nothing without it.
  if (!answer.shapes) return json;
  ordered_json shapes = ordered_json::array();
  for (const modes::Shape& shape : mode.shapes) shapes.push_back(shape_json(shape, answer.set.damped));
  json["shapes"] = std::move(shapes);
  add_results(answer, k, json);
  return json;
}

}  // namespace

// (1) What was found, and how certain it is; (2) the modes; (3) where their shapes are; (4) what was said on the way.
std::string to_json(const ModesAnswer& answer) {
  const modes::ModeSet& set = answer.set;
  // (1) The searches of the literature count nothing: null, and not 0.
  const bool baseline = set.method != modes::Method::kAuto;
  ordered_json json = {{"model", answer.model.name},
                       {"file", answer.reader.file},
                       {"method", word_of(set.method)},
                       {"damped", set.damped},
                       {"found", set.found},
                       {"asked", set.asked > 0 ? ordered_json(set.asked) : ordered_json(nullptr)},
                       {"complete", set.complete},
                       {"free_motions", baseline ? ordered_json(nullptr) : ordered_json(set.free_motions)},
                       {"counted", baseline ? ordered_json(nullptr) : ordered_json(set.counted)},
                       {"certainty", word_of(set.certainty)},
                       {"certificate", set.certificate},
                       {"max_omega", set.upto},
                       {"max_decay", set.damped ? ordered_json(set.decay) : ordered_json(nullptr)},
                       {"counts", set.counts},
                       {"evaluations", set.evaluations},
                       {"pieces", set.slices}};
  // Tables of its paper are over these numbers.
  if (set.method == modes::Method::kRecursive) {
    json["levels"] = set.levels;
    json["distribution"] = word_of(answer.grid.spread.distribution);
    json["threads"] = answer.grid.spread.threads;
  }
  // (2) Mass and centre go before the modes, whose participation refers to them.
  ordered_json modes = ordered_json::array();
  for (std::size_t k = 0; k < set.modes.size(); ++k) modes.push_back(mode_json(answer, k));
  add_results(answer, json);
  json["modes"] = std::move(modes);
  // (3) Rows of shapes have no names of their own: they follow the order of this list.
  ordered_json vertices = ordered_json::array();
  for (const modes::Vertex& vertex : answer.structure.vertices) {
    vertices.push_back({{"name", vertex.name}, {"point", {vertex.point.x(), vertex.point.y(), vertex.point.z()}}});
  }
  json["vertices"] = std::move(vertices);
  // What pages draw: the points of all parts, and how each shape moves them.
  if (answer.shapes && answer.results) json["motion"] = ordered_json::parse(draw::motion_json(make_motion(answer)));
  // (4) Notes on the structure are other ones than those of the reader: the model is whole, but not linear.
  ordered_json notes = ordered_json::array();
  for (const model::Note& note : answer.structure.notes) {
    notes.push_back({{"where", to_string(note.where)}, {"message", note.message}});
  }
  json["notes"] = std::move(notes);
  detail::add_reader(answer.reader, json);
  // Behind all that is computed: what depends on the machine stands together at the end.
  json["ranks"] = answer.ranks;
  json["seconds"] = set.seconds;
  json["communication_seconds"] = set.communication_seconds;
  return detail::document_text(json, 1);
}

}  // namespace espalier::study
