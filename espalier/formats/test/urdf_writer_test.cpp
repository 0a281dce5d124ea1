#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointType;
using model::Model;
using model::ModelSpec;

std::string list(const std::vector<model::Difference>& differences) {
  std::string text;
  for (const model::Difference& d : differences) {
    text += fmt::format("{} {} {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return text;
}

struct RoundTrip {
  std::string text;
  std::vector<std::string> notes;
  std::string differences;  // empty where nothing was lost
};

RoundTrip round_trip(const ModelSpec& spec) {
  const Result<Model> before = model::compile(spec);
  if (!before) return {"", {}, to_string(before.error())};
  const Result<WrittenModel> written = write_model(spec, Format::kUrdf);
  if (!written) return {"", {}, to_string(written.error())};
  const Result<ModelSpec> read = read_model_text(written->text, "written.urdf");
  if (!read) return {written->text, written->notes, to_string(read.error())};
  const Result<Model> after = model::compile(*read);
  if (!after) return {written->text, written->notes, to_string(after.error())};
  return {written->text, written->notes, list(model::find_differences(*before, *after))};
}

void expect_kept(const ModelSpec& spec) {
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
}

bool has_note(const RoundTrip& trip, const std::string& part) {
  for (const std::string& note : trip.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

math::Pose pose(const Vector3d& position, const Vector3d& turn) { return {position, math::rotation_exp(turn)}; }

model::BodySpec brick(const std::string& name, const math::Pose& X_WB) {
  model::BodySpec body;
  body.name = name;
  body.mass = 2;
  body.com = Vector3d(0.1, -0.2, 0.3);
  const Eigen::Matrix3d R = math::rotation_exp({0.3, 0.2, 0.1}).toRotationMatrix();
  body.inertia = R * math::box_inertia(2, {1, 2, 3}).about_com * R.transpose();
  body.pose = X_WB;
  return body;
}

// A joint whose frames stand so that it is at position q in the drawn pose.
model::JointSpec joint_at(const std::string& name, JointType type, const model::BodySpec& a, const model::BodySpec& b,
                          const math::Pose& X_WF, std::vector<double> q, double pitch = 0) {
  model::JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a.name;
  joint.b = b.name;
  joint.pitch = pitch;
  joint.in_a = math::relative_pose(a.pose, X_WF);
  joint.in_b = math::relative_pose(b.pose, X_WF * model::joint_pose(type, pitch, q));
  return joint;
}

model::BodySpec ground() {
  model::BodySpec body;
  body.name = model::kGround;
  return body;
}

std::vector<double> some_position(JointType type) {
  switch (type) {
    case JointType::kSpherical:
      return {std::cos(0.2), std::sin(0.2), 0, 0};
    case JointType::kFree:
      return {0.1, 0.2, 0.3, std::cos(0.2), 0, std::sin(0.2), 0};
    default: {
      std::vector<double> q;
      for (int k = 0; k < model::joint_kind(type).freedom; ++k) q.push_back(0.4 - 0.3 * k);
      return q;
    }
  }
}

// ground - one - two with every joint type, drawn away from zero, along the tree and against it.
TEST(UrdfWriter, KeepsAllNineJointsInBothDirections) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool reversed : {false, true}) {
      ModelSpec spec;
      spec.name = "nine";
      spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
      const model::BodySpec& a = spec.bodies[reversed ? 1 : 0];
      const model::BodySpec& b = spec.bodies[reversed ? 0 : 1];
      const double pitch = kind.type == JointType::kScrew ? 0.05 : 0;
      spec.joints = {
          joint_at("base", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {0.3}),
          joint_at("j", kind.type, a, b, pose({0, 1, 1}, {-0.4, 0.8, 1.5}), some_position(kind.type), pitch)};
      if (kind.position_size == kind.freedom) {
        for (int k = 0; k < kind.freedom; ++k) spec.joints[1].limits.push_back({-1.0 - k, 2.0 + k});
      }
      for (int k = 0; k < kind.freedom; ++k) spec.joints[1].damping.push_back(k + 1);
      SCOPED_TRACE(fmt::format("{} {}", kind.name, reversed ? "reversed" : "forward"));
      expect_kept(spec);
    }
  }
}

// The text without our own <espalier> elements, as any other reader takes it.
std::string plain_text(std::string text) {
  for (std::size_t at = text.find("<espalier"); at != std::string::npos; at = text.find("<espalier", at)) {
    text.erase(at, text.find("/>", at) + 2 - at);
  }
  return text;
}

// How the body that is held by b's side is displaced in the world when the joint goes from `from` to `to`.
math::Pose displacement(const Model& model, const model::Joint& joint, const std::vector<double>& from,
                        const std::vector<double>& to, bool moves_a) {
  const auto X_AB = [&](const std::vector<double>& q) {
    return joint.X_AF * model::joint_pose(joint.type, joint.pitch, q) * joint.X_BM.inverse();
  };
  const math::Pose& held = model.body(moves_a ? joint.b : joint.a).X_WB;
  const math::Pose before = moves_a ? X_AB(from).inverse() : X_AB(from);
  const math::Pose after = moves_a ? X_AB(to).inverse() : X_AB(to);
  return held * after * before.inverse() * held.inverse();
}

// The plain file's joint moves its child as the model's joint does, coordinate for coordinate: q in the model is
// q - zero in the file, for a universal joint that had to be turned around with its two angles swapped.
TEST(UrdfWriter, MeansTheSameMotionToOtherReaders) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool reversed : {false, true}) {
      if (kind.position_size != kind.freedom || kind.freedom == 0) continue;
      if (reversed && kind.type == JointType::kPlanar) continue;
      SCOPED_TRACE(fmt::format("{} {}", kind.name, reversed ? "reversed" : "forward"));
      ModelSpec spec;
      spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
      const std::vector<double> zero = some_position(kind.type);
      spec.joints = {joint_at("base", JointType::kFixed, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {}),
                     joint_at("j", kind.type, spec.bodies[reversed ? 1 : 0], spec.bodies[reversed ? 0 : 1],
                              pose({0, 1, 1}, {-0.4, 0.8, 1.5}), zero, kind.type == JointType::kScrew ? 0.05 : 0)};
      const Result<Model> before = model::compile(spec);
      const Result<ModelSpec> read = read_model_text(plain_text(write_model(spec, Format::kUrdf)->text), "plain.urdf");
      ASSERT_TRUE(before && read);
      const Result<Model> after = model::compile(*read);
      ASSERT_TRUE(after);
      std::vector<double> q, q_file;
      for (int k = 0; k < kind.freedom; ++k) {
        q.push_back(1.1 + 0.2 * k);
        q_file.push_back(q.back() - zero[to_index(k)]);
      }
      if (reversed && kind.type == JointType::kUniversal) std::swap(q_file[0], q_file[1]);
      const math::Pose wanted = displacement(*before, before->joints[1], zero, q, reversed);
      const math::Pose found =
          displacement(*after, after->joints[1], std::vector<double>(q.size(), 0.0), q_file, false);
      EXPECT_LT(math::gap_between(wanted, found).angle, 1e-13);
      EXPECT_LT(math::gap_between(wanted, found).distance, 1e-13);
    }
  }
}

