#include "espalier/study/convert.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/model/model.hpp"
#include "espalier/study/closing.hpp"
#include "espalier/study/plan.hpp"

namespace espalier::study {
namespace {

// The section is no part of the model, so no writer sees it.
bool has_tuning(const std::string& file) {
  const Result<std::string> text = files::read_text_file(file);
  // Most models have no such word, and need not be read a second time.
  return text && text->find("tune") != std::string::npos && formats::read_tuning_text(*text, file).has_value();
}

// In the new file what acts in the keyframe acts from the start.
void set_loads(const std::string& name, model::ModelSpec& spec) {
  for (const model::KeyframeSpec& keyframe : spec.keyframes) {
    if (keyframe.name != name) continue;
    for (const auto& [load, value] : keyframe.loads) {
      for (model::ForceSpec& force : spec.forces) {
        if (force.name == load) std::get<model::LoadSpec>(force.law).value = value;
      }
    }
  }
}

// The model in the pose that `check` and `simulate` find.
Result<model::ModelSpec> assembled_spec(const LoadedModel& loaded, const std::string& keyframe,
                                        std::vector<std::string>& notes) {
  const Result<Closing> closing = close_loops(loaded.model, plan::make_mechanism(loaded.model), keyframe);
  ESPALIER_TRY(closing);
  // An error here, unlike in `check`: a file with the drawn pose would not be what was asked for.
  if (!closing->computed) {
    return make_error(ErrorCode::kUnsupported, {}, "the loops cannot be closed before writing: " + closing->why_not);
  }
  // Nor would one that is nearly closed.
  if (std::optional<Error> open = closing_error(*closing)) return tl::unexpected(*std::move(open));
  const std::string correction = correction_text(loaded.model, closing->correction);
  // Frames in the new file differ from the old ones by this, beside the pose.
  if (!correction.empty()) notes.push_back(correction);
  model::ModelSpec spec = model::placed(loaded.spec, closing->system.model(),
                                        dynamics::body_poses(closing->system, closing->start.state.q), notes);
  if (!keyframe.empty()) set_loads(keyframe, spec);
  return spec;
}

// The joints outside the tree: those that `plan` cuts, and joints between bodies that welds hold together already.
Result<std::vector<std::string>> joints_outside_tree(const LoadedModel& loaded) {
  const Result<PlanAnswer> answer = plan(loaded);
  ESPALIER_TRY(answer);
  const model::Model& model = loaded.model;
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  std::vector<bool> cut(model.joints.size());
  for (const int edge : answer->plan.cut) cut[mechanism.joints[to_index(edge)].index()] = true;
  // Welds first: the plan knows the bodies that they hold together as one.
  DisjointSets bodies(model.bodies.size());
  for (const bool weld : {true, false}) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const model::Joint& joint = model.joints[j];
      if (cut[j] || (joint.type == model::JointType::kFixed) != weld) continue;
      cut[j] = !bodies.join(joint.a.value(), joint.b.value());
    }
  }
  std::vector<std::string> names;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (cut[j]) names.push_back(model.joints[j].name);
  }
  return names;
}

// Simulators on tree coordinates ask which joints of a USD file stay outside: the answer is that of `plan`.
formats::WriteOptions write_options(const LoadedModel& loaded, const ConvertOptions& given,
                                    std::vector<std::string>& notes) {
  formats::WriteOptions options;
  if (!given.folder.empty()) options.folder = given.folder;
  if (given.to != formats::Format::kUsd) return options;
  const Result<std::vector<std::string>> outside = joints_outside_tree(loaded);
  if (!outside) {
    notes.push_back("no joint is excluded from the articulation, as no plan was found: " +
                    full_message(outside.error()));
  } else if (!outside->empty()) {
    notes.push_back(fmt::format("excluded from the articulation, as `plan` cuts them: {}", fmt::join(*outside, ", ")));
  }
  options.cut_joints = outside.value_or(std::vector<std::string>());
  return options;
}

}  // namespace

// (1) The model in the pose that is asked for; (2) what its reader left out; (3) the file; (4) what to know of it.
Result<ConvertAnswer> convert(const LoadedModel& loaded, const ConvertOptions& options) {
  // (1) Closing the loops may have something to say, before there is a conversion to say it of.
  std::vector<std::string> notes;
  const bool assembled = options.pose == WrittenPose::kAssembled || !options.keyframe.empty();
  const Result<model::ModelSpec> spec =
      assembled ? assembled_spec(loaded, options.keyframe, notes) : Result<model::ModelSpec>(loaded.spec);
  ESPALIER_TRY(spec);
  // (2) The new file carries no notes, so that what is missing would be missing in silence.
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kConversion);
  ESPALIER_TRY(reader);
  // (3) Written and read back: differences are found and not believed.
  Result<formats::Conversion> conversion = formats::convert(*spec, options.to, write_options(loaded, options, notes));
  ESPALIER_TRY(conversion);
  // (4) Notes of this function before those of the writer: they are about every format.
  std::vector<std::string>& written = conversion->written.notes;
  written.insert(written.begin(), notes.begin(), notes.end());
  if (has_tuning(loaded.file)) {
    written.push_back("the section `tune` is left out; the verb tune can read it from the old file");
  }
  return ConvertAnswer{loaded.file, "", options.to, *std::move(conversion), *std::move(reader)};
}

}  // namespace espalier::study
