#pragma once

// The verb `view`: a page or pictures of a model, of a run, or of a plan.
//   In:   what is to be seen: a model file, a run folder of either engine (of a run that was killed too), or a plan or
//         modes as `plan -o` and `modes -o` write them
//   Out:  ViewAnswer: one HTML file that holds all, or one SVG per time
// Read next: draw/view_page.hpp, what the page holds; docs/view.md, what can be done with it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/scene.hpp"
#include "espalier/draw/view_page.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

struct ViewOptions {
  LoadOptions load = {};
  std::string model = {};     // Where the model of a run or plan is now; empty: where it was.
  std::string keyframe = {};  // Of a model: close its loops from this pose; empty: from the drawn one.
  std::string command = {};   // How the page was asked for; it stands on the page.
  std::string report = {};    // What a verb has printed; it stands on the page.
  std::vector<draw::ViewChapter> chapters = {};  // Of a page that leads through several.
  std::string compare = {};  // Of a run: the folder of another one of the same bodies, shown as a ghost.
  double tolerance = 1e-6;   // [m] Places of a body farther apart than this differ.
};

enum class ViewSubject { kModel, kRun, kPlan, kModes };
constexpr Words<ViewSubject, 4> words(ViewSubject) {
  return {{{"model", ViewSubject::kModel},
           {"run", ViewSubject::kRun},
           {"plan", ViewSubject::kPlan},
           {"modes", ViewSubject::kModes}}};
}

// How two runs differ, at the frames of the first on the page, as long as the second lasts.
struct ViewDifference {
  std::string other;                  // the folder of the second
  std::optional<double> first_time;   // [s] when a body is first farther apart than the tolerance; none: never
  std::string first_body, most_body;  // empty: none
  double first_distance = 0, most = 0, most_time = 0;  // [m], [m], [s]
};

struct ViewAnswer {
  ViewSubject subject = ViewSubject::kModel;
  std::string title;           // the name of the model
  std::size_t bodies = 0;      // without the ground
  std::size_t modes = 0;       // on the page
  std::size_t frames = 0;      // the same
  std::size_t run_frames = 0;  // of the run
  double position_error = 0;   // largest, of positions on the page [m]
  double angle_error = 0;      // the same of turns [rad]
  std::vector<std::string> notes;
  std::optional<ViewDifference> difference;
  std::vector<draw::MissingMesh> missing;
  std::string html;
  std::string written;  // where a door has written it; empty: nowhere
};

// Errors: no model, run or plan is there; a run without frames; a run or plan of another model.
Result<ViewAnswer> view(const std::filesystem::path& what, const ViewOptions& options = {});

struct PlanAnswer;
// The page of a plan that was just made, of a plain graph too. Errors: the file is no model any more.
Result<ViewAnswer> view(const PlanAnswer& answer, const ViewOptions& options = {});

// Files of pictures, or of other programs, that a verb has written of a run.
struct ViewFiles {
  std::string title;
  std::string written;       // a folder, or one file
  std::string open;          // what to open of it; empty: all the same
  std::size_t frames = 0;    // drawn
  std::uintmax_t bytes = 0;  // of all files
};

// Times "FROM:TO:STEP", or one time [s].
struct ViewTimes {
  double from = 0, to = 0, step = 1;
};
Result<ViewTimes> parse_view_times(const std::string& text);

struct ViewPictures {
  std::string title;
  std::vector<double> times;          // [s]
  std::vector<std::string> pictures;  // SVG, all with the same view and scale; or one that moves
};
// A run at these times, between its frames too. Errors: as view(); what has no frames; times outside the run.
Result<ViewPictures> view_pictures(const std::filesystem::path& run, const ViewTimes& times,
                                   const ViewOptions& options = {});
// The same times in one SVG that moves. Errors: also of more than kMostMovingBytes.
inline constexpr std::size_t kMostMovingBytes = 8'000'000;
Result<ViewPictures> view_moving_picture(const std::filesystem::path& run, const ViewTimes& times,
                                         const ViewOptions& options = {});

// A run for ParaView: frame_00000.vtp, ... for each of its frames, bodies.csv with the names of the bodies, and last
// run.pvd, which is what to open (draw/paraview.hpp). Errors: as view(); files that cannot be written.
Result<ViewFiles> write_paraview(const std::filesystem::path& run, const std::filesystem::path& folder,
                                 const ViewOptions& options = {});

}  // namespace espalier::study
