#include "espalier/study/detail/view_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::study::detail {
namespace {

using draw::ViewContacts;
using draw::ViewCurve;
using record::Rows;

// What a page holds at most, so that it can be mailed.
constexpr std::size_t kMostFrames = 4000;
constexpr std::size_t kMostPoses = 7'000'000;       // of all frames
constexpr std::size_t kMostCurveNumbers = 900'000;  // of all curves
constexpr std::size_t kMostContacts = 900'000;      // of all frames
// Bodies of a scene have curves of their own where they are few.
constexpr std::size_t kFewBodies = 60;
// Contacts whose points pass each other faster slide [m/s].
constexpr double kSlip = 1e-3;

// Every `stride`-th frame, and the last.
std::vector<std::size_t> kept_frames(std::size_t frames, std::size_t bodies) {
  // Two at least, or nothing moves.
  const std::size_t most = std::clamp<std::size_t>(kMostPoses / std::max<std::size_t>(1, bodies), 2, kMostFrames);
  const std::size_t stride = (frames + most - 1) / most;
  std::vector<std::size_t> kept;
  for (std::size_t f = 0; f < frames; f += stride) kept.push_back(f);
  // Where a run ends is what most people want to see.
  if (kept.back() != frames - 1) kept.push_back(frames - 1);
  return kept;
}

// Adds curves until there are too many numbers; then tells which were left out.
class Curves {
 public:
  Curves(const Rows& rows, const std::vector<std::size_t>& kept, draw::ViewPage& page)
      : rows_(rows), kept_(kept), page_(page) {}

  const std::vector<double>* find(const char* path) const {
    const auto found = rows_.find(std::string_view(path));
    return found == rows_.end() || found->second.empty() ? nullptr : &found->second;
  }
  // Asked of a group as a whole: half of the joints would be worse than none.
  bool fits(std::size_t curves) const { return (page_.curves.size() + curves) * kept_.size() <= kMostCurveNumbers; }

  template <class Value>
  void add(ViewCurve curve, Value value) {
    for (const std::size_t f : kept_) curve.values.push_back(value(f));
    page_.curves.push_back(std::move(curve));
  }
  void add_number(const char* path, const char* group, const char* name, const char* unit) {
    if (const std::vector<double>* all = find(path)) {
      add({group, name, unit, -1, "", {}}, [&](std::size_t f) { return (*all)[f]; });
    }
  }

