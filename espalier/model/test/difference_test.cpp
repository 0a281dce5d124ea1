#include "espalier/model/notes.hpp"

#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/test/support.hpp"

namespace espalier::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

Expression formula(const char* text) { return *parse_expression(text); }

math::Pose pose(const Vector3d& position, const Vector3d& turn) { return {position, math::rotation_exp(turn)}; }

JointSpec joint(const std::string& name, JointType type, const std::string& a, const std::string& b,
                const math::Pose& in_a, const math::Pose& in_b) {
  JointSpec spec = model::joint(name, a, b, type);
  spec.in_a = in_a;
  spec.in_b = in_b;
  return spec;
}

void add_bodies(ModelSpec& spec) {
  BodySpec arm = body("arm", pose({0.3, -0.2, 0.7}, {0.4, 0.1, -0.6}));
  arm.velocity = VelocitySpec{{1, 2, 3}, {4, 5, 6}};
  arm.active = ActiveDirections{true, true, true, true, false, true};
  BodySpec cup = body("cup", pose({-0.5, 0.9, 0.1}, {-0.2, 0.8, 0.3}));
  cup.material = "steel";
  ShapeSpec box, hull, mesh;
  box.kind = ShapeKind::kBox;
  box.size = {1, 2, 3};
  box.name = "lid";
  box.pose = pose({0.1, 0, 0}, {0, 0.2, 0});
  hull.kind = ShapeKind::kHull;
  hull.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.kind = ShapeKind::kMesh;
  mesh.file = "cup.stl";
  cup.shapes = {box, hull, mesh};
  BodySpec boom;
  boom.name = "boom";
  boom.kind = BodyKind::kBeam;
  boom.material = "steel";
  boom.beam = BeamSpec();
  boom.beam->from = {0.5, 0, 0};
  boom.beam->to = {4, 1, 0};
  boom.beam->section.b = {0.04, 0.02};
  boom.beam->section.h = {0.05, 0.03};
  boom.beam->section.shear_factors = SectionSpec::Ends{0.8, 0.9};
  boom.beam->y_axis = Vector3d(0, 1, 0);
  boom.beam->viscous = 40;
  boom.beam->kelvin_voigt = 0.001;
  boom.beam->foundation = 3;
  boom.beam->segments = 50;
  BodySpec tube = boom, profile = boom;
  tube.name = "tube";
  tube.beam->section = SectionSpec();
  tube.beam->section.kind = SectionKind::kCircle;
  tube.beam->section.radius = {0.1, 0.08};
  tube.beam->section.inner_radius = {0.05, 0.04};
  profile.name = "profile";
  SectionSpec& section = profile.beam->section = SectionSpec();
  section.kind = SectionKind::kGeneral;
  section.area = {1e-3, 2e-3};
  section.Iy = section.Iz = section.J = {1e-6, 2e-6};
  section.polar = SectionSpec::Ends{3e-6, 4e-6};
  BodySpec wall = body("wall", pose({1, 1, 1}, {0, 0, 1}));
  wall.kind = BodyKind::kObstacle;
  wall.velocity = VelocitySpec{{1, 0, 0}, {0, 0, 2}};
  wall.shapes = {box};
  spec.bodies = {arm, cup, boom, tube, profile, body("leaf", pose({0, 0, 2}, {0.1, 0, 0})), wall};
}

