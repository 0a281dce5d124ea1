#pragma once

// A run folder as the page of `view` wants it.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "espalier/draw/view_page.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/run_record.hpp"
#include "espalier/study/view.hpp"

namespace espalier::study::detail {

struct ViewedRun {
  record::RunRecord record;
  record::Recording recording;
  LoadedModel loaded;
  std::vector<std::string> notes;
};
// Errors: no run is there; a run without frames; a model with other bodies.
Result<ViewedRun> read_viewed_run(const std::filesystem::path& folder, const ViewOptions& options);

// Frames, curves, contacts and ranks. `notes` gets a sentence for what was left out to keep the page small.
void add_run(const ViewedRun& run, draw::ViewPage& page, std::vector<std::string>& notes);

// Poses of all bodies at any time of a run: along the straight way, and turning evenly, between two frames.
std::vector<math::Pose> poses_at(const draw::ViewFrames& frames, std::size_t bodies, double time);

// The run of `options.compare` at the times of the page, as its ghost. Errors: no run there, other bodies.
Result<ViewDifference> add_comparison(const ViewedRun& run, const ViewOptions& options, draw::ViewPage& page);

// The name of the model, or that of its file.
std::string model_title(const LoadedModel& loaded);

// The result of a run folder, with a frame at least.
Result<record::Recording> read_recording(const std::filesystem::path& folder);

// All frames, before any is left out.
draw::ViewFrames frames_of(const record::Recording& recording);

// `reasons`: why a joint is cut, by its name, as record::read_cut_reasons() has them.
using CutReasons = std::map<std::string, std::string>;
draw::ViewTree view_tree(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan,
                         const CutReasons& reasons);

}  // namespace espalier::study::detail
