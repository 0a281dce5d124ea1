#include "espalier/dynamics/redundancy.hpp"

#include <array>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::ConstraintRows;
using detail::update_jacobian;
using detail::update_residual;
using model::JointType;

// Column-pivoted QR of the same equations.
int dense_rank(const System& system, const std::vector<double>& q) {
  if (system.rows() == 0) return 0;
  ConstraintRows rows(system);
  update_residual(system, 0, q, rows);
  update_jacobian(system, rows);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Eigen::MatrixXd(rows.G).transpose());
  qr.setThreshold(1e-7);
  return static_cast<int>(qr.rank());
}

TEST(AnalyseConstraints, AgreesWithCartesianRanksOnEveryTree) {
  for (const std::filesystem::path& file : reference_files()) {
    const ReferenceModel reference = read_reference(file);
    SCOPED_TRACE(reference.name);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    // Counted with all equations as if independent, and truly.
    const nlohmann::json& freedom = reference.data["statistics"];
    const int redundant = freedom["actual_dof"].get<int>() - freedom["gruebler_dof"].get<int>();
    if (reference.data.contains("rank_info")) {
      EXPECT_EQ(reference.data["rank_info"]["redundant_rows"].get<int>(), redundant);
    }
    for (std::uint32_t key = 0; key < 6; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      q = assemble(system, q).q;
      const ConstraintReport report = analyse_constraints(system, 0, q);
      ASSERT_TRUE(report.complete);
      EXPECT_EQ(report.rank_here, dense_rank(system, q)) << "tree " << key;
      EXPECT_EQ(report.rows - report.rank_here, redundant) << "tree " << key;
      EXPECT_EQ(report.freedom, freedom["actual_dof"].get<int>()) << "tree " << key;
      EXPECT_EQ(static_cast<int>(report.redundant.size()), report.rows - report.rank);
      EXPECT_LE(report.remedied, report.rows - report.rank);
    }
  }
}

// In the plane nothing moves along z or tilts, and the last pin says so again.
TEST(AnalyseConstraints, NamesWhatAPlanarLoopRepeats) {
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(FourBar{}.spec(), {cut});
    const ConstraintReport report = analyse_constraints(system, 0, assemble(system).q);
    EXPECT_EQ(report.freedom, 1);
    ASSERT_EQ(report.redundant.size(), 3U);
    constexpr std::array kExpected = {model::Direction::kZ, model::Direction::kAboutX, model::Direction::kAboutY};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(report.redundant[k].joint, model::JointId(cut));
      EXPECT_EQ(report.redundant[k].direction, kExpected[k]);
    }
    EXPECT_LT(report.largest_dropped, 1e-12);
    EXPECT_GT(report.smallest_kept, 1e-2);
  }
}

// One pin on a ball, one that slides: the classic way to build a four-bar that no tolerance can jam.
TEST(AnalyseConstraints, FreesAPlanarLoopByABallAndASlide) {
  const System system = system_of(FourBar{}.spec(), {2});
  const ConstraintReport report = analyse_constraints(system, 0, assemble(system).q);
  ASSERT_EQ(report.remedies.size(), 2U);
  EXPECT_EQ(report.remedied, 3);
  EXPECT_EQ(report.remedies[0].joint, kC);
  EXPECT_EQ(report.remedies[0].type, JointType::kSpherical);
  EXPECT_EQ(report.remedies[0].removes, 2);
  EXPECT_EQ(report.remedies[1].type, JointType::kCylindrical);
  EXPECT_NE(report.remedies[1].joint, kC);
}

// The changes are made in the model itself, and its rank computed on another tree by a dense method.
TEST(AnalyseConstraints, RemediesHoldInTheModelItself) {
  for (const std::filesystem::path& file : reference_files()) {
    ReferenceModel reference = read_reference(file);
    SCOPED_TRACE(reference.name);
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    const System system = make_system(*model, mechanism, random_plan(network, 0));
    std::vector<double> q, v;
    gather_state(system, reference.state, q, v);
    const ConstraintReport report = analyse_constraints(system, 0, q);
    if (report.remedies.empty()) continue;
    bool turned = false;
    for (const Remedy& remedy : report.remedies) {
      model::JointSpec& joint = reference.spec.joints[remedy.joint.index()];
      turned = turned || remedy.axis != 0;
      joint.type = remedy.type;
      joint.velocity.clear();
    }
    if (turned) continue;
    const System changed = system_of(reference.spec);
    const int rank = dense_rank(changed, changed.drawn());
    EXPECT_EQ(changed.rows() - rank, static_cast<int>(report.redundant.size()) - report.remedied);
    EXPECT_EQ(changed.velocity_size() - rank, report.freedom);
  }
}