// One joint of every type, none at zero; several hold the same two bodies, which is as good as any other model here.
void add_joints(ModelSpec& spec) {
  const math::Pose F = pose({0.1, 0.2, 0.3}, {0.3, 0.2, 0.1});
  for (const JointKind& kind : joint_kinds()) {
    const double pitch = kind.type == JointType::kScrew ? 0.1 : 0;
    std::vector<double> q(to_index(kind.position_size), 0.4);
    if (kind.type == JointType::kSpherical) q = {1, 0, 0, 0};
    if (kind.type == JointType::kFree) q = {0.1, 0.2, 0.3, 1, 0, 0, 0};
    // M in cup, so that the joint stands at q in the drawn pose.
    const math::Pose in_cup =
        math::relative_pose(spec.bodies[1].pose, spec.bodies[0].pose * F * joint_pose(kind.type, pitch, q));
    JointSpec j = joint(std::string(kind.name), kind.type, "arm", "cup", F, in_cup);
    j.pitch = pitch;
    spec.joints.push_back(j);
  }
  JointSpec& pin = spec.joints[0];
  pin.velocity = {0.1};
  pin.limits = {{-1, 1}};
  pin.stiffness = {2};
  pin.damping = {3};
  pin.rest = {0.2};
  pin.friction = {0.3};
  pin.armature = {0.01};
  pin.effort_limit = 10;
  pin.velocity_limit = 20;
  pin.actuated = pin.reaction_wanted = true;
  spec.joints[5].stiffness = {1, 2, 3};
  spec.joints[7].stiffness = {1, 2, 3, 4, 5, 6};
}

void add_forces(ModelSpec& spec) {
  SpringSpec spring{"arm", "cup", {0, 0, 0}, {1, 0, 0}, false, 8e5, 4e4, 0.5, 2};
  BushingSpec bushing{"arm", "cup", pose({1, 0, 0}, {0.1, 0.2, 0.3}), false, {1, 1, 1, 2, 2, 2}, {3, 3, 3, 4, 4, 4}};
  LoadSpec on_joint{true, "revolute", "", {}, false, {formula("sin(t)")}};
  LoadSpec on_body{false, "", "cup", Vector3d(0, 0, 1), true, {formula("0"), formula("1"), formula("t")}};
  spec.forces = {{"spring", spring, {}},
                 {"bushing", bushing, {}},
                 {"drive", on_joint, {}},
                 {"wind", on_body, {}},
                 {"motion", MotionSpec{"screw", true, formula("10*t")}, {}}};
}

ModelSpec rich() {
  ModelSpec spec;
  spec.name = "rich";
  spec.active = ActiveDirections{true, true, true, true, true, true};
  spec.materials = {{"steel", 7850.0, 2.1e11, 8.1e10, 0.5, 0.1, {}}, {"brass", 7850.0, 1.0e11, 4e10, 0.5, 0.1, {}}};
  add_bodies(spec);
  add_joints(spec);
  spec.couplings = {{"gear", {"revolute", "prismatic"}, {1, -2}, 0.5, {}, {}},
                    {"cam", {"screw", "prismatic"}, {}, 0, {0.1, 1, 2}, {}}};
  add_forces(spec);
  spec.contact = ContactSpec{true, 1e-3, 0.4, 0.2, {{"arm", "cup"}}, {}};
  spec.keyframes = {{"home", {{"revolute", {0.3}}, {"prismatic", {0.1}}}, {}}};
  return spec;
}

std::vector<Difference> differences(const ModelSpec& before, const ModelSpec& after) {
  const Result<Model> a = compile(before);
  const Result<Model> b = compile(after);
  EXPECT_TRUE(a.has_value()) << to_string(a.error());
  EXPECT_TRUE(b.has_value()) << to_string(b.error());
  return a && b ? find_differences(*a, *b) : std::vector<Difference>();
}

std::string text_of(const std::vector<Difference>& all) {
  std::string text;
  for (const Difference& d : all)
    text += d.element + " " + d.name + " / " + d.field + ": " + d.before + " -> " + d.after + "\n";
  return text;
}

template <class Law>
Law& law(ModelSpec& spec, std::size_t k) {
  return std::get<Law>(spec.forces[k].law);
}

struct Mutation {
  const char* element;
  const char* name;
  const char* field;
  std::function<void(ModelSpec&)> change;
};

void expect_each_named(const std::vector<Mutation>& mutations) {
  const ModelSpec before = rich();
  for (const Mutation& mutation : mutations) {
    ModelSpec after = rich();
    mutation.change(after);
    const std::string line = std::string(mutation.element) + " " + mutation.name + " / " + mutation.field + ":";
    for (const bool forward : {true, false}) {
      const std::string all = text_of(forward ? differences(before, after) : differences(after, before));
      EXPECT_NE(all.find(line), std::string::npos) << line << (forward ? " " : " (backwards) ") << "not in\n" << all;
    }
  }
}

