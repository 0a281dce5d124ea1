#include "espalier/dynamics/detail/nearest_pose.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/test/four_bar.hpp"

namespace espalier::dynamics {
namespace {

using detail::find_nearest_pose;
using detail::joint_pose;
using detail::NearestPose;
using math::Pose;

// The measure by hand: links lie along x, their middle is half way, the typical length is the median of half lengths.
double measure(const FourBar& bar, const std::vector<Pose>& body, const std::vector<Pose>& drawn) {
  const std::array<double, 3> length = {bar.crank, bar.coupler, bar.rocker};
  std::array<double, 3> sorted = length;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::Vector3d middle(length[k] / 2, 0, 0);
    const double angle = math::gap_between(body[k + 1], drawn[k + 1]).angle;
    sum += (body[k + 1] * middle - drawn[k + 1] * middle).squaredNorm() * 4 / (sorted[1] * sorted[1]) + angle * angle;
  }
  return sum;
}

std::vector<Pose> posed(FourBar bar, double crank, double elbow) {
  bar.at_crank = crank;
  const Eigen::Vector2d c = bar.closed_c(elbow);
  const Eigen::Vector2d b(bar.crank * std::cos(crank), bar.crank * std::sin(crank));
  return {Pose{}, FourBar::turned({0, 0, 0}, crank),
          FourBar::turned({b.x(), b.y(), 0}, std::atan2(c.y() - b.y(), c.x() - b.x())),
          FourBar::turned({bar.ground, 0, 0}, std::atan2(c.y(), c.x() - bar.ground))};
}

// Against every closed pose of the four-bar, both branches, by steps of a thousandth of a turn.
TEST(NearestPose, IsNearerThanAllOthers) {
  for (const double rocker : {1.7, 2.6, 4.0, 5.5}) {
    FourBar bar;
    bar.at_rocker = rocker;
    const Result<model::Model> model = model::compile(bar.spec());
    const std::vector<Pose> drawn = drawn_poses(*model);
    const NearestPose found = find_nearest_pose(*model, drawn, {}, 1e-13, false);
    EXPECT_LT(found.worst, 1e-12);
    EXPECT_NEAR(found.measure, measure(bar, found.body, drawn), 1e-9 * (1 + found.measure));
    double least = 1e9;
    for (int k = 0; k < 1000; ++k) {
      for (const double elbow : {1.0, -1.0}) {
        const std::vector<Pose> body = posed(bar, 2 * M_PI * k / 1000, elbow);
        if (std::isfinite(body[2].position.x() + body[3].rotation.w()))
          least = std::min(least, measure(bar, body, drawn));
      }
    }
    EXPECT_LE(found.measure, least + 1e-9) << "rocker at " << rocker;
    EXPECT_GT(found.measure, 0.98 * least) << "rocker at " << rocker;
  }
}

TEST(Assemble, OpenDrawingsCloseToOnePoseOnEveryTree) {
  for (const double rocker : {1.7, 2.6, 4.0, 5.5}) {
    FourBar bar;
    bar.at_rocker = rocker;
    std::vector<Pose> first;
    for (int cut = 0; cut < 4; ++cut) {
      const System system = system_of(bar.spec(), {cut});
      const std::vector<Pose> body = body_poses(system, assemble(system).q);
      if (cut == 0) first = body;
      for (std::size_t b = 1; b < body.size(); ++b) {
        const math::PoseGap gap = math::gap_between(body[b], first[b]);
        EXPECT_LT(std::max(gap.distance, gap.angle), 1e-11) << "rocker at " << rocker << ", cut " << cut;
      }
    }
  }
}

// Drawn in line, the rocker may rise to either side: the first joint, the crank's, decides, and takes the larger angle.
TEST(Assemble, TiesGoToTheLargerCoordinate) {
  FourBar bar;
  bar.at_crank = 0, bar.at_coupler = 0, bar.at_rocker = M_PI;
  bar.crank = 1, bar.coupler = 2, bar.rocker = 1.5, bar.ground = 3;
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(bar.spec(), {cut});
    const Assembly assembly = assemble(system);
    ASSERT_EQ(assembly.outcome, Assembly::Outcome::kClosed);
    const std::vector<Pose> body = body_poses(system, assembly.q);
    const Pose X_FM = joint_pose(system.model().joints[0], body);
    EXPECT_GT(model::joint_position(model::JointType::kRevolute, 0, X_FM).front(), 0.01) << "cut " << cut;
  }
}

}  // namespace
}  // namespace espalier::dynamics