// A ring of three bodies on the ground, closed by every joint type.
TEST(UrdfWriter, KeepsAllNineJointsAsLoops) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    ModelSpec spec;
    spec.name = "ring";
    spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
    const double pitch = kind.type == JointType::kScrew ? 0.05 : 0;
    spec.joints = {
        joint_at("j1", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {0.3}),
        joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({0, 0, 1}, {0, 1, 0}), {0}),
        joint_at("loop", kind.type, spec.bodies[1], ground(), pose({0, 1, 1}, {-0.4, 0.8, 1.5}),
                 some_position(kind.type), pitch)};
    spec.joints[2].closure = true;
    SCOPED_TRACE(kind.name);
    const RoundTrip trip = round_trip(spec);
    EXPECT_EQ(trip.differences, "") << trip.text;
    EXPECT_NE(trip.text.find("<loop name=\"loop\""), std::string::npos);
    EXPECT_TRUE(has_note(trip, "<loop> closes loops"));
  }
}

// An open loop stays as open as it was drawn: the joint that does not close becomes the <loop>.
TEST(UrdfWriter, KeepsALoopOpenThatIsDrawnOpen) {
  ModelSpec spec;
  spec.name = "open";
  spec.bodies = {brick("one", {}), brick("two", pose({1, 0, 0}, {0, 0, 0.5}))};
  spec.joints = {joint_at("j1", JointType::kRevolute, ground(), spec.bodies[0], {}, {0}),
                 joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({1, 0, 0}, {0, 0, 0}), {0}),
                 joint_at("j3", JointType::kRevolute, spec.bodies[1], ground(), pose({2, 0, 0}, {0, 0, 0}), {0})};
  spec.joints[1].in_a.position.x() += 0.01;
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_NE(trip.text.find("<loop name=\"j2\""), std::string::npos);
}

