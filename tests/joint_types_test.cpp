// Every joint type in every room: one body on one joint of each type. A type that a room, a format or a document forgot
// is found here; docs/extend.md says where it belongs.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "espalier/contact/contact.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/robotics.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/result_file.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier {
namespace {

using Eigen::Vector3d;
using model::JointKind;
using model::JointType;

// A lump that hangs askew beside its joint, so that every coordinate moves it.
model::ModelSpec one_joint(JointType type, const Vector3d& gravity) {
  model::ModelSpec spec;
  spec.name = "one joint";
  spec.gravity = gravity;
  model::BodySpec lump;
  lump.name = "lump";
  lump.mass = 2;
  lump.com = Vector3d(0.3, 0.1, -0.2);
  lump.inertia = Vector3d(0.4, 0.5, 0.6).asDiagonal();
  spec.bodies.push_back(lump);
  model::JointSpec joint;
  joint.name = "pin";
  joint.type = type;
  joint.a = model::kGround;
  joint.b = "lump";
  joint.at = math::Pose{{0.1, 0.2, 0.3}, math::rotation_exp({0.3, -0.2, 0.5})};
  if (type == JointType::kScrew) joint.pitch = 0.4;
  spec.joints.push_back(joint);
  return spec;
}

model::Model compiled(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? *model : model::Model();
}

dynamics::System system_of(const model::Model& model) {
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  const Result<plan::Plan> plan = plan::make_plan(plan::make_network(model, mechanism, plan::Weights::kLiu));
  EXPECT_TRUE(plan);
  return dynamics::make_system(model, mechanism, *plan);
}

// Acceleration of the centre of mass, from rest.
Vector3d acceleration_on_tree(const model::Model& model) {
  const dynamics::System system = system_of(model);
  EXPECT_TRUE(dynamics::check_laws(system));
  dynamics::Workspace work(system);
  EXPECT_TRUE(dynamics::evaluate(system, 0, system.drawn(), system.drawn_rate(), work));
  dynamics::update_links(system, work);
  const dynamics::BodyPlace& body_place = system.body_places()[1];
  if (body_place.link == 0) return Vector3d::Zero();
  const auto link = static_cast<std::size_t>(body_place.link);
  const Vector3d centre = work.links().pose[link] * (body_place.X_LB * model.bodies[1].inertia.com);
  const math::SpatialVector& a = work.links().acceleration[link];
  return a.tail<3>() + a.head<3>().cross(centre);
}

// Velocity that contact gives the centre of mass in one step from rest.
Vector3d velocity_after_impulse(const model::Model& model, double step) {
  const Result<contact::Scene> scene = contact::make_scene(model);
  EXPECT_TRUE(scene) << (scene ? "" : to_string(scene.error()));
  if (!scene) return Vector3d::Zero();
  contact::SimulateOptions options;
  options.run.end_time = options.run.output_step = options.settings.step = step;
  options.settings.solve.tolerance = 1e-12;
  const comm::Comm comm = comm::Comm::serial();
  const contact::RunStatus run = contact::simulate(
      comm, *scene, contact::start_run(*scene), [](const auto&) { return true; }, options);
  EXPECT_EQ(run.steps, 1);
  EXPECT_EQ(run.unconverged, 0);
  return Vector3d(run.end.bodies[1].u.data());
}

std::string text_of(const std::string& file) {
  std::ifstream in(source_dir() + "/" + file);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class EveryJoint : public testing::TestWithParam<JointType> {
 protected:
  const JointKind& kind() const { return model::joint_kind(GetParam()); }
};

// By coordinates of a tree in one room, by rows at the centre of mass in the other.
TEST_P(EveryJoint, FallsOnATreeAsItDoesUnderImpulses) {
  const model::Model model = compiled(one_joint(GetParam(), {1, -2, -9}));
  constexpr double kStep = 1e-5;
  const Vector3d expected = acceleration_on_tree(model);
  EXPECT_LT((velocity_after_impulse(model, kStep) / kStep - expected).norm(), 1e-3);
  EXPECT_EQ(expected.norm() > 0.1, kind().freedom > 0);
}

// Springs on all coordinates: frequencies of transfer matrices against those of the mass matrix.
TEST_P(EveryJoint, SwingsAsItsMassMatrixSays) {
  if (kind().freedom == 0) return;
  constexpr double kStiffness = 50;
  model::ModelSpec spec = one_joint(GetParam(), Vector3d::Zero());
  spec.joints[0].stiffness.assign(static_cast<std::size_t>(kind().freedom), kStiffness);
  const model::Model model = compiled(spec);
  const dynamics::System system = system_of(model);
  const Eigen::MatrixXd mass = dynamics::mass_matrix(system, system.drawn());
  const Eigen::VectorXd inverse_squares =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass).eigenvalues() / kStiffness;
  const Result<modes::Structure> structure = modes::make_structure(model);
  ASSERT_TRUE(structure) << to_string(structure.error());
  modes::ModesOptions options;
  options.count = kind().freedom;
  const Result<modes::ModeSet> set =
      modes::find_modes(comm::Comm::serial(), *structure, *modes::plan_tree(*structure), options);
  ASSERT_TRUE(set) << to_string(set.error());
  std::vector<double> found;
  for (const modes::Mode& mode : set->modes)
    found.insert(found.end(), static_cast<std::size_t>(mode.multiplicity), mode.s.imag());
  ASSERT_EQ(static_cast<int>(found.size()), kind().freedom);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double expected = 1 / std::sqrt(inverse_squares[inverse_squares.size() - 1 - static_cast<Eigen::Index>(k)]);
    EXPECT_NEAR(found[k], expected, 1e-9 * expected);
  }
}