using S = ModelSpec&;

TEST(Difference, ThereIsNoneBetweenAModelAndItself) { EXPECT_EQ(text_of(differences(rich(), rich())), ""); }

TEST(Difference, NamesEveryFieldOfModelAndMaterial) {
  expect_each_named({
      {"model", "rich", "gravity", [](S s) { s.gravity.z() = -1.6; }},
      {"body", "cup", "active", [](S s) { (*s.active)[2] = false; }},
      {"material", "steel", "density", [](S s) { s.materials[0].density = 7800; }},
      {"material", "steel", "E", [](S s) { s.materials[0].young = 2e11; }},
      {"material", "steel", "G", [](S s) { s.materials[0].shear = 8e10; }},
      {"material", "steel", "friction", [](S s) { s.materials[0].friction.reset(); }},
      {"material", "steel", "restitution", [](S s) { s.materials[0].restitution = 0.2; }},
  });
}

TEST(Difference, NamesEveryFieldOfABody) {
  expect_each_named({
      {"body", "leaf", "kind", [](S s) { s.bodies[5].kind = BodyKind::kPseudoRigid; }},
      {"body", "arm", "mass", [](S s) { s.bodies[0].mass = 2.001; }},
      {"body", "arm", "com", [](S s) { s.bodies[0].com->y() = 0.21; }},
      {"body", "arm", "com", [](S s) { s.bodies[0].pose.position.x() += 0.1; }},
      {"body", "arm", "inertia", [](S s) { (*s.bodies[0].inertia)(1, 1) = 0.31; }},
      {"body", "arm", "inertia", [](S s) { s.bodies[0].pose.rotation = Quaterniond::Identity(); }},
      {"body", "arm", "velocity", [](S s) { s.bodies[0].velocity->linear.x() = 0; }},
      {"body", "arm", "velocity", [](S s) { s.bodies[0].velocity.reset(); }},
      {"body", "arm", "angular velocity", [](S s) { s.bodies[0].velocity->angular.z() = 0; }},
      {"body", "arm", "active", [](S s) { (*s.bodies[0].active)[4] = true; }},
      {"body", "boom", "material", [](S s) { s.bodies[2].material = "brass"; }},
      {"body", "cup", "shape material", [](S s) { s.bodies[1].material = "brass"; }},
      {"body", "cup", "shape material", [](S s) { s.bodies[1].shapes[1].material = "brass"; }},
      {"body", "cup", "shapes", [](S s) { s.bodies[1].shapes.pop_back(); }},
      {"body", "cup", "shape", [](S s) { s.bodies[1].shapes[0].kind = ShapeKind::kEllipsoid; }},
      {"body", "cup", "shape size", [](S s) { s.bodies[1].shapes[0].size.y() = 2.1; }},
      {"body", "cup", "shape pose", [](S s) { s.bodies[1].shapes[0].pose.position.z() = 0.1; }},
      {"body", "cup", "shape pose", [](S s) { s.bodies[1].shapes[0].pose.rotation = Quaterniond::Identity(); }},
      {"body", "cup", "shape role", [](S s) { s.bodies[1].shapes[0].role = ShapeRole::kVisual; }},
      {"body", "cup", "shape name", [](S s) { s.bodies[1].shapes[0].name = "base"; }},
      {"body", "cup", "shape points", [](S s) { s.bodies[1].shapes[1].points[2].x() = 0.1; }},
      {"body", "cup", "shape file", [](S s) { s.bodies[1].shapes[2].file = "mug.stl"; }},
      {"body", "cup", "shape scale", [](S s) { s.bodies[1].shapes[2].scale.x() = 0.001; }},
  });
}

