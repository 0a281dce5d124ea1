#include "espalier/dynamics/detail/ode_batch.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/implicit.hpp"
#include "espalier/dynamics/detail/project_again.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/dynamics/test/reference_run.hpp"

namespace espalier::dynamics {
namespace {

using detail::Ode;
using detail::Point;

// All references on their plan's tree and on random ones, with their callbacks; a crank at a prescribed speed.
void for_each_system(const std::function<void(const System&, const RunState&)>& visit) {
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    const System planned = reference_system(reference);
    visit(planned, reference_start(reference, planned));
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    System other =
        make_system(*model, mechanism, random_plan(plan::make_network(*model, mechanism, plan::Weights::kLiu), 1));
    set_bushings(reference, other);
    visit(other, reference_start(reference, other));
  }
  for (const ReferenceModel& reference : reference_models()) {
    if (reference.name != "a02_n_four_bar_N1") continue;
    model::ModelSpec spec = reference.spec;
    model::MotionSpec motion;
    motion.joint = spec.joints.front().name;
    motion.is_velocity = true;
    motion.value = *model::parse_expression("1 + sin(t)");
    spec.forces.push_back({"crank", motion, {}});
    const System driven = planned_system(spec);
    ASSERT_EQ(driven->drives.size(), 1U);
    visit(driven, reference_start(reference, driven));
  }
}

// A state near the start, at a time near its own, with quaternions of any length.
void set_near(const Ode& ode, const RunState& start, Random& random, Point& point) {
  point.time = start.state.time + random.uniform(0, 0.5);
  point.y.setZero();
  std::copy(start.state.q.begin(), start.state.q.end(), ode.q(point.y).begin());
  std::copy(start.state.v.begin(), start.state.v.end(), ode.v(point.y).begin());
  for (double& number : point.y) number += random.uniform(-1e-3, 1e-3);
}

TEST(Derivatives, HaveTheBitsOfOneByOne) {
  for_each_system([](const System& system, const RunState& start) {
    Ode one(system, 1e-11), many(system, 1e-11);
    choose_rows(system, 0, start.state.q, one.work);
    set_dropped_rows(system, one.work.dropped(), many.work);
    detail::OdeBatch batch;
    Random random(11);
    for (const std::size_t count : {8U, 5U, 2U}) {
      const std::span<Point> points = batch.points(many, count);
      for (Point& point : points) set_near(many, start, random, point);
      ASSERT_TRUE(derivatives(many, points, batch));
      // Also where this machine's lanes would not pay.
      std::vector<Point> lanes(points.begin(), points.end());
      std::vector<detail::SlopeAt> asked;
      for (Point& point : lanes) asked.push_back({point.time, &point.y, &point.f});
      EXPECT_EQ(derivatives_of(many, asked, batch).count(), count);
      Eigen::VectorXd expected = Eigen::VectorXd::Zero(one.size());
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_TRUE(derivative(one, points[k].time, points[k].y, expected));
        EXPECT_EQ(points[k].f, expected);
        EXPECT_EQ(lanes[k].f, expected);
      }
    }
    EXPECT_EQ(many.evaluations, one.evaluations);
    EXPECT_EQ(many.time, one.time);
  });
}

// Where other rows are left out, the memory of the lanes follows.
TEST(Derivatives, FollowTheChoiceOfRows) {
  for (const ReferenceModel& reference : reference_models()) {
    if (reference.name != "a02_n_four_bar_N2") continue;
    const System system = reference_system(reference);
    const RunState start = reference_start(reference, system);
    Ode ode(system, 1e-11);
    choose_rows(system, 0, start.state.q, ode.work);
    const std::vector<bool> dropped = ode.work.dropped();
    ASSERT_TRUE(std::find(dropped.begin(), dropped.end(), true) != dropped.end());
    detail::OdeBatch batch;
    Random random(12);
    std::vector<bool> fewer = dropped;
    *std::find(fewer.begin(), fewer.end(), false) = true;
    for (const std::vector<bool>& rows : {dropped, fewer, dropped}) {
      set_dropped_rows(system, rows, ode.work);
      const std::span<Point> points = batch.points(ode, kBatch);
      for (Point& point : points) set_near(ode, start, random, point);
      ASSERT_TRUE(derivatives(ode, points, batch));
      Eigen::VectorXd expected = Eigen::VectorXd::Zero(ode.size());
      for (const Point& point : points) {
        ASSERT_TRUE(derivative(ode, point.time, point.y, expected));
        EXPECT_EQ(point.f, expected);
      }
    }
  }
}