 private:
  const Rows& rows_;
  const std::vector<std::size_t>& kept_;
  draw::ViewPage& page_;
};

void add_energies(Curves& curves) {
  curves.add_number("energy/kinetic", "energy", "kinetic energy", "J");
  curves.add_number("energy/potential", "energy", "potential energy", "J");
  curves.add_number("energy/total", "energy", "total energy", "J");
  curves.add_number("energy/exchanged", "energy", "exchanged work", "J");
  curves.add_number("energy/strain", "energy", "strain energy", "J");
  curves.add_number("loop/distance", "loop", "loop gap", "m");
  curves.add_number("loop/angle", "loop", "loop angle", "rad");
}

// Positions or velocities of all joints; `sizes` says how many numbers each joint has.
void add_columns(const char* path, const char* group, const std::vector<record::Column>& columns,
                 const std::vector<int>& sizes, Curves& curves, std::vector<std::string>& left_out) {
  const std::vector<double>* all = curves.find(path);
  if (!all || columns.empty()) return;
  if (!curves.fits(columns.size())) return left_out.push_back(group), void();
  std::size_t joint = 0;
  int left = sizes.empty() ? 0 : sizes[0];
  for (std::size_t c = 0; c < columns.size(); ++c) {
    // Joints without coordinates have no columns.
    while (left == 0 && joint + 1 < sizes.size()) left = sizes[++joint];
    --left;
    const std::string name = group == std::string_view("velocity") ? columns[c].name + " rate" : columns[c].name;
    curves.add({group, name, columns[c].unit, static_cast<int>(joint), group, {}},
               [&](std::size_t f) { return (*all)[f * columns.size() + c]; });
  }
}

void add_reactions(const model::Model& model, Curves& curves, std::vector<std::string>& left_out) {
  const std::vector<double>* all = curves.find("reaction");
  if (!all) return;
  const std::size_t joints = model.joints.size();
  if (!curves.fits(2 * joints)) return left_out.emplace_back("reaction"), void();
  for (std::size_t j = 0; j < joints; ++j) {
    // Size of the force, then of the couple: three parts each.
    for (const std::size_t part : {0, 3}) {
      const auto size = [&](std::size_t f) {
        const double* r = &(*all)[6 * (f * joints + j) + part];
        return std::hypot(r[0], r[1], r[2]);
      };
      curves.add({"reaction",
                  model.joints[j].name + (part == 0 ? " force" : " couple"),
                  part == 0 ? "N" : "N m",
                  static_cast<int>(j),
                  part == 0 ? "force" : "couple",
                  {}},
                 size);
    }
  }
  // Parts come after all sizes, which matter more where there is no room for both.
  if (!curves.fits(6 * joints)) return left_out.emplace_back("parts of reactions"), void();
  constexpr const char* kParts[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  for (std::size_t j = 0; j < joints; ++j) {
    for (std::size_t k = 0; k < 6; ++k) {
      curves.add({"reaction", fmt::format("{} {}", model.joints[j].name, kParts[k]), k < 3 ? "N" : "N m", -1, "", {}},
                 [&](std::size_t f) { return (*all)[6 * (f * joints + j) + k]; });
    }
  }
}

void add_bodies(const model::Model& model, Curves& curves) {
  const std::vector<double>* all = curves.find("body_pose");
  const std::size_t bodies = model.bodies.size();
  // Of a pile nobody reads the place of one grain.
  if (!all || bodies > kFewBodies) return;
  for (std::size_t b = 1; b < bodies; ++b) {
    for (std::size_t k = 0; k < 3; ++k) {
      curves.add({"place", fmt::format("{} {}", model.bodies[b].name, "xyz"[k]), "m", -1, "", {}},
                 [&](std::size_t f) { return (*all)[7 * (f * bodies + b) + k]; });
    }
  }
}

std::vector<std::size_t> counts(const Rows& rows, const char* path) {
  std::vector<std::size_t> ends;
  const auto found = rows.find(std::string_view(path));
  if (found == rows.end()) return ends;
  // Numbers of rows come as doubles, as all that a result holds.
  for (const double end : found->second) ends.push_back(static_cast<std::size_t>(end));
  return ends;
}

Eigen::Vector3d three(const std::vector<double>& all, std::size_t row, std::size_t width = 3, std::size_t begin = 0) {
  return Eigen::Vector3d::Map(&all[row * width + begin]);
}

// How fast the two points of a contact pass each other, across its normal [m/s].
double slip(const Rows& rows, std::size_t frame, std::size_t row, std::size_t bodies) {
  const std::vector<double>&pose = rows.at("body_pose"), &velocity = rows.at("body_velocity");
  const Eigen::Vector3d point = three(rows.at("contact/point"), row), normal = three(rows.at("contact/normal"), row);
  Eigen::Vector3d difference = Eigen::Vector3d::Zero();
  for (const int side : {0, 1}) {
    const auto body = static_cast<std::size_t>(rows.at("contact/bodies")[2 * row + to_index(side)]);
    // Of the body's own point that lies there now.
    const std::size_t at = frame * bodies + body;
    const Eigen::Vector3d v = three(velocity, at, 6) + three(velocity, at, 6, 3).cross(point - three(pose, at, 7));
    difference += side == 0 ? v : Eigen::Vector3d(-v);
  }
  // Across the normal: along it a contact opens or closes.
  return (difference - normal * normal.dot(difference)).norm();
}

// The rows of one frame; where there are too many, those with the largest forces.
std::vector<std::size_t> strongest(const std::vector<double>& force, std::size_t begin, std::size_t end,
                                   std::size_t most) {
  std::vector<std::size_t> rows;
  for (std::size_t r = begin; r < end; ++r) rows.push_back(r);
  if (rows.size() <= most) return rows;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return three(force, a).norm() > three(force, b).norm(); });
  rows.resize(most);
  // Back in the order of the file.
  std::sort(rows.begin(), rows.end());
  return rows;
}

