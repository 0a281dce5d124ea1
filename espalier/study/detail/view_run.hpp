#pragma once

// A run folder as the page of `view` wants it.

#include <filesystem>
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
Result<ViewedRun> read_viewed_run(const std::filesystem::path& folder, const ViewOptions& options);

// Frames, curves, contacts and ranks. `notes` gets a sentence for what was left out to keep the page small.
void add_run(const ViewedRun& run, draw::ViewPage& page, std::vector<std::string>& notes);

// All frames, before any is left out.
draw::ViewFrames frames_of(const record::Recording& recording);

// `explained`: what the plan was made with.
draw::ViewTree view_tree(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan,
                         const plan::PlanOptions& explained);

}  // namespace espalier::study::detail