TEST(Derivatives, EndAtTheFirstStateThatBreaks) {
  const ReferenceModel& reference = reference_models().front();
  System system = reference_system(reference);
  system.set_callback([](double time, LinkArrays& links) {
    if (time >= 5) links.force[1][0] = std::numeric_limits<double>::quiet_NaN();
  });
  Ode ode(system, 1e-11);
  detail::OdeBatch batch;
  const std::span<Point> points = batch.points(ode, kBatch);
  for (std::size_t k = 0; k < points.size(); ++k) points[k].time = static_cast<double>(k);
  EXPECT_FALSE(derivatives(ode, points, batch));
  EXPECT_EQ(ode.time, 5);
  EXPECT_EQ(ode.evaluations, 6);
  EXPECT_FALSE(what_broke(ode).empty());
}

// The part of a unit of coordinate k that closed loops leave free.
Eigen::VectorXd free_direction(Ode& ode, const Point& from, Eigen::Index k) {
  const Eigen::Index n = ode.system.velocity_size();
  const Eigen::VectorXd v = from.y.segment(ode.system.position_size(), n);
  if (ode.system.rows() == 0) return Eigen::VectorXd::Unit(n, k);
  Eigen::VectorXd held = v, moved = Eigen::VectorXd::Unit(n, k) + v;
  project_velocities(ode.system, from.time, ode.q(from.y), {held.data(), ode.velocities}, ode.work);
  detail::project_again(ode.system, from.time, ode.q(from.y), {moved.data(), ode.velocities}, ode.work);
  return moved - v;
}

// Column by column, the way a reader would write it: each state a small step aside is closed again.
void differ_one_by_one(Ode& ode, const Point& from, bool both_sides, detail::ImplicitStages& s) {
  const Eigen::Index n = ode.system.velocity_size();
  const double small = both_sides ? 1e-5 : std::sqrt(std::numeric_limits<double>::epsilon());
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(ode.size());
  const auto aside = [&](bool moved, Eigen::Index k, double change) {
    const Eigen::VectorXd free = free_direction(ode, from, k);
    Eigen::VectorXd y = from.y;
    if (moved) {
      move_positions(ode.system, ode.q(y), {free.data(), ode.velocities}, change);
      if (ode.system.rows() > 0) detail::project_again(ode.system, from.time, ode.q(y), ode.v(y), ode.work);
    } else {
      y.segment(ode.system.position_size(), n) += change * free;
    }
    EXPECT_TRUE(derivative(ode, from.time, y, slope));
    return Eigen::VectorXd(slope.tail(n + 1));
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    for (const bool moved : {true, false}) {
      const double change = moved ? small : small * (1 + std::abs(from.y[ode.system.position_size() + k]));
      const double width = both_sides ? 2 * change : change;
      auto column = (moved ? s.by_motion : s.by_velocity).col(k);
      column = aside(moved, k, change) / width;
      column -= (both_sides ? aside(moved, k, -change) : Eigen::VectorXd(from.f.tail(n + 1))) / width;
    }
  }
  const double later = from.time + std::sqrt(std::numeric_limits<double>::epsilon()) * (1 + std::abs(from.time));
  Eigen::VectorXd y = from.y;
  const bool closed = ode.system.rows() == 0 || close_loops(ode, later, y);
  EXPECT_TRUE(closed);
  EXPECT_TRUE(derivative(ode, later, y, slope));
  s.by_time = (slope - from.f) / (later - from.time);
  s.by_time.head(ode.system.position_size()).setZero();
}

TEST(ImplicitStep, JacobianHasTheBitsOfColumnsOneByOne) {
  for_each_system([](const System& system, const RunState& start) {
    for (const double tolerance : {1e-5, 1e-8}) {
      Ode ode(system, 1e-11);
      choose_rows(system, 0, start.state.q, ode.work);
      Point from(ode.size()), to(ode.size());
      Random random(13);
      set_near(ode, start, random, from);
      ASSERT_TRUE(close_loops(ode, from.time, from.y));
      ASSERT_TRUE(derivative(ode, from.time, from.y, from.f));
      detail::ImplicitStages stages(ode), expected(ode);
      implicit_step(ode, from, 1e-6, tolerance, stages, to);
      expected.make_room(ode);
      differ_one_by_one(ode, from, tolerance < detail::kBothSidesBelow, expected);
      EXPECT_EQ(stages.by_motion, expected.by_motion);
      EXPECT_EQ(stages.by_velocity, expected.by_velocity);
      EXPECT_EQ(stages.by_time, expected.by_time);
    }
  });
}

}  // namespace
}  // namespace espalier::dynamics