void add_contacts(const ViewedRun& run, const std::vector<std::size_t>& kept, draw::ViewPage& page,
                  std::vector<std::string>& notes) {
  const Rows& rows = run.recording.rows;
  const std::vector<std::size_t> ends = counts(rows, "contact/end");
  if (ends.empty()) return;
  const std::vector<double>& force = rows.at("contact/force");
  const std::size_t bodies = run.loaded.model.bodies.size(),
                    most = std::max<std::size_t>(1, kMostContacts / kept.size());
  ViewContacts& contacts = page.contacts.emplace();
  bool all = true;
  for (const std::size_t f : kept) {
    // Rows of a frame end where those of the next begin.
    const std::size_t begin = f > 0 ? ends[f - 1] : 0;
    const std::vector<std::size_t> shown = strongest(force, begin, ends[f], most);
    all = all && shown.size() == ends[f] - begin;
    for (const std::size_t r : shown) {
      const Eigen::Vector3d point = three(rows.at("contact/point"), r), push = three(force, r);
      contacts.points.push_back({point.x(), point.y(), point.z()});
      contacts.forces.push_back({push.x(), push.y(), push.z()});
      contacts.states.push_back(push.norm() == 0                   ? ViewContacts::kOpen
                                : slip(rows, f, r, bodies) > kSlip ? ViewContacts::kSlide
                                                                   : ViewContacts::kStick);
    }
    contacts.end.push_back(contacts.points.size());
  }
  if (!all) notes.push_back(fmt::format("Of each frame the {} contacts with the largest forces are shown.", most));
}

void add_ranks(const ViewedRun& run, const std::vector<std::size_t>& kept, draw::ViewPage& page) {
  const Rows& rows = run.recording.rows;
  const std::vector<std::size_t> ends = counts(rows, "rank/end");
  const auto owner = rows.find(std::string_view("owner"));
  if (ends.empty() || owner == rows.end() || !rows.contains("rank/busy")) return;
  const std::size_t bodies = run.loaded.model.bodies.size();
  draw::ViewRanks& ranks = page.ranks.emplace();
  for (const std::size_t f : kept) {
    std::vector<model::RankLoad>& load = ranks.load.emplace_back();
    for (std::size_t r = f > 0 ? ends[f - 1] : 0; r < ends[f]; ++r) {
      load.push_back({rows.at("rank/busy")[r], rows.at("rank/waiting")[r],
                      static_cast<std::int64_t>(rows.at("rank/bodies")[r]),
                      static_cast<std::int64_t>(rows.at("rank/contacts")[r])});
    }
    for (std::size_t b = 0; b < bodies; ++b) {
      ranks.owner.push_back(static_cast<std::int32_t>(owner->second[f * bodies + b]));
    }
  }
}

// Contacts per frame as a curve, whether or not all of them are shown.
void add_contact_count(const Rows& rows, Curves& curves) {
  const std::vector<std::size_t> ends = counts(rows, "contact/end");
  if (ends.empty()) return;
  curves.add({"contact", "number of contacts", "1", -1, "", {}},
             [&](std::size_t f) { return static_cast<double>(ends[f] - (f > 0 ? ends[f - 1] : 0)); });
}

Result<void> check_same_model(const ViewedRun& run, const std::filesystem::path& folder,
                              std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const model::Body& body : run.loaded.model.bodies) names.push_back(body.name);
  // Frames are numbers by the place of a body: other names are another model.
  if (names != run.recording.layout.bodies) {
    return make_option_error("model",
                             fmt::format("{} has other bodies than the run in {}", run.loaded.file, folder.string()),
                             "name the model as it was by `model`");
  }
  // A changed mass moves no picture: the bodies are the same, and the note says the rest.
  const Result<std::uint64_t> hash = record::model_hash(run.loaded.spec);
  if (hash && *hash != run.record.model_hash) {
    notes.push_back(
        fmt::format("{} has changed since the run: shapes and the tree are those of today.", run.loaded.file));
  }
  return {};
}

}  // namespace