// All links of a parallelogram in line: it may go on as one or fold into its mirror image.
TEST(AnalyseConstraints, FindsTheSingularPose) {
  FourBar bar;
  bar.crank = bar.rocker = 1;
  bar.coupler = bar.ground = 2;
  bar.at_crank = bar.at_coupler = bar.at_rocker = 0;
  const System flat = system_of(bar.spec(), {2});
  const ConstraintReport singular = analyse_constraints(flat, 0, flat.drawn());
  EXPECT_EQ(singular.rank_here, 1);
  EXPECT_EQ(singular.rank, 2);
  EXPECT_EQ(singular.freedom, 1);
  EXPECT_EQ(singular.redundant.size(), 3U);
  bar.at_crank = bar.at_rocker = 1;
  const System open = system_of(bar.spec(), {2});
  const ConstraintReport regular = analyse_constraints(open, 0, open.drawn());
  EXPECT_EQ(regular.rank_here, regular.rank);
  EXPECT_EQ(regular.freedom, 1);
}

model::ForceSpec motion_of(const char* joint) {
  model::MotionSpec motion;
  motion.joint = joint;
  motion.is_velocity = true;
  motion.value = model::constant_expression(1);
  model::ForceSpec force;
  force.name = joint;
  force.law = motion;
  return force;
}

// A four-bar has one freedom: the first motion takes it, the second has nothing left to move.
TEST(AnalyseConstraints, NamesTheMotionThatIsTooMany) {
  model::ModelSpec spec = FourBar{}.spec();
  spec.forces = {motion_of("A"), motion_of("D")};
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(spec, {cut});
    const ConstraintReport report = analyse_constraints(system, 0, assemble(system).q);
    EXPECT_EQ(report.freedom, 1);
    EXPECT_EQ(report.driven, 1);
    EXPECT_EQ(report.rows, 5);
    ASSERT_EQ(report.redundant.size(), 4U);
    EXPECT_EQ(report.redundant[3].drive, 1);
    EXPECT_EQ(report.redundant[3].joint, kD);
  }
}

// Geared together, crank and rocker lock.
TEST(AnalyseConstraints, CouplingsTakeFreedoms) {
  model::ModelSpec spec = FourBar{}.spec();
  const System free = system_of(spec, {2});
  const std::vector<double> closed = assemble(free).q;
  model::CouplingSpec coupling;
  coupling.name = "gear";
  coupling.joints = {"A", "D"};
  coupling.ratio = {1, 2};
  coupling.offset = closed[0] + 2 * closed[2];
  spec.couplings = {coupling};
  const System geared = system_of(spec, {2});
  const Assembly assembly = assemble(geared, closed);
  EXPECT_EQ(assembly.outcome, Assembly::Outcome::kClosed);
  const ConstraintReport report = analyse_constraints(geared, 0, assembly.q);
  EXPECT_EQ(report.freedom, 0);
  EXPECT_EQ(report.rows, 6);
  EXPECT_EQ(report.redundant.size(), 3U);
}

TEST(AnalyseConstraints, CountsTheStrandbeest) {
  const System system = system_of(*model::generate_strandbeest(6));
  const ConstraintReport report = analyse_constraints(system, 0, assemble(system).q);
  EXPECT_EQ(report.freedom, 1);
  EXPECT_EQ(report.redundant.size(), 108U);
  EXPECT_EQ(report.remedied, 108);
}

TEST(AnalyseConstraints, LongLaddersStayLocal) {
  RedundancyOptions options;
  options.most_entries = 100'000;  // 20 an equation
  const System planar = system_of(*model::generate_ladder(500));
  const ConstraintReport first = analyse_constraints(planar, 0, planar.drawn(), options);
  ASSERT_TRUE(first.complete);
  EXPECT_EQ(first.freedom, 1);
  EXPECT_EQ(first.redundant.size(), 1500U);
  EXPECT_EQ(first.remedied, 1500);
  const System spatial = system_of(*model::generate_ladder(500, model::LadderKind::kSpatial));
  const ConstraintReport second = analyse_constraints(spatial, 0, spatial.drawn(), options);
  ASSERT_TRUE(second.complete);
  EXPECT_EQ(second.freedom, 1);
  EXPECT_TRUE(second.redundant.empty());
}

TEST(AnalyseConstraints, SaysWhenItGivesUp) {
  RedundancyOptions options;
  options.most_entries = 10;
  const System system = system_of(*model::generate_ladder(20));
  EXPECT_FALSE(analyse_constraints(system, 0, system.drawn(), options).complete);
}

}  // namespace
}  // namespace espalier::dynamics
