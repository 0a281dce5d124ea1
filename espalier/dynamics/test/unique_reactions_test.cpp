#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using detail::Columns;
using detail::constraint_wrenches;
using detail::Drive;
using detail::drive_row;
using detail::DriveRow;
using detail::link_poses;
using detail::term_slope;
using detail::term_wrench;
using Flags = std::vector<std::uint8_t>;
using math::Pose;
using math::SpatialVector;
using model::JointType;

Flags found_flags(const System& system, const std::vector<double>& q) {
  Workspace work(system);
  choose_rows(system, 0, q, work);
  return unique_reactions(system, 0, q, work);
}

// The second method knows no tree: all bodies are free, every joint pulls at two of them with its own wrenches and its
// drives. The null space of the balance of all bodies is what may be added to any set of reactions.
class Maximal {
 public:
  Maximal(const System& system, const std::vector<double>& q) : system_(system), links_(system) {
    links_.pose = link_poses(system, q);
    for (std::size_t j = 0; j < system.model().joints.size(); ++j) add_joint(j);
    const std::vector<double> still(to_index(system.velocity_size()), 0);
    for (const Drive& drive : system->drives) {
      const DriveRow row = drive_row(drive, 0, q, still, links_);
      columns_.emplace_back();
      for (std::size_t k = 0; k < drive.terms.size(); ++k)
        columns_.back().emplace_back(drive.terms[k].place.joint.index(),
                                     term_slope(drive, row, k) * term_wrench(drive.terms[k], links_));
    }
  }

  Flags flags() const {
    const std::size_t joints = system_.model().joints.size();
    const auto bodies = static_cast<Eigen::Index>(system_.model().bodies.size());
    const auto count = static_cast<Eigen::Index>(columns_.size());
    Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(6 * bodies, count);
    for (Eigen::Index c = 0; c < count; ++c) {
      for (const auto& [joint, wrench] : columns_[to_index(c)]) {
        balance.block<6, 1>(row_of(system_.model().joints[joint].b), c) += wrench;
        balance.block<6, 1>(row_of(system_.model().joints[joint].a), c) -= wrench;
      }
    }
    // The ground holds whatever comes.
    balance.topRows<6>().setZero();
    Flags unique(6 * joints, 1);
    if (count == 0) return unique;
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(balance, Eigen::ComputeFullV);
    Eigen::Index rank = 0;
    while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-7 * svd.singularValues()[0]) ++rank;
    const Eigen::MatrixXd null = svd.matrixV().rightCols(count - rank);
    for (std::size_t j = 0; j < joints; ++j) mark(j, null, unique);
    return unique;
  }

 private:
  static Eigen::Index row_of(model::BodyId body) { return 6 * static_cast<Eigen::Index>(body.index()); }
  Pose body_pose(model::BodyId body) const {
    const BodyPlace& body_place = system_.body_places()[body.index()];
    return links_.pose[to_index(body_place.link)] * body_place.X_LB;
  }

  void add_joint(std::size_t j) {
    const model::Joint& joint = system_.model().joints[j];
    const Columns T =
        constraint_wrenches(joint.type, joint.pitch, body_pose(joint.a) * joint.X_AF, body_pose(joint.b) * joint.X_BM);
    for (int k = 0; k < T.count; ++k) columns_.push_back({{j, SpatialVector(T.column.col(k))}});
  }

  void mark(std::size_t j, const Eigen::MatrixXd& null, Flags& unique) const {
    const model::Joint& joint = system_.model().joints[j];
    const Pose X_WF = body_pose(joint.a) * joint.X_AF;
    for (Eigen::Index n = 0; n < null.cols(); ++n) {
      SpatialVector sum = SpatialVector::Zero();
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        for (const auto& [at, wrench] : columns_[c]) {
          if (at == j) sum += null(static_cast<Eigen::Index>(c), n) * wrench;
        }
      }
      const Eigen::Vector3d force = sum.tail<3>();
      SpatialVector seen;
      seen << X_WF.rotation.conjugate() * force,
          X_WF.rotation.conjugate() * (sum.head<3>() - X_WF.position.cross(force));
      for (std::size_t k = 0; k < 6; ++k) {
        if (std::abs(seen[static_cast<Eigen::Index>(k)]) > 1e-6) unique[6 * j + k] = 0;
      }
    }
  }

  const System& system_;
  LinkArrays links_;
  std::vector<std::vector<std::pair<std::size_t, SpatialVector>>> columns_;  // by unknown: joint and wrench on b
};