TEST(Difference, NamesEveryFieldOfABeam) {
  expect_each_named({
      {"body", "boom", "from", [](S s) { s.bodies[2].beam->from.x() = 0; }},
      {"body", "boom", "to", [](S s) { s.bodies[2].beam->to.x() = 4.1; }},
      {"body", "boom", "theory", [](S s) { s.bodies[2].beam->theory = BeamTheory::kTimoshenko; }},
      {"body", "boom", "y_axis", [](S s) { s.bodies[2].beam->y_axis = Vector3d(0, 0, 1); }},
      {"body", "boom", "y_axis", [](S s) { s.bodies[2].beam->y_axis.reset(); }},
      {"body", "boom", "viscous", [](S s) { s.bodies[2].beam->viscous = 41; }},
      {"body", "boom", "kelvin_voigt", [](S s) { s.bodies[2].beam->kelvin_voigt = 0.002; }},
      {"body", "boom", "foundation", [](S s) { s.bodies[2].beam->foundation = 0; }},
      {"body", "boom", "segments", [](S s) { s.bodies[2].beam->segments = 51; }},
      {"body", "boom", "section", [](S s) { s.bodies[2].beam->section.b[1] = 0.021; }},
      {"body", "boom", "section", [](S s) { s.bodies[2].beam->section.h[0] = 0.051; }},
      {"body", "boom", "section", [](S s) { s.bodies[2].beam->section.shear_factors->at(1) = 1; }},
      {"body", "boom", "section", [](S s) { s.bodies[2].beam->section.shear_factors.reset(); }},
      {"body", "tube", "section", [](S s) { s.bodies[3].beam->section.radius[1] = 0.09; }},
      {"body", "tube", "section", [](S s) { s.bodies[3].beam->section.inner_radius[0] = 0; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.area[0] = 1.1e-3; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.Iy[0] = 1.1e-6; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.Iz[1] = 1.1e-6; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.J[0] = 1.1e-6; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.polar->at(0) = 3.1e-6; }},
      {"body", "profile", "section", [](S s) { s.bodies[4].beam->section.polar.reset(); }},
  });
}

TEST(Difference, NamesEveryFieldOfAJoint) {
  expect_each_named({
      {"joint", "revolute", "type",
       [](S s) {
         s.joints[0].type = JointType::kPrismatic;
         s.forces.erase(s.forces.begin() + 2);
       }},
      {"joint", "revolute", "between", [](S s) { s.joints[0].b = "leaf"; }},
      {"joint", "revolute", "between", [](S s) { std::swap(s.joints[0].a, s.joints[0].b); }},
      {"joint", "screw", "pitch", [](S s) { s.joints[2].pitch = -0.1; }},
      {"joint", "revolute", "velocity", [](S s) { s.joints[0].velocity = {-0.1}; }},
      {"joint", "revolute", "limits",
       [](S s) {
         s.joints[0].limits = {{-1, 2}};
       }},
      {"joint", "revolute", "limits", [](S s) { s.joints[0].limits.clear(); }},
      {"joint", "revolute", "stiffness", [](S s) { s.joints[0].stiffness.clear(); }},
      {"joint", "revolute", "damping", [](S s) { s.joints[0].damping = {0}; }},
      {"joint", "revolute", "rest", [](S s) { s.joints[0].rest = {0.3}; }},
      {"joint", "revolute", "friction", [](S s) { s.joints[0].friction = {0.4}; }},
      {"joint", "revolute", "armature", [](S s) { s.joints[0].armature = {}; }},
      {"joint", "revolute", "effort_limit", [](S s) { s.joints[0].effort_limit.reset(); }},
      {"joint", "revolute", "velocity_limit", [](S s) { s.joints[0].velocity_limit = 21; }},
      {"joint", "revolute", "actuated", [](S s) { s.joints[0].actuated = false; }},
      {"joint", "revolute", "reaction wanted", [](S s) { s.joints[0].reaction_wanted = false; }},
  });
}

// Shifts or turns one frame of the joint, in the frame itself.
std::function<void(S)> moved(std::size_t k, bool in_a, const Vector3d& shift, const Vector3d& turn) {
  return [=](S s) {
    math::Pose& frame = in_a ? s.joints[k].in_a : s.joints[k].in_b;
    frame = frame * pose(shift, turn);
  };
}