TEST(UrdfWriter, MakesTheDrawnPoseTheFilesZero) {
  ModelSpec spec;
  spec.name = "shift";
  spec.bodies = {brick("arm", pose({0, 0, 1}, {0, 0, 0}))};
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 0, 1}, {0, 0, 0}), {0.25})};
  spec.joints[0].limits = {{-0.5, 0.75}};
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_NE(trip.text.find("lower=\"-0.75\" upper=\"0.5\""), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "not at zero in the drawn pose"));
  // A reader that knows nothing of ours finds the body where it was drawn.
  const Result<ModelSpec> read = read_model_text(plain_text(trip.text), "plain.urdf");
  ASSERT_TRUE(read) << to_string(read.error());
  const Result<Model> compiled = model::compile(*read);
  ASSERT_TRUE(compiled);
  EXPECT_NEAR(compiled->joints[0].position[0], 0, 1e-15);
  const model::Body& arm = compiled->bodies[1];
  EXPECT_LT((arm.X_WB * arm.inertia.com - Vector3d(0.1, -0.2, 1.3)).norm(), 1e-15);
}

TEST(UrdfWriter, KeepsDrivesSpringsAndFriction) {
  ModelSpec spec;
  spec.name = "dressed";
  spec.bodies = {brick("one", {}), brick("two", pose({1, 0, 0}, {0, 0, 0}))};
  spec.joints = {joint_at("j1", JointType::kPrismatic, ground(), spec.bodies[0], {}, {0.1}),
                 joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({1, 0, 0}, {0, 0, 0}), {0})};
  model::JointSpec& j = spec.joints[0];
  j.stiffness = {100};
  j.rest = {0.05};
  j.damping = {3};
  j.friction = {4};
  j.armature = {5};
  j.velocity = {6};
  j.effort_limit = 7;
  j.velocity_limit = 8;
  j.actuated = j.reaction_wanted = true;
  expect_kept(spec);
}

ModelSpec slider() {
  ModelSpec spec;
  spec.name = "slider";
  spec.bodies = {brick("one", {})};
  spec.joints = {joint_at("j", JointType::kPrismatic, ground(), spec.bodies[0], {}, {0.5})};
  return spec;
}

// urdfdom refuses a prismatic joint without <limit>, and a <limit> without effort and velocity.
TEST(UrdfWriter, WritesWholeLimitsAndReadsBackNone) {
  const RoundTrip trip = round_trip(slider());
  EXPECT_EQ(trip.differences, "") << trip.text;
  const char* limit = R"(<limit lower="-1000000000" upper="1000000000" effort="1000000000" velocity="1000000000"/>)";
  EXPECT_NE(trip.text.find(limit), std::string::npos) << trip.text;
  EXPECT_NE(trip.text.find(R"(not_given="lower upper effort velocity"/>)"), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "limits that are not given are written as 1000000000"));
}