// Pins along z of their frames: forces in the plane are decided, and the pin turns freely.
constexpr std::array<std::uint8_t, 6> kPlanarPin = {1, 1, 0, 0, 0, 1};

void expect_joint(const Flags& flags, std::size_t joint, const std::array<std::uint8_t, 6>& expected) {
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(int{flags[6 * joint + k]}, int{expected[k]}) << joint << " " << k;
}

TEST(UniqueReactions, APlanarFourBarIsSureOfForcesInItsPlane) {
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(FourBar{}.spec(), {cut});
    const Flags flags = found_flags(system, assemble(system).q);
    for (std::size_t joint = 0; joint < 4; ++joint) expect_joint(flags, joint, kPlanarPin);
    EXPECT_EQ(unclear_joints(flags), (std::vector{kA, kB, kC, kD}));
  }
}

// The same joint with its frame turned in the plane and the whole plane tilted: flags are in the joint's own axes.
TEST(UniqueReactions, AreInTheAxesOfTheJoint) {
  model::ModelSpec spec = FourBar{}.spec();
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 0.5).normalized()));
  for (model::BodySpec& body : spec.bodies) {
    body.pose.position = tilt * body.pose.position;
    body.pose.rotation = tilt * body.pose.rotation;
  }
  for (const std::size_t joint : {std::size_t{0}, std::size_t{3}}) {
    spec.joints[joint].in_a.position = tilt * spec.joints[joint].in_a.position;
    spec.joints[joint].in_a.rotation = tilt * spec.joints[joint].in_a.rotation;
  }
  const System system = system_of(spec);
  const Flags flags = found_flags(system, assemble(system).q);
  for (std::size_t joint = 0; joint < 4; ++joint) expect_joint(flags, joint, kPlanarPin);
}

// A ball at B and a sliding pin at C take the redundancy away.
TEST(UniqueReactions, MarksOnlyTheLoopThatRepeatsItself) {
  model::ModelSpec spec = FourBar{}.spec();
  model::ModelSpec other = FourBar{}.spec();
  other.joints[1].type = JointType::kSpherical;
  other.joints[2].type = JointType::kCylindrical;
  for (model::BodySpec& body : other.bodies) body.name += "2";
  for (model::JointSpec& joint : other.joints) {
    joint.name += "2";
    joint.a += joint.a == "ground" ? "" : "2";
    joint.b += "2";
  }
  spec.bodies.insert(spec.bodies.end(), other.bodies.begin(), other.bodies.end());
  spec.joints.insert(spec.joints.end(), other.joints.begin(), other.joints.end());
  const System system = system_of(spec);
  const std::vector<double> q = assemble(system).q;
  const Flags flags = found_flags(system, q);
  EXPECT_EQ(unclear_joints(flags), (std::vector{kA, kB, kC, kD}));
  EXPECT_EQ(flags, Maximal(system, q).flags());
}

TEST(UniqueReactions, AnOpenChainIsSureOfAll) {
  model::ModelSpec spec = FourBar{}.spec();
  spec.joints.pop_back();
  const System system = system_of(spec);
  EXPECT_EQ(found_flags(system, system.drawn()), Flags(18, 1));
}

// Two motors that move the same crank and rocker press against each other in the plane, too.
TEST(UniqueReactions, TwoMotorsOnOneFreedomPressAgainstEachOther) {
  for (int cut = 0; cut < 4; ++cut) {
    model::ModelSpec spec = FourBar{}.spec();
    for (const char* joint : {"A", "D"})
      spec.forces.push_back({"", model::MotionSpec{joint, true, model::constant_expression(0)}, {}});
    const System system = system_of(spec, {cut});
    const std::vector<double> q = assemble(system).q;
    const Flags flags = found_flags(system, q);
    EXPECT_EQ(flags, Maximal(system, q).flags()) << cut;
    expect_joint(flags, 0, {0, 0, 0, 0, 0, 0});
    expect_joint(flags, 1, {0, 0, 0, 0, 0, 1});
  }
}