TEST(Difference, NamesTheFramesOfEveryJoint) {
  const Vector3d x(0.1, 0, 0), z(0, 0, 0.1), none(0, 0, 0);
  std::vector<Mutation> mutations;
  for (const std::size_t k : {0u, 1u, 2u, 4u}) {
    const char* name = joint_kinds()[k].name.data();
    mutations.push_back({"joint", name, "point in a", moved(k, true, x, none)});
    mutations.push_back({"joint", name, "point in b", moved(k, false, x, none)});
    mutations.push_back({"joint", name, "axis in a", moved(k, true, none, x)});
    mutations.push_back({"joint", name, "axis in b", moved(k, false, none, x)});
    const bool slides = k == 1;
    mutations.push_back({"joint", name, "position", moved(k, false, slides ? z : none, slides ? none : z)});
  }
  mutations.insert(mutations.end(), {
                                        {"joint", "universal", "point in a", moved(3, true, x, none)},
                                        {"joint", "universal", "point in b", moved(3, false, x, none)},
                                        {"joint", "universal", "axis", moved(3, true, none, z)},
                                        {"joint", "universal", "axis2", moved(3, false, none, z)},
                                        {"joint", "universal", "position", moved(3, false, none, {0, 0.1, 0})},
                                        {"joint", "spherical", "point in a", moved(5, true, x, none)},
                                        {"joint", "spherical", "point in b", moved(5, false, x, none)},
                                        {"joint", "spherical", "frame in a", moved(5, true, none, x)},
                                        {"joint", "spherical", "frame in b", moved(5, false, none, x)},
                                        {"joint", "planar", "frame in a", moved(6, true, none, x)},
                                        {"joint", "planar", "position", moved(6, false, x, none)},
                                        {"joint", "planar", "gap", moved(6, false, z, none)},
                                        {"joint", "free", "frame in a", moved(7, true, none, x)},
                                        {"joint", "free", "frame in b", moved(7, false, z, none)},
                                        {"joint", "fixed", "gap", moved(8, false, z, none)},
                                        {"joint", "fixed", "gap", moved(8, true, none, z)},
                                    });
  expect_each_named(mutations);
}

// Open by as much as before, but in another direction: the weld will hold its bodies otherwise.
TEST(Difference, TellsInWhichDirectionAWeldStandsOpen) {
  ModelSpec before = rich();
  ModelSpec after = rich();
  moved(8, false, {0.1, 0, 0}, {0, 0, 0})(before);
  moved(8, false, {0, 0.1, 0}, {0, 0, 0})(after);
  EXPECT_NE(text_of(differences(before, after)).find("joint fixed / closed pose"), std::string::npos);
  // The same weld said with other frames, and with other body frames.
  after = before;
  moved(8, true, {0.2, 0, 0.1}, {0.3, 0.1, 0})(after);
  moved(8, false, {0.2, 0, 0.1}, {0.3, 0.1, 0})(after);
  EXPECT_EQ(text_of(differences(before, after)), "");
}

TEST(Difference, NamesEveryFieldOfACoupling) {
  expect_each_named({
      {"coupling", "gear", "ratio", [](S s) { s.couplings[0].ratio[1] = 2; }},
      {"coupling", "gear", "offset", [](S s) { s.couplings[0].offset = 0.6; }},
      {"coupling", "cam", "polynomial", [](S s) { s.couplings[1].polynomial[0] = 0.2; }},
      {"coupling", "cam", "polynomial", [](S s) { s.couplings[1].polynomial.push_back(3); }},
      {"coupling", "cam", "ratio", [](S s) { std::swap(s.couplings[1].joints[0], s.couplings[1].joints[1]); }},
  });
}