TEST(UrdfWriter, CompletesLimitsThatAreGivenInPart) {
  ModelSpec spec = slider();
  spec.joints[0].limits = {{0, 2}};
  spec.joints[0].velocity_limit = 3;
  const RoundTrip slides = round_trip(spec);
  EXPECT_EQ(slides.differences, "") << slides.text;
  EXPECT_NE(slides.text.find(R"(<limit lower="-0.5" upper="1.5" velocity="3" effort="1000000000"/>)"),
            std::string::npos)
      << slides.text;
  EXPECT_NE(slides.text.find(R"(not_given="effort"/>)"), std::string::npos) << slides.text;
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0.5})};
  spec.joints[0].velocity_limit = 3;
  const RoundTrip turns = round_trip(spec);
  EXPECT_EQ(turns.differences, "") << turns.text;
  EXPECT_NE(turns.text.find(R"(type="continuous")"), std::string::npos) << turns.text;
  EXPECT_NE(turns.text.find(R"(<limit velocity="3" effort="1000000000"/>)"), std::string::npos) << turns.text;
}

TEST(UrdfWriter, LeavesAnUnlimitedHingeWithoutLimit) {
  ModelSpec spec = slider();
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0.5})};
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_EQ(trip.text.find("<limit"), std::string::npos);
}

TEST(UrdfWriter, AStandInThatWasChangedByHandCounts) {
  std::string text = round_trip(slider()).text;
  const std::string effort = "effort=\"1000000000\"";
  text.replace(text.find(effort), effort.size(), "effort=\"12\"");
  const Result<ModelSpec> read = read_model_text(text, "edited.urdf");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->joints[0].effort_limit, 12);
  EXPECT_FALSE(read->joints[0].velocity_limit);
  EXPECT_TRUE(read->joints[0].limits.empty());
}

TEST(UrdfWriter, TransmissionsAreWhatRosAsksFor) {
  ModelSpec spec = slider();
  spec.joints[0].actuated = true;
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  for (const char* part : {"<type>transmission_interface/SimpleTransmission</type>",
                           "<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>",
                           "<mechanicalReduction>1</mechanicalReduction>"}) {
    EXPECT_NE(trip.text.find(part), std::string::npos) << trip.text;
  }
}

TEST(UrdfWriter, KeepsShapes) {
  ModelSpec spec;
  spec.name = "shapes";
  spec.bodies = {brick("one", pose({1, 0, 0}, {0, 0.4, 0}))};
  for (const model::ShapeKind kind :
       {model::ShapeKind::kSphere, model::ShapeKind::kBox, model::ShapeKind::kCapsule, model::ShapeKind::kCylinder,
        model::ShapeKind::kEllipsoid, model::ShapeKind::kMesh}) {
    for (const model::ShapeRole role :
         {model::ShapeRole::kBoth, model::ShapeRole::kCollision, model::ShapeRole::kVisual}) {
      model::ShapeSpec shape;
      shape.kind = kind;
      shape.role = role;
      shape.size = kind == model::ShapeKind::kMesh                                          ? Vector3d(0, 0, 0)
                   : kind == model::ShapeKind::kSphere                                      ? Vector3d(0.3, 0, 0)
                   : kind == model::ShapeKind::kBox || kind == model::ShapeKind::kEllipsoid ? Vector3d(0.1, 0.2, 0.3)
                                                                                            : Vector3d(0.1, 0.2, 0);
      if (kind == model::ShapeKind::kMesh) shape.file = "a & b <\"c\">.stl", shape.scale = {1, 2, 3};
      shape.name = fmt::format("{} {}", model::word(kind), model::word(role));
      shape.pose = pose({0.1, 0.2, 0.3}, {0.4, 0.5, 0.6});
      spec.bodies[0].shapes.push_back(shape);
    }
  }
  expect_kept(spec);
}