// A frame of three bodies welded in a ring, with a hinge that cannot turn between two of them, on a stalk: the ring may
// hold any wrench against itself, the stalk none. The hinge passes on all but a couple about its axis.
TEST(UniqueReactions, KnowsRingsOfFixedJoints) {
  model::ModelSpec spec;
  for (const char* name : {"stalk", "p", "q", "r"}) spec.bodies.push_back(make_body(name, 1, {0, 0, 0}, {1, 1, 1}));
  const auto at = [](double x) { return Pose{{x, 0.3, 0}, Eigen::Quaterniond::Identity()}; };
  spec.joints = {make_joint("base", JointType::kRevolute, "ground", "stalk"),
                 make_joint("neck", JointType::kFixed, "stalk", "p", at(1)),
                 make_joint("pq", JointType::kFixed, "p", "q", at(2)),
                 make_joint("qr", JointType::kFixed, "r", "q", at(3)),
                 make_joint("rp", JointType::kFixed, "r", "p", at(4)),
                 make_joint("stuck", JointType::kRevolute, "q", "p", at(5))};
  const System system = planned_system(spec);
  const Flags flags = found_flags(system, system.drawn());
  EXPECT_EQ(flags, Maximal(system, system.drawn()).flags());
  for (const std::size_t joint : {2, 3, 4}) expect_joint(flags, joint, {0, 0, 0, 0, 0, 0});
  expect_joint(flags, 5, {0, 0, 0, 0, 0, 1});
  EXPECT_EQ(unclear_joints(flags).size(), 4U);
}

TEST(UniqueReactions, AgreeWithTheNullSpaceOfAllBodiesOnEveryTree) {
  int unclear = 0, clear = 0;
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Flags expected;
    for (std::uint32_t key = 0; key < 4; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      q = assemble(system, q).q;
      if (expected.empty()) expected = Maximal(system, q).flags();
      EXPECT_EQ(found_flags(system, q), expected) << "tree " << key;
    }
    unclear += static_cast<int>(std::count(expected.begin(), expected.end(), 0));
    clear += static_cast<int>(std::count(expected.begin(), expected.end(), 1));
  }
  EXPECT_GT(unclear, 100);
  EXPECT_GT(clear, 100);
}

// What is marked as unique does not depend on the tree, though the choice of equations does; what is not, does.
TEST(UniqueReactions, UniqueForcesOfAFourBarAreTheSameOnEveryTree) {
  FourBar bar;
  const Eigen::Vector2d c = bar.closed_c(1);
  bar.at_coupler = std::atan2(c.y() - bar.crank * std::sin(bar.at_crank), c.x() - bar.crank * std::cos(bar.at_crank));
  bar.at_rocker = std::atan2(c.y(), c.x() - bar.ground);
  std::vector<double> first;
  double largest_difference = 0;
  for (int cut = 0; cut < 4; ++cut) {
    System pushed = system_of(bar.spec(), {cut});
    pushed->gravity = {1, -9, 3};
    std::vector<double> reaction;
    Flags unique;
    const RunStatus status = simulate(pushed, start_run(pushed, drawn_state(pushed)),
                                      [&](const model::Frame& frame) {
                                        reaction.assign(frame.reaction.begin(), frame.reaction.end());
                                        unique.assign(frame.reaction_unique.begin(), frame.reaction_unique.end());
                                        return false;
                                      },
                                      {});
    EXPECT_EQ(status.unclear_reactions.size(), 4U);
    ASSERT_EQ(unique.size(), 24U);
    if (first.empty()) first = reaction;
    // z of all frames is that of the world; x and y are unique or not together.
    for (std::size_t k = 0; k < 24; ++k) {
      const double difference = std::abs(reaction[k] - first[k]);
      if (unique[k] == 1) {
        EXPECT_LT(difference, 1e-9) << cut << " " << k;
      } else {
        largest_difference = std::max(largest_difference, difference);
      }
    }
  }
  EXPECT_GT(largest_difference, 1);
}

}  // namespace
}  // namespace espalier::dynamics