TEST(Difference, NamesEveryFieldOfAForce) {
  expect_each_named({
      {"force", "spring", "between", [](S s) { law<SpringSpec>(s, 0).b = "leaf"; }},
      {"force", "spring", "between", [](S s) { std::swap(law<SpringSpec>(s, 0).a, law<SpringSpec>(s, 0).b); }},
      {"force", "spring", "point in a", [](S s) { law<SpringSpec>(s, 0).point_a.y() = 1; }},
      {"force", "spring", "point in b", [](S s) { law<SpringSpec>(s, 0).in_world = true; }},
      {"force", "spring", "stiffness", [](S s) { law<SpringSpec>(s, 0).stiffness = 7e5; }},
      {"force", "spring", "damping", [](S s) { law<SpringSpec>(s, 0).damping = 0; }},
      {"force", "spring", "length", [](S s) { law<SpringSpec>(s, 0).length.reset(); }},
      {"force", "spring", "tension", [](S s) { law<SpringSpec>(s, 0).tension = -2; }},
      {"force", "spring", "limits",
       [](S s) {
         law<SpringSpec>(s, 0).limits = {0.2, 0.7};
       }},
      {"force", "spring", "law", [](S s) { std::swap(s.forces[0].law, s.forces[1].law); }},
      {"force", "bushing", "between", [](S s) { law<BushingSpec>(s, 1).b = "leaf"; }},
      {"force", "bushing", "frame", [](S s) { law<BushingSpec>(s, 1).frame.position.x() = 0; }},
      {"force", "bushing", "frame", [](S s) { law<BushingSpec>(s, 1).frame.rotation = Quaterniond::Identity(); }},
      {"force", "bushing", "frame", [](S s) { law<BushingSpec>(s, 1).in_world = true; }},
      {"force", "bushing", "stiffness", [](S s) { law<BushingSpec>(s, 1).stiffness[5] = 3; }},
      {"force", "bushing", "damping", [](S s) { law<BushingSpec>(s, 1).damping[0] = 0; }},
      {"force", "drive", "acts on", [](S s) { law<LoadSpec>(s, 2).joint = "screw"; }},
      {"force", "drive", "value", [](S s) { law<LoadSpec>(s, 2).value[0] = formula("cos(t)"); }},
      {"force", "wind", "acts on", [](S s) { law<LoadSpec>(s, 3).body = "arm"; }},
      {"force", "wind", "torque", [](S s) { law<LoadSpec>(s, 3).torque = true; }},
      {"force", "wind", "point", [](S s) { law<LoadSpec>(s, 3).at.reset(); }},
      {"force", "wind", "in body axes", [](S s) { law<LoadSpec>(s, 3).in_body = false; }},
      {"force", "wind", "value", [](S s) { law<LoadSpec>(s, 3).value[2] = formula("0"); }},
      {"force", "motion", "joint", [](S s) { law<MotionSpec>(s, 4).joint = "prismatic"; }},
      {"force", "motion", "prescribes velocity", [](S s) { law<MotionSpec>(s, 4).is_velocity = false; }},
      {"force", "motion", "value", [](S s) { law<MotionSpec>(s, 4).value = formula("11*t"); }},
  });
}

TEST(Difference, NamesEveryFieldOfContactAndKeyframes) {
  expect_each_named({
      {"contact", "", "margin", [](S s) { s.contact->margin = 0; }},
      {"contact", "", "friction", [](S s) { s.contact->friction.reset(); }},
      {"contact", "", "restitution", [](S s) { s.contact->restitution = 0.3; }},
      {"contact", "", "excluded pairs", [](S s) { s.contact->exclude.clear(); }},
      {"keyframe", "home", "position", [](S s) { s.keyframes[0].positions[0].second = {0.4}; }},
      {"keyframe", "home", "position", [](S s) { s.keyframes[0].positions.pop_back(); }},
  });
}

TEST(Difference, TellsElementsThatAreMissingOrNew) {
  ModelSpec fewer = rich();
  fewer.materials.pop_back();
  fewer.bodies.pop_back();
  fewer.joints.pop_back();
  fewer.couplings.pop_back();
  fewer.forces.pop_back();
  fewer.keyframes.clear();
  const std::string gone = text_of(differences(rich(), fewer));
  const std::string come = text_of(differences(fewer, rich()));
  for (const char* what :
       {"material brass", "body wall", "joint fixed", "coupling cam", "force motion", "keyframe home"})
    EXPECT_NE(gone.find(std::string(what) + " / : present -> \n"), std::string::npos) << what << " in\n" << gone;
  for (const char* what :
       {"material brass", "body wall", "joint fixed", "coupling prismatic, screw", "force motion", "keyframe home"})
    EXPECT_NE(come.find(std::string(what) + " / :  -> new\n"), std::string::npos) << what << " in\n" << come;
}