Result<record::Recording> read_recording(const std::filesystem::path& folder) {
  if (!record::is_run_folder(folder)) {
    Error error{ErrorCode::kFile, "there is no run in this folder", {folder.string()}};
    error.hint = "name the folder that `simulate` has written, a model file, or a plan";
    return tl::unexpected(error);
  }
  Result<record::Recording> recording = record::read_result(folder / "result.h5");
  ESPALIER_TRY(recording);
  if (recording->frames() == 0) {
    return make_error(ErrorCode::kValue, {(folder / "result.h5").string()}, "there is no frame yet; continue the run");
  }
  return recording;
}

Result<ViewedRun> read_viewed_run(const std::filesystem::path& folder, const ViewOptions& options) {
  Result<record::Recording> recording = read_recording(folder);
  // What stands in run.json is told first: its version, say.
  Result<record::RunRecord> record =
      record::is_run_folder(folder) ? record::read_run(folder) : tl::unexpected(recording.error());
  ESPALIER_TRY(record);
  ESPALIER_TRY(recording);
  ViewedRun run;
  run.record = *std::move(record);
  run.recording = *std::move(recording);
  // Read as the run has read it: another base would have other bodies.
  LoadOptions load = options.load;
  if (!load.read.base) load.read.base = run.record.read.base;
  if (load.read.spherical.empty()) load.read.spherical = run.record.read.spherical;
  Result<LoadedModel> loaded = study::load(options.model.empty() ? run.record.model_file : options.model, load);
  if (!loaded) {
    // A model that has moved is the usual case, and the only one with a way out here.
    if (loaded.error().code != ErrorCode::kFile || !options.model.empty()) return tl::unexpected(loaded.error());
    Error error = loaded.error();
    error.hint = "name the place of the model now by `model`";
    error.option = "model";
    return tl::unexpected(error);
  }
  run.loaded = *std::move(loaded);
  const Result<void> same = check_same_model(run, folder, run.notes);
  ESPALIER_TRY(same);
  return run;
}

std::string model_title(const LoadedModel& loaded) {
  return loaded.model.name.empty() ? std::filesystem::path(loaded.file).filename().string() : loaded.model.name;
}

draw::ViewFrames frames_of(const record::Recording& recording) {
  return {recording.rows.at("time"), recording.rows.at("body_pose")};
}

void add_run(const ViewedRun& run, draw::ViewPage& page, std::vector<std::string>& notes) {
  const Rows& rows = run.recording.rows;
  const model::Model& model = run.loaded.model;
  const std::size_t bodies = model.bodies.size(), frames = run.recording.frames();
  // One choice of frames for poses, curves and contacts: a cursor means one time in all of them.
  const std::vector<std::size_t> kept = kept_frames(frames, bodies);
  if (kept.size() < frames) notes.push_back(fmt::format("The page has {} of {} frames.", kept.size(), frames));
  draw::ViewFrames& to = page.frames.emplace();
  const std::vector<double>& poses = rows.at("body_pose");
  for (const std::size_t f : kept) {
    to.times.push_back(rows.at("time")[f]);
    const auto begin = poses.begin() + static_cast<std::ptrdiff_t>(7 * f * bodies);
    to.poses.insert(to.poses.end(), begin, begin + static_cast<std::ptrdiff_t>(7 * bodies));
  }
  Curves curves(rows, kept, page);
  std::vector<int> positions, velocities;
  for (const model::Joint& joint : model.joints) {
    positions.push_back(model::joint_kind(joint.type).position_size);
    velocities.push_back(model::joint_kind(joint.type).freedom);
  }
  // In the order of what matters most: what comes first has room first.
  std::vector<std::string> left_out;
  add_energies(curves);
  add_contact_count(rows, curves);
  add_columns("joint_position", "position", run.recording.layout.joint_position, positions, curves, left_out);
  add_columns("joint_velocity", "velocity", run.recording.layout.joint_velocity, velocities, curves, left_out);
  add_reactions(model, curves, left_out);
  if (run.record.kind() == record::RunKind::kScene) add_bodies(model, curves);
  if (!left_out.empty()) {
    notes.push_back(
        fmt::format("Curves that would make the page too large are left out: {}.", fmt::join(left_out, ", ")));
  }
  add_contacts(run, kept, page, notes);
  add_ranks(run, kept, page);
}

}  // namespace espalier::study::detail
