#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/study/detail/view_run.hpp"

namespace espalier::study::detail {
namespace {

std::string difference_text(const ViewDifference& difference, double tolerance) {
  if (!difference.first_time) {
    return fmt::format("no body is farther apart than {} m; at most {:.2g} m", number_text(tolerance), difference.most);
  }
  return fmt::format("first at {:.6g} s: {} is {:.2g} m away; most at {:.6g} s: {} by {:.2g} m", *difference.first_time,
                     in_quotes(difference.first_body), difference.first_distance, difference.most_time,
                     in_quotes(difference.most_body), difference.most);
}

void compare(const model::Model& model, std::span<const math::Pose> poses, const double* first, double time,
             double tolerance, ViewDifference& difference) {
  double worst = 0;
  std::size_t worst_body = 0;
  for (std::size_t b = 1; b < poses.size(); ++b) {
    const double distance = (poses[b].position - Eigen::Vector3d::Map(first + 7 * b)).norm();
    // A motion that is no number any more is as far away as can be.
    if (distance <= worst) continue;
    worst = distance;
    worst_body = b;
  }
  if (worst > tolerance && !difference.first_time) {
    difference.first_time = time;
    difference.first_body = model.bodies[worst_body].name;
    difference.first_distance = worst;
  }
  if (worst <= difference.most) return;
  difference.most = worst;
  difference.most_time = time;
  difference.most_body = model.bodies[worst_body].name;
}

}  // namespace

std::vector<math::Pose> poses_at(const draw::ViewFrames& frames, std::size_t bodies, double time) {
  std::size_t next = 0;
  while (next + 1 < frames.times.size() && frames.times[next] < time) ++next;
  const std::size_t last = next > 0 ? next - 1 : 0;
  // Frames at one time leave nothing to divide by.
  const double span = frames.times[next] - frames.times[last];
  const double share = span > 0 ? (time - frames.times[last]) / span : 0;
  std::vector<math::Pose> poses;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* p = &frames.poses[7 * (last * bodies + b)];
    const double* q = &frames.poses[7 * (next * bodies + b)];
    const Eigen::Vector3d from = Eigen::Vector3d::Map(p), to = Eigen::Vector3d::Map(q);
    const Eigen::Quaterniond turn(p[3], p[4], p[5], p[6]), then(q[3], q[4], q[5], q[6]);
    const Eigen::Quaterniond step = math::rotation_exp(share * math::rotation_log(then * turn.conjugate()));
    poses.push_back({from + share * (to - from), step * turn});
  }
  return poses;
}

// (1) The other run, with the same bodies; (2) its poses at the times of the page; (3) where they differ.
Result<ViewDifference> add_comparison(const ViewedRun& run, const ViewOptions& options, draw::ViewPage& page) {
  // It may be of a model with other numbers: its own, wherever that is.
  const Result<record::Recording> other = read_recording(options.compare);
  ESPALIER_TRY(other);
  if (other->layout.bodies != run.recording.layout.bodies) {
    return make_option_error("compare",
                             fmt::format("`compare`: the run in {} has other bodies", in_quotes(options.compare)),
                             "compare runs of one model");
  }
  const model::Model& model = run.loaded.model;
  const std::size_t bodies = model.bodies.size();
  const draw::ViewFrames frames = frames_of(*other);
  draw::ViewFrames& ghost = page.ghost.emplace();
  ghost.times = page.frames->times;
  ViewDifference difference;
  difference.other = options.compare;
  for (std::size_t f = 0; f < ghost.times.size(); ++f) {
    const double time = ghost.times[f];
    const std::vector<math::Pose> poses = poses_at(frames, bodies, time);
    for (const math::Pose& pose : poses) {
      const Eigen::Quaterniond& q = pose.rotation;
      const Eigen::Vector3d& p = pose.position;
      ghost.poses.insert(ghost.poses.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
    }
    // Behind its end it stands still, and nothing is to be compared.
    if (time > frames.times.back() * (1 + 1e-12)) continue;
    compare(model, poses, &page.frames->poses[7 * f * bodies], time, options.tolerance, difference);
  }
  page.facts.emplace_back("compared with", options.compare);
  page.facts.emplace_back("differences", difference_text(difference, options.tolerance));
  return difference;
}

}  // namespace espalier::study::detail