TEST(Difference, TellsContactThatIsGoneOrOff) {
  ModelSpec before;
  before.bodies = {body("stone", {})};
  before.contact = ContactSpec();
  ModelSpec after = before;
  after.contact->on = false;
  EXPECT_EQ(text_of(differences(before, after)), "contact  / engine: yes -> no\n");
  after.contact.reset();
  EXPECT_EQ(text_of(differences(before, after)), "contact  / : present -> \n");
  EXPECT_EQ(text_of(differences(after, before)), "contact  / :  -> new\n");
}

// "a" + "bc" and "ab" + "c" are not the same two bodies.
TEST(Difference, TellsPairsOfBodiesApartThatSpellTheSame) {
  ModelSpec before;
  before.bodies = {body("a", {}), body("bc", {}), body("ab", {}), body("c", {})};
  before.contact = ContactSpec();
  ModelSpec after = before;
  SpringSpec spring;
  spring.a = "a";
  spring.b = "bc";
  before.forces = {{"", spring, {}}};
  spring.a = "ab";
  spring.b = "c";
  after.forces = {{"", spring, {}}};
  EXPECT_NE(text_of(differences(before, after)).find("force #1 / between: a - bc -> ab - c"), std::string::npos)
      << text_of(differences(before, after));
}

// The body's frame moves by D, and everything in the body moves against it.
void choose_other_frame(ModelSpec& spec, std::size_t k, const math::Pose& D) {
  BodySpec& b = spec.bodies[k];
  const math::Pose back = D.inverse();
  const Vector3d arm = b.pose.rotation * D.position;
  b.pose = b.pose * D;
  const Eigen::Matrix3d R = back.rotation.toRotationMatrix();
  if (b.com) b.com = back * *b.com;
  if (b.inertia) b.inertia = Eigen::Matrix3d(R * *b.inertia * R.transpose());
  if (b.velocity) b.velocity->linear += b.velocity->angular.cross(arm);
  for (ShapeSpec& shape : b.shapes) shape.pose = back * shape.pose;
  if (b.beam) {
    b.beam->from = back * b.beam->from;
    b.beam->to = back * b.beam->to;
    if (b.beam->y_axis) b.beam->y_axis = R * *b.beam->y_axis;
  }
  for (JointSpec& j : spec.joints) {
    if (j.a == b.name) j.in_a = back * j.in_a;
    if (j.b == b.name) j.in_b = back * j.in_b;
  }
  for (ForceSpec& force : spec.forces) {
    if (auto* spring = std::get_if<SpringSpec>(&force.law)) {
      if (spring->a == b.name) spring->point_a = back * spring->point_a;
      if (spring->b == b.name) spring->point_b = back * spring->point_b;
    } else if (auto* bushing = std::get_if<BushingSpec>(&force.law)) {
      if (bushing->a == b.name) bushing->frame = back * bushing->frame;
    } else if (auto* load = std::get_if<LoadSpec>(&force.law)) {
      if (load->body == b.name && load->at) load->at = back * *load->at;
    }
  }
}

TEST(Difference, OtherBodyFramesAreNone) {
  for (std::size_t k = 0; k < rich().bodies.size(); ++k) {
    ModelSpec after = rich();
    // A load along body axes would turn with them.
    choose_other_frame(after, k, pose({0.3, -0.1, 0.2}, k == 1 ? Vector3d(0, 0, 0) : Vector3d(0.5, -0.7, 0.2)));
    EXPECT_EQ(text_of(differences(rich(), after)), "") << after.bodies[k].name;
  }
}

TEST(Difference, JointFramesTurnedAboutTheirAxisOnBothSidesAreNone) {
  for (const std::size_t k : {0u, 1u, 2u, 4u}) {
    ModelSpec after = rich();
    moved(k, true, {0, 0, 0}, {0, 0, 0.8})(after);
    moved(k, false, {0, 0, 0}, {0, 0, 0.8})(after);
    EXPECT_EQ(text_of(differences(rich(), after)), "") << after.joints[k].name;
  }
}

