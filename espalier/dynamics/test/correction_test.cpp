#include "espalier/dynamics/start.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/redundancy.hpp"
#include "espalier/dynamics/test/four_bar.hpp"

namespace espalier::dynamics {
namespace {

using Outcome = Correction::Outcome;

math::Pose tilt(double about_x, double about_y, double along_z = 0) {
  return {{0, 0, along_z}, Eigen::Quaterniond(1, about_x / 2, about_y / 2, 0).normalized()};
}

// A four-bar drawn closed, with the axis of its coupler's far end tilted against the others by what a file rounds off.
model::ModelSpec tilted(double angle, double shift = 0) {
  FourBar bar;
  const Eigen::Vector2d c = bar.closed_c(-1);
  const Eigen::Vector2d b(bar.crank * std::cos(bar.at_crank), bar.crank * std::sin(bar.at_crank));
  bar.at_coupler = std::atan2(c.y() - b.y(), c.x() - b.x());
  bar.at_rocker = std::atan2(c.y(), c.x() - bar.ground);
  model::ModelSpec spec = bar.spec();
  spec.joints[2].in_a = spec.joints[2].in_a * tilt(angle, -0.7 * angle, shift);
  return spec;
}

Prepared prepared(const model::ModelSpec& spec, const std::vector<int>& cut = {}) {
  plan::PlanOptions options;
  options.cut = cut;
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  return prepare(*model, plan::make_mechanism(*model), *plan::make_plan(*model, options));
}

int freedom(const Prepared& ready) { return analyse_constraints(ready.system, 0, ready.start.state.q).freedom; }

// Largest gap of any joint while the crank is turned through `turns` [rad] and all else follows.
double worst_gap(const Prepared& ready, double turns) {
  Workspace work(ready.system);
  std::vector<double> q = ready.start.state.q;
  std::vector<double> v(q.size(), 0);
  double worst = 0;
  v[0] = 1;
  for (double way = 0; way < turns; way += 0.02) {
    project_velocities(ready.system, 0, q, v, work);
    const double speed = std::abs(v[0]);
    for (double& rate : v) rate /= speed;
    move_positions(ready.system, q, v, 0.02);
    worst = std::max(worst, project_positions(ready.system, 0, q, 0, work));
  }
  return worst;
}

TEST(FindCorrection, AgreesWithWhatIsExact) {
  const Prepared ready = prepared(tilted(0));
  EXPECT_EQ(ready.correction.outcome, Outcome::kNone);
  EXPECT_TRUE(ready.correction.joints.empty());
  EXPECT_EQ(freedom(ready), 1);
}

TEST(FindCorrection, FreesAFourBarThatRoundingLocksOnEveryTree) {
  for (const double angle : {1e-7, 1e-6, 5e-5}) {
    for (const int cut : {0, 2}) {
      SCOPED_TRACE(testing::Message() << angle << " rad, cut " << cut);
      const Prepared ready = prepared(tilted(angle, angle / 10), {cut});
      ASSERT_EQ(ready.correction.outcome, Outcome::kFound);
      EXPECT_LT(ready.correction.angle, 1.3 * angle);
      EXPECT_LE(ready.correction.distance, angle / 10);
      EXPECT_EQ(ready.start.assembly.outcome, Assembly::Outcome::kClosed);
      EXPECT_EQ(freedom(ready), 1);
      // Nothing has to move for it: the pose stays as near to the drawing as the frames are.
      for (const JointGap& moved : ready.start.assembly.moved)
        EXPECT_LT(std::max(moved.angle, moved.distance), 3 * angle);
      EXPECT_LT(worst_gap(ready, 1), 1e-11);
    }
  }
}

// The axes meet in one point, far away (a spherical four-bar) or nowhere (a planar one): what they are turned against
// the first is the same multiple of where they stand. The change is shared out among the joints: less than the tilt.
TEST(FindCorrection, MakesAxesMeetInOnePoint) {
  const Prepared ready = prepared(tilted(1e-5));
  ASSERT_EQ(ready.correction.outcome, Outcome::kFound);
  const model::Model& model = ready.system.model();
  const std::vector<math::Pose> body = body_poses(ready.system, ready.start.state.q);
  const auto frame = [&](std::size_t j) { return body[model.joints[j].a.index()] * model.joints[j].X_AF; };
  const auto axis = [&](std::size_t j) -> Eigen::Vector3d { return frame(j).rotation * Eigen::Vector3d::UnitZ(); };
  std::vector<double> ratio;
  for (std::size_t j = 1; j < 4; ++j) {
    const Eigen::Vector3d way = frame(j).position - frame(0).position;
    const Eigen::Vector3d turned = axis(j) - axis(0);
    ratio.push_back(turned.dot(way) / way.squaredNorm());
    EXPECT_LT((turned - ratio.back() * way).norm(), 1e-10) << j;
    EXPECT_NEAR(ratio.back(), ratio.front(), 1e-10) << j;
  }
  EXPECT_LT(ready.correction.angle, 0.9e-5);
}

TEST(FindCorrection, IsTheSameOnEveryTree) {
  const Correction first = prepared(tilted(1e-5), {0}).correction;
  for (const int cut : {1, 3}) {
    const Correction other = prepared(tilted(1e-5), {cut}).correction;
    ASSERT_EQ(other.outcome, Outcome::kFound);
    ASSERT_EQ(other.joints.size(), first.joints.size());
    for (std::size_t j = 0; j < first.joints.size(); ++j) {
      EXPECT_LT(math::gap_between(other.joints[j].on_a, first.joints[j].on_a).angle, 1e-10);
      EXPECT_LT(math::gap_between(other.joints[j].on_b, first.joints[j].on_b).angle, 1e-10);
    }
  }
}

// Axes that are skew by 1e-2 rad are meant so: the loop is closed as drawn and locked.
TEST(FindCorrection, LeavesAMechanismLockedThatIsDrawnLocked) {
  model::ModelSpec spec = tilted(0);
  const Result<model::Model> exact = model::compile(spec);
  const model::Joint& c = exact->joints[2];
  spec.joints[2].at = exact->body(c.a).X_WB * c.X_AF * tilt(1e-2, -0.7e-2);
  const Prepared ready = prepared(spec);
  EXPECT_EQ(ready.correction.outcome, Outcome::kNone);
  EXPECT_EQ(freedom(ready), 0);
}

}  // namespace
}  // namespace espalier::dynamics