TEST_P(EveryJoint, HasAWeightToPlanBy) {
  const model::Model model = compiled(one_joint(GetParam(), {0, 0, -9.81}));
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  for (const plan::Weights weights : {plan::Weights::kLiu, plan::Weights::kWang, plan::Weights::kMeasured}) {
    const plan::Network network = plan::make_network(model, mechanism, weights);
    ASSERT_EQ(network.weight.size(), kind().freedom > 0 ? 1u : 0u);
    for (const double weight : network.weight) EXPECT_GT(weight, 0);
    for (const double length : network.length) EXPECT_GT(length, 0);
  }
}

TEST_P(EveryJoint, HasColumnsForItsNumbersInResults) {
  const record::ResultLayout layout = record::make_layout(system_of(compiled(one_joint(GetParam(), {0, 0, -9.81}))));
  EXPECT_EQ(static_cast<int>(layout.joint_position.size()), kind().position_size);
  EXPECT_EQ(static_cast<int>(layout.joint_velocity.size()), kind().freedom);
  EXPECT_EQ(layout.joint_types, std::vector<std::string>{std::string(kind().name)});
}

TEST_P(EveryJoint, ComesBackFromEveryFormat) {
  const model::ModelSpec spec = one_joint(GetParam(), {0, 0, -9.81});
  for (const formats::Format format : {formats::Format::kNative, formats::Format::kUrdf, formats::Format::kSdf,
                                       formats::Format::kMjcf, formats::Format::kUsd}) {
    SCOPED_TRACE(formats::format_name(format));
    const Result<formats::WrittenModel> written = formats::write_model(spec, format);
    ASSERT_TRUE(written) << to_string(written.error());
    const Result<model::ModelSpec> read = formats::read_model_text(written->text, "one_joint");
    ASSERT_TRUE(read) << to_string(read.error()) << '\n' << written->text;
    const model::Model model = compiled(*read);
    const auto pin = std::find_if(model.joints.begin(), model.joints.end(), [](const model::Joint& joint) {
      return joint.b.index() == 1 || joint.a.index() == 1;
    });
    ASSERT_NE(pin, model.joints.end()) << written->text;
    EXPECT_EQ(model::joint_kind(pin->type).name, kind().name) << written->text;
  }
}

TEST_P(EveryJoint, IsNamedInSchemaAndDocuments) {
  const std::string name(kind().name);
  EXPECT_NE(text_of("schema/espalier-model.schema.json").find(fmt::format("\"{}\"", name)), std::string::npos);
  EXPECT_NE(text_of("docs/notation.md")
                .find(fmt::format("| {} | {} | {} | {} |", name, kind().letter, kind().freedom, kind().constraint)),
            std::string::npos);
  EXPECT_NE(text_of("docs/theory/dynamics.md").find(fmt::format("| {} |", name)), std::string::npos);
  EXPECT_NE(text_of("docs/formats/native.md").find(fmt::format("`{}`", name)), std::string::npos);
}

std::vector<JointType> all_types() {
  std::vector<JointType> types;
  for (const JointKind& kind : model::joint_kinds()) types.push_back(kind.type);
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, EveryJoint, testing::ValuesIn(all_types()),
                         [](const auto& tested) { return std::string(model::joint_kind(tested.param).name); });

// The list of the schema has the types of the table and no others.
TEST(JointWords, AreThoseOfTheSchema) {
  std::string list;
  for (const JointKind& kind : model::joint_kinds())
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", kind.name);
  EXPECT_NE(text_of("schema/espalier-model.schema.json").find("\"enum\": [" + list + "]"), std::string::npos) << list;
}

}  // namespace
}  // namespace espalier