// Two hinges, the second follows the first; and what <mimic> cannot say.
TEST(UrdfWriter, KeepsCouplings) {
  ModelSpec spec;
  spec.name = "gears";
  for (const char* name : {"one", "two", "three"}) {
    spec.bodies.push_back(brick(name, pose({1, 0, 0}, {0, 0, 0})));
    spec.joints.push_back(joint_at(fmt::format("j_{}", name), JointType::kRevolute, ground(), spec.bodies.back(), {},
                                   {0.1 * static_cast<double>(spec.bodies.size())}));
  }
  spec.couplings = {{"pair", {"j_two", "j_one"}, {2, -3}, 0.5, {}, {}},
                    {"trio", {"j_one", "j_two", "j_three"}, {1, 2, 3}, 0.25, {}, {}},
                    {"curve", {"j_three", "j_one"}, {}, 0, {0.1, 0.2, 0.3, 0.4}, {}}};
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_NE(trip.text.find("<mimic joint=\"j_one\" multiplier=\"1.5\""), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "<coupling> that <mimic> cannot say"));
}

TEST(UrdfWriter, NotesWhatOtherReadersRefuse) {
  ModelSpec spec;
  spec.name = "strange";
  spec.bodies = {brick("one", {})};
  spec.joints = {joint_at("j", JointType::kSpherical, ground(), spec.bodies[0], {}, {1, 0, 0, 0})};
  EXPECT_TRUE(has_note(round_trip(spec), "other readers of URDF refuse the joint type spherical (joint 'j')"));
}

TEST(UrdfWriter, EscapesNames) {
  ModelSpec spec;
  spec.name = "<a & \"b\">";
  spec.bodies = {brick("l'un & <l'autre>", {}), brick("\"2\"", pose({1, 0, 0}, {0, 0, 0}))};
  spec.joints = {joint_at("a<b>&\"c\"", JointType::kRevolute, spec.bodies[0], spec.bodies[1], {}, {0})};
  expect_kept(spec);
}

// A floating piece comes back where it was drawn, though URDF's root stands at the origin.
TEST(UrdfWriter, KeepsTheDrawnPoseOfAFloatingRoot) {
  ModelSpec spec;
  spec.name = "float";
  spec.bodies = {brick("one", pose({5, 6, 7}, {0.1, 0.2, 0.3})), brick("two", pose({5, 6, 8}, {0, 0, 0}))};
  spec.joints = {
      joint_at("j", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({5, 6, 7.5}, {0, 1, 0}), {0})};
  expect_kept(spec);
}

TEST(UrdfWriter, HoldsLooseBodiesByJointsToTheWorld) {
  ModelSpec spec;
  spec.name = "loose";
  spec.bodies = {brick("one", pose({5, 6, 7}, {0, 0, 0})), brick("two", pose({1, 2, 3}, {0, 0, 0}))};
  spec.contact.emplace();
  const RoundTrip trip = round_trip(spec);
  EXPECT_NE(trip.differences.find("joint one_floats"), std::string::npos) << trip.differences;
  EXPECT_TRUE(has_note(trip, "no joint holds"));
}

TEST(UrdfWriter, RenamesABodyThatWouldBeTakenForTheWorld) {
  ModelSpec spec;
  spec.name = "world";
  spec.bodies = {brick("world", {})};
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0})};
  const RoundTrip trip = round_trip(spec);
  EXPECT_NE(trip.text.find("<link name=\"world_link\">"), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "means the ground"));
}

class UrdfRoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(UrdfRoundTrip, ChangesNothingInARealFile) {
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "../shared/data/models" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the collection of real models is not beside this checkout";
  for (const Base base : {Base::kFloating, Base::kFixed}) {
    const Result<ModelSpec> spec = read_model(path, {.base = base});
    ASSERT_TRUE(spec) << to_string(spec.error());
    EXPECT_EQ(round_trip(*spec).differences, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Collection, UrdfRoundTrip,
                         testing::Values("gepetto/kangaroo_like_2legs/robot.urdf", "gepetto/robot_delta/robot.urdf",
                                         "gepetto/5bar_linkage/robot.urdf", "grbda/four_bar.urdf", "grbda/six_bar.urdf",
                                         "grbda/planar_leg_linkage.urdf", "grbda/pc_d40_l40.urdf"));

double some_number(double size) { return size * (*rc::gen::inRange(-1000, 1001)) / 1000.0; }
Vector3d some_vector(double size) { return {some_number(size), some_number(size), some_number(size)}; }

model::BodySpec some_body(const std::string& name) {
  model::BodySpec body = brick(name, pose(some_vector(10), some_vector(1.7)));
  body.mass = std::abs(some_number(10)) + 0.1;
  body.com = some_vector(1);
  const Eigen::Matrix3d R = math::rotation_exp(some_vector(1.5)).toRotationMatrix();
  body.inertia =
      R * math::box_inertia(*body.mass, some_vector(1).cwiseAbs() + Vector3d::Constant(0.1)).about_com * R.transpose();
  return body;
}

model::JointSpec some_joint(const std::string& name, const model::BodySpec& a, const model::BodySpec& b) {
  const auto& kind = model::joint_kinds()[*rc::gen::inRange<std::size_t>(0, model::joint_kinds().size())];
  std::vector<double> q;
  for (int k = 0; k < kind.freedom; ++k) q.push_back(some_number(3));
  if (kind.position_size != kind.freedom) {
    const Eigen::Quaterniond turn = math::rotation_exp(some_vector(1.5));
    q.resize(to_index(kind.freedom - 3));
    q.insert(q.end(), {turn.w(), turn.x(), turn.y(), turn.z()});
  }
  const double pitch = kind.type == JointType::kScrew ? 0.01 + std::abs(some_number(0.1)) : 0;
  const bool swapped = *rc::gen::arbitrary<bool>();
  const math::Pose X_WF = pose(some_vector(10), some_vector(1.7));
  model::JointSpec joint = joint_at(name, kind.type, swapped ? b : a, swapped ? a : b, X_WF, q, pitch);
  if (kind.position_size == kind.freedom) {
    for (int k = 0; k < kind.freedom; ++k) joint.limits.push_back({-4 + some_number(1), 4 + some_number(1)});
  }
  return joint;
}

RC_GTEST_PROP(UrdfWriter, KeepsRandomMechanisms, ()) {
  ModelSpec spec;
  spec.name = "random";
  const int bodies = *rc::gen::inRange(1, 8);
  const bool floats = *rc::gen::arbitrary<bool>();
  for (int b = 0; b < bodies; ++b) {
    const model::BodySpec body = some_body(fmt::format("b{}", b));
    if (b > 0 || !floats) {
      const int parent = *rc::gen::inRange(floats ? 0 : -1, b);
      spec.joints.push_back(some_joint(fmt::format("j{}", b), parent < 0 ? ground() : spec.bodies[parent], body));
    }
    spec.bodies.push_back(body);
  }
  const int loops = bodies < 2 ? 0 : *rc::gen::inRange(0, 4);
  for (int l = 0; l < loops; ++l) {
    const int a = *rc::gen::inRange(1, bodies);
    const int b = *rc::gen::inRange(0, a);
    spec.joints.push_back(some_joint(fmt::format("l{}", l), spec.bodies[a], spec.bodies[b]));
  }
  const RoundTrip trip = round_trip(spec);
  if (!trip.differences.empty()) RC_FAIL(trip.differences + trip.text);
}

}  // namespace
}  // namespace espalier::formats