TEST(Difference, BallAndFreeJointsWithoutSpringsHaveNoAxes) {
  ModelSpec before = rich();
  before.joints[5].stiffness.clear();
  before.joints[7].stiffness.clear();
  ModelSpec after = before;
  moved(5, true, {0, 0, 0}, {0.3, 0, 0.8})(after);
  moved(5, false, {0, 0, 0}, {0, 0.1, 0.8})(after);
  moved(7, true, {1, 0, 0}, {0.3, 0, 0.8})(after);
  EXPECT_EQ(text_of(differences(before, after)), "");
}

TEST(Difference, HalfATurnLeftIsHalfATurnRight) {
  ModelSpec before = rich();
  ModelSpec after = rich();
  moved(0, false, {0, 0, 0}, {0, 0, pi - 0.4 + 1e-12})(before);
  moved(0, false, {0, 0, 0}, {0, 0, pi - 0.4 - 1e-12})(after);
  before.joints[0].limits.clear();
  after.joints[0].limits.clear();
  ASSERT_GT(std::abs(compile(before)->joints[0].position[0] - compile(after)->joints[0].position[0]), 6);
  EXPECT_EQ(text_of(differences(before, after)), "");
}

TEST(Difference, CouplingsInAnotherOrderScaledOrAsAStraightPolynomialAreNone) {
  ModelSpec before = rich();
  ModelSpec after = rich();
  std::swap(after.couplings[0], after.couplings[1]);
  EXPECT_EQ(text_of(differences(before, after)), "");
  after = rich();
  after.couplings[0].ratio = {-3, 6};
  after.couplings[0].offset = -1.5;
  EXPECT_EQ(text_of(differences(before, after)), "");
  std::swap(after.couplings[0].joints[0], after.couplings[0].joints[1]);
  std::swap(after.couplings[0].ratio[0], after.couplings[0].ratio[1]);
  EXPECT_EQ(text_of(differences(before, after)), "");
  // revolute = 0.5 + 2 prismatic
  after.couplings[0] = {"", {"revolute", "prismatic"}, {}, 0, {0.5, 2, 0}, {}};
  EXPECT_EQ(text_of(differences(before, after)), "");
  // prismatic = -0.25 + 0.5 revolute
  after.couplings[0] = {"", {"prismatic", "revolute"}, {}, 0, {-0.25, 0.5}, {}};
  EXPECT_EQ(text_of(differences(before, after)), "");
}

TEST(Difference, ZeroAndNotGivenAreTheSameWhereZeroIsTheDefault) {
  ModelSpec after = rich();
  after.joints[1].stiffness = after.joints[1].damping = after.joints[1].friction = after.joints[1].rest = {0};
  after.contact->exclude = {{"cup", "arm"}};
  EXPECT_EQ(text_of(differences(rich(), after)), "");
}

TEST(Difference, APolarMomentOfZeroIsNotOneThatIsNotGiven) {
  ModelSpec before = rich();
  before.bodies[4].beam->section.polar.reset();
  ModelSpec after = before;
  after.bodies[4].beam->section.polar = SectionSpec::Ends{2e-6, 4e-6};  // Iy + Iz
  EXPECT_EQ(text_of(differences(before, after)), "");
  after.bodies[4].beam->section.polar = SectionSpec::Ends{0, 0};
  EXPECT_NE(text_of(differences(before, after)).find("body profile / section"), std::string::npos);
}

TEST(Difference, IsRelativeToTheTolerance) {
  ModelSpec after = rich();
  after.bodies[0].mass = 2 * (1 + 1e-7);
  const Model a = *compile(rich());
  const Model b = *compile(after);
  EXPECT_EQ(find_differences(a, b, 1e-6).size(), 0u);
  EXPECT_EQ(find_differences(a, b, 1e-8).size(), 1u);
}

}  // namespace
}  // namespace espalier::model
