#include <gtest/gtest.h>

#include <numbers>

#include <fmt/format.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/formats/test/usd_text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;
using model::ShapeKind;

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;

//            C
//   coupler / | rocker     the four-bar of models/four_bar.yaml, each body in its own way of placing it
//  crank B |  |
//        A    D
constexpr const char* kFourBar = R"(#usda 1.0
( "A comment."
    defaultPrim = "bench"
    metersPerUnit = 0.01
    kilogramsPerUnit = 1
    upAxis = "Z"
)
/* centimetres, kg */
def Xform "bench" (prepend apiSchemas = ["PhysicsArticulationRootAPI"])
{
    custom string espalier:name = "four-bar"
    def PhysicsScene "scene" { vector3f physics:gravityDirection = (0, 0, -2)
        float physics:gravityMagnitude = 981 }
    def Xform "crank" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:density = 0.00785
        double3 xformOp:translate = (0, 0, 5)
        float xformOp:rotateY = -90
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateY"]
        def Cube "bar" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 1
            float3 xformOp:scale = (10, 2, 1)
            uniform token[] xformOpOrder = ["xformOp:scale"]
        }
    }
    def Cube "coupler" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"])
    {
        float physics:density = 0.00785
        double size = 1
        double3 xformOp:translate = (15, 0, 17)
        float3 xformOp:rotateXYZ = (0, -25.0168934781, 0)
        float3 xformOp:scale = (33.1058907144937, 2, 1)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
    }
    def Xform "frame" {
        double3 xformOp:translate = (35, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Xform "rocker" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
        {
            double3 xformOp:translate = (0, 0, 12)
            double xformOp:rotateY = -112.61986494804
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateY"]
            def Cube "bar" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"])
            {
                rel material:binding = </bench/steel>
                double size = 2
                float3 xformOp:scale = (13, 1, 0.5)
                uniform token[] xformOpOrder = ["xformOp:scale"]
            }
        }
    }
    def Material "steel" (prepend apiSchemas = ["PhysicsMaterialAPI"]) { float physics:density = 0.00785 }
    def PhysicsRevoluteJoint "A" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
    {
        rel physics:body1 = </bench/crank>
        uniform token physics:axis = "Y"
        quatf physics:localRot0 = (0, 1, 0, 0)
        point3f physics:localPos1 = (-5, 0, 0)
        quatf physics:localRot1 = (0, 0.70710678118654752, 0, 0.70710678118654752)
    }
    def PhysicsRevoluteJoint "B"
    {
        rel physics:body0 = </bench/crank>
        rel physics:body1 = </bench/coupler>
        uniform token physics:axis = "Y"
        point3f physics:localPos0 = (5, 0, 0)
        quatf physics:localRot0 = (0, 0, 0, 1)
        point3f physics:localPos1 = (-0.5, 0, 0)
        quatf physics:localRot1 = (0, 0, 0, 1)
    }
    def PhysicsRevoluteJoint "C"
    {
        rel physics:body0 = </bench/coupler>
        rel physics:body1 = </bench/frame/rocker>
        uniform token physics:axis = "Y"
        point3f physics:localPos0 = (0.5, 0, 0)
        quatf physics:localRot0 = (0, 1, 0, 0)
        point3f physics:localPos1 = (13, 0, 0)
        quatf physics:localRot1 = (0, 1, 0, 0)
        uniform bool physics:excludeFromArticulation = true
    }
    def PhysicsRevoluteJoint "D"
    {
        rel physics:body0 = <../frame/rocker>
        uniform token physics:axis = "Y"
        point3f physics:localPos0 = (-13, 0, 0)
        quatf physics:localRot0 = (0, 1, 0, 0)
        point3f physics:localPos1 = (40, 0, 0)
        quatf physics:localRot1 = (0, 1, 0, 0)
    }
}
)";

// Within the digits of the files: the same masses, places and hinge lines as the native one.
TEST(UsdReader, FourBarIsTheOneOfTheNativeFile) {
  const ModelSpec spec = read(kFourBar);
  EXPECT_EQ(spec.name, "four-bar");
  expect_near(spec.gravity, {0, 0, -9.81});
  const model::Model usd = *model::compile(spec);
  const auto shipped = std::find_if(shipped_models().begin(), shipped_models().end(),
                                    [](const ShippedModel& each) { return each.name == "four_bar"; });
  const model::Model native = *model::compile(*read_model_text(shipped->text, "four_bar.yaml"));
  ASSERT_EQ(usd.bodies.size(), native.bodies.size());
  for (std::size_t b = 1; b < usd.bodies.size(); ++b) {
    SCOPED_TRACE(native.bodies[b].name);
    EXPECT_EQ(usd.bodies[b].name, native.bodies[b].name);
    EXPECT_NEAR(usd.bodies[b].inertia.mass, native.bodies[b].inertia.mass, 1e-9);
    EXPECT_LE((usd.bodies[b].inertia.about_com - native.bodies[b].inertia.about_com).norm(), 1e-12);
    EXPECT_LE(math::gap_between(usd.bodies[b].X_WB, native.bodies[b].X_WB).distance, 1e-12);
    EXPECT_LE(math::gap_between(usd.bodies[b].X_WB, native.bodies[b].X_WB).angle, 1e-12);
    expect_near(usd.bodies[b].shapes[0].spec.size, native.bodies[b].shapes[0].spec.size);
  }
  ASSERT_EQ(usd.joints.size(), native.joints.size());
  for (std::size_t j = 0; j < usd.joints.size(); ++j) {
    SCOPED_TRACE(native.joints[j].name);
    EXPECT_EQ(usd.joints[j].name, native.joints[j].name);
    EXPECT_EQ(usd.joints[j].type, JointType::kRevolute);
    EXPECT_EQ(usd.body(usd.joints[j].a).name, native.body(native.joints[j].a).name);
    EXPECT_EQ(usd.body(usd.joints[j].b).name, native.body(native.joints[j].b).name);
    for (const auto& end : {model::drawn_frame_a, model::drawn_frame_b}) {
      expect_near(end(usd, usd.joints[j]).position, end(native, native.joints[j]).position, 1e-9);
      expect_near(end(usd, usd.joints[j]).rotation * Vector3d::UnitZ(), {0, -1, 0}, 1e-9);
    }
  }
  EXPECT_TRUE(usd.joints[0].spec.actuated);
  EXPECT_TRUE(usd.joints[2].spec.closure);
  EXPECT_FALSE(usd.joints[1].spec.closure);
}

TEST(UsdReader, UnitsScaleLengthsMassesAndGravity) {
  const ModelSpec spec = read(
      "#usda 1.0\n(metersPerUnit = 0.1\nkilogramsPerUnit = 0.001\nupAxis = \"Y\")\n"
      "def PhysicsScene \"s\" {}\n" +
      rigid("a",
            "point3f physics:centerOfMass = (1, 2, 3)\nvector3f physics:velocity = (10, 0, 0)\n"
            "vector3f physics:angularVelocity = (0, 0, 180)"));
  // A gravity below zero is that of the earth in any unit, and against the up axis.
  expect_near(spec.gravity, {0, -9.81, 0});
  EXPECT_DOUBLE_EQ(*body(spec, "a").mass, 0.002);
  expect_near(*body(spec, "a").com, {0.1, 0.2, 0.3});
  expect_near(body(spec, "a").inertia->diagonal(), Vector3d(1, 2, 2.5) * 1e-5);
  expect_near(body(spec, "a").velocity->linear, {1, 0, 0});
  expect_near(body(spec, "a").velocity->angular, {0, 0, kPi});
}

TEST(UsdReader, DefaultsOfUsdAreTakenAndTold) {
  const ModelSpec spec = read("#usda 1.0\n" + rigid("a"));
  expect_near(spec.gravity, {0, -9.81, 0});
  EXPECT_TRUE(has_note(spec, "no metersPerUnit: USD's default, 0.01: centimetres"));
  EXPECT_TRUE(has_note(spec, "no upAxis"));
  EXPECT_TRUE(has_note(spec, "no PhysicsScene"));
  expect_near(body(spec, "a").inertia->diagonal(), Vector3d(1, 2, 2.5) * 1e-4);
}

TEST(UsdReader, RotationsTurnInTheOrderOfTheirLetters) {
  const auto turned = [](const std::string& lines, const std::string& op) {
    return body(read(file(rigid("a", lines + "\nuniform token[] xformOpOrder = [\"" + op + "\"]"))), "a").pose.rotation;
  };
  const Quaterniond x = math::rotation_about(Vector3d::UnitX(), 10 * kDegree);
  const Quaterniond y = math::rotation_about(Vector3d::UnitY(), 20 * kDegree);
  const Quaterniond z = math::rotation_about(Vector3d::UnitZ(), 30 * kDegree);
  expect_turn(turned("float3 xformOp:rotateXYZ = (10, 20, 30)", "xformOp:rotateXYZ"), z * y * x);
  expect_turn(turned("float3 xformOp:rotateZXY = (10, 20, 30)", "xformOp:rotateZXY"), y * x * z);
  expect_turn(turned("float xformOp:rotateX = 10", "xformOp:rotateX"), x);
  expect_turn(turned("quatd xformOp:orient = (2, 0, 2, 0)", "xformOp:orient"),
              math::rotation_about(Vector3d::UnitY(), kPi / 2));
  // Rows are images of the axes: x goes to y, as a quarter turn about z does it.
  expect_turn(turned("matrix4d xformOp:transform = ((0,1,0,0),(-1,0,0,0),(0,0,1,0),(5,6,7,1))", "xformOp:transform"),
              math::rotation_about(Vector3d::UnitZ(), kPi / 2));
}

//  turn about a pivot at (1, 0, 0): the origin goes to (1, -1, 0)
TEST(UsdReader, InvertedOperationsUndoThemselves) {
  const ModelSpec spec = read(file(
      rigid("a",
            "float3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ = 90\nuniform token[] xformOpOrder = "
            "[\"xformOp:translate:pivot\", \"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"]")));
  expect_near(body(spec, "a").pose.position, {1, -1, 0});
}

constexpr const char* kMoved =
    "double3 xformOp:translate = (0, 0, 1)\nfloat xformOp:rotateZ = 90\nuniform token[] xformOpOrder = "
    "[{}\"xformOp:translate\", \"xformOp:rotateZ\"]\n";

TEST(UsdReader, BodiesInBodiesAreDrawnByTheirParents) {
  const std::string inner = rigid("inner", fmt::format(fmt::runtime(kMoved), ""));
  const std::string reset = rigid("reset", fmt::format(fmt::runtime(kMoved), "\"!resetXformStack!\", "));
  const ModelSpec spec =
      read(file(rigid("outer",
                      "double3 xformOp:translate = (3, 0, 0)\nfloat xformOp:rotateX = 90\n"
                      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateX\"]\n" +
                          inner + reset)));
  ASSERT_EQ(spec.bodies.size(), 3u);
  // One along the z of the outer body, which is -y.
  expect_near(body(spec, "inner").pose.position, {3, -1, 0});
  expect_near(body(spec, "inner").pose.rotation * Vector3d::UnitX(), {0, 0, 1});
  expect_near(body(spec, "reset").pose.position, {0, 0, 1});
  expect_near(body(spec, "reset").pose.rotation * Vector3d::UnitX(), {0, 1, 0});
  // Nothing holds any of the three.
  EXPECT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(joint(spec, "inner_free").type, JointType::kFree);
}

TEST(UsdReader, PrincipalAxesTurnTheMoments) {
  // A quarter turn about z exchanges the first two.
  const ModelSpec spec =
      read(file(rigid("a", "quatf physics:principalAxes = (0.70710678118654752, 0, 0, 0.70710678118654752)")));
  expect_near(body(spec, "a").inertia->diagonal(), {2, 1, 2.5});
  EXPECT_NEAR((*body(spec, "a").inertia)(0, 1), 0, 1e-15);
}

// Two balls of 1000 and 500 kg/m^3 on one body.
TEST(UsdReader, MassFollowsFromShapesAndDensities) {
  const auto ball = [](const char* name, double x, const char* more) {
    return fmt::format(
        "def Sphere \"{}\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMassAPI\"]) {{\n"
        "double radius = 0.5\ndouble3 xformOp:translate = ({}, 0, 0)\n"
        "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n{}}}\n",
        name, x, more);
  };
  const double volume = kPi / 6;
  const std::string two = ball("left", -1, "") + ball("right", 1, "float physics:density = 500\n");
  const auto with = [&](const std::string& inside) {
    return body(read(file("def Xform \"a\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n" +
                          inside + two + "}\n")),
                "a");
  };
  const model::BodySpec plain = with("");
  EXPECT_NEAR(*plain.mass, 1500 * volume, 1e-9);
  expect_near(*plain.com, {-1.0 / 3, 0, 0});
  // (2/5) m r^2 of each about x; about z the masses 2 : 1 at distances 2/3 and 4/3 besides.
  EXPECT_NEAR((*plain.inertia)(0, 0), 0.1 * 1500 * volume, 1e-9);
  EXPECT_NEAR((*plain.inertia)(2, 2), (150 + 1000 * 4.0 / 9 + 500 * 16.0 / 9) * volume, 1e-9);
  // The body's own density counts where a shape has none; its own mass above all.
  EXPECT_NEAR(*with("float physics:density = 100\n").mass, 600 * volume, 1e-9);
  const model::BodySpec heavy = with("float physics:mass = 3\n");
  EXPECT_EQ(*heavy.mass, 3);
  EXPECT_NEAR((*heavy.inertia)(0, 0), 0.1 * 3, 1e-12);
  // About another centre the moments grow by m d^2, d = 1/3.
  const model::BodySpec centred = with("float physics:mass = 3\npoint3f physics:centerOfMass = (0, 0, 0)\n");
  EXPECT_NEAR((*centred.inertia)(2, 2), (*heavy.inertia)(2, 2) + 3.0 / 9, 1e-12);
  EXPECT_NEAR((*centred.inertia)(0, 0), (*heavy.inertia)(0, 0), 1e-12);
}

TEST(UsdReader, ABodyThatNothingWeighsIsTold) {
  const ModelSpec none = read(file("def Xform \"a\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"));
  EXPECT_EQ(*body(none, "a").mass, 0);
  EXPECT_FALSE(model::check_notes(none.notes, model::Use::kMotion));
  const ModelSpec lump =
      read(file("def Xform \"a\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {float "
                "physics:mass = 5}\n"));
  expect_near(body(lump, "a").inertia->diagonal(), Vector3d::Constant(0.4 * 5 * 0.01));
  EXPECT_TRUE(has_note(lump, "those of a ball"));
  const ModelSpec unapplied =
      read(file("def Xform \"a\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) "
                "{float physics:mass = 5}\n"));
  EXPECT_TRUE(has_note(unapplied, "without PhysicsMassAPI"));
}

TEST(UsdReader, KinematicBodiesStandStillAndStaticShapesAreTheGround) {
  const ModelSpec spec =
      read(file(rigid("a") + rigid("wall", "bool physics:kinematicEnabled = true") +
                "def PhysicsRevoluteJoint \"pin\" { rel physics:body0 = </floor>\nrel physics:body1 = </a> }\n"
                "def Plane \"floor\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) { uniform token axis = \"Y\"\n"
                "double3 xformOp:translate = (0, 3, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"] }\n"));
  EXPECT_EQ(body(spec, "wall").kind, model::BodyKind::kObstacle);
  EXPECT_FALSE(body(spec, "wall").mass);
  const model::ShapeSpec& floor = body(spec, "ground").shapes[0];
  EXPECT_EQ(floor.kind, ShapeKind::kPlane);
  expect_near(floor.pose.position, {0, 3, 0});
  expect_near(floor.pose.rotation * Vector3d::UnitZ(), {0, 1, 0});
  // A joint frame in a prim that is no body stands where that prim stands.
  EXPECT_EQ(joint(spec, "pin").a, "ground");
  expect_near(joint(spec, "pin").in_a.position, {0, 3, 0});
  EXPECT_TRUE(model::compile(spec));
}

TEST(UsdReader, ShapesTakeTheirScaleAndTheirAxis) {
  const auto shape = [](const std::string& type, const std::string& inside) {
    return body(read(file(rigid("a", fmt::format("def {} \"s\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) "
                                                 "{{ {}\nuniform token[] xformOpOrder = [\"xformOp:scale\"] }}",
                                                 type, inside)))),
                "a")
        .shapes[0];
  };
  const model::ShapeSpec cylinder =
      shape("Cylinder",
            "uniform token axis = \"X\"\ndouble radius = 2\ndouble height = 3\nfloat3 xformOp:scale = (5, 0.5, 0.5)");
  EXPECT_EQ(cylinder.kind, ShapeKind::kCylinder);
  expect_near(cylinder.size, {1, 15, 0});
  expect_near(cylinder.pose.rotation * Vector3d::UnitZ(), {1, 0, 0});
  expect_near(shape("Capsule", "double radius = 2\ndouble height = 3\nfloat3 xformOp:scale = (2, 2, 2)").size,
              {4, 6, 0});
  const model::ShapeSpec egg = shape("Sphere", "double radius = 2\nfloat3 xformOp:scale = (1, 2, 3)");
  EXPECT_EQ(egg.kind, ShapeKind::kEllipsoid);
  expect_near(egg.size, {2, 4, 6});
  EXPECT_EQ(shape("Sphere", "float3 xformOp:scale = (-3, 3, 3)").size[0], 3);
  expect_near(shape("Cube", "float3 xformOp:scale = (1, 2, 3)").size, {2, 4, 6});
}

TEST(UsdReader, WhatIsSeenAndWhatCollidesAreToldApart) {
  const ModelSpec spec = read(file(
      rigid("a",
            "def Cube \"seen\" {}\ndef Cube \"both\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"
            "def Cube \"felt\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {uniform token purpose = \"guide\"}\n"
            "def Mesh \"hull\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\"]) {\n"
            "point3f[] points = [(0,0,0), (1,0,0), (0,1,0), (0,0,1)]\n"
            "uniform token physics:approximation = \"convexHull\" }\n"
            "def Mesh \"skin\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n")));
  const std::vector<model::ShapeSpec>& shapes = body(spec, "a").shapes;
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(shapes[2].role, model::ShapeRole::kCollision);
  EXPECT_EQ(shapes[2].name, "felt");
  EXPECT_EQ(shapes[3].kind, ShapeKind::kHull);
  expect_near(shapes[3].points[3], {0, 0, 1});
  EXPECT_FALSE(model::check_notes(spec.notes, model::Use::kContact));
  EXPECT_TRUE(model::check_notes(spec.notes, model::Use::kMotion));
}

TEST(UsdReader, MaterialsComeThroughTheirBindings) {
  const ModelSpec spec = read(file(
      "def Material \"rubber\" (prepend apiSchemas = [\"PhysicsMaterialAPI\"]) {float physics:dynamicFriction = 0.9\n"
      "float physics:staticFriction = 0.9\nfloat physics:restitution = 0.3\nfloat physics:density = 1200}\n"
      "def Material \"paint\" { }\n" +
      rigid("a",
            "rel material:binding = </paint>\nrel material:binding:physics = </rubber>\n"
            "def Cube \"s\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}")));
  ASSERT_EQ(spec.materials.size(), 1u);
  EXPECT_EQ(spec.materials[0].friction, 0.9);
  EXPECT_EQ(spec.materials[0].restitution, 0.3);
  EXPECT_EQ(spec.materials[0].density, 1200);
  EXPECT_EQ(body(spec, "a").shapes[0].material, "rubber");
}

TEST(UsdReader, EqualNamesBecomePaths) {
  const std::string arm = rigid("arm");
  const ModelSpec spec = read(file("def Xform \"left\" {\n" + arm + "}\ndef Xform \"right\" {\n" + arm + "}\n" +
                                   rigid("ground") + rigid("base")));
  EXPECT_EQ(body(spec, "left/arm").name, "left/arm");
  EXPECT_EQ(body(spec, "right/arm").name, "right/arm");
  EXPECT_EQ(body(spec, "ground_2").mass, 2);
  EXPECT_EQ(body(spec, "base").mass, 2);
}

TEST(UsdReader, PairsThatAreFilteredNeverTouch) {
  const ModelSpec spec =
      read(file(rigid("a", "rel physics:filteredPairs = [</b>]", ", \"PhysicsFilteredPairsAPI\"") + rigid("b")));
  ASSERT_TRUE(spec.contact);
  EXPECT_FALSE(spec.contact->on);
  EXPECT_EQ(spec.contact->exclude[0], std::pair(std::string("a"), std::string("b")));
}

TEST(UsdReader, WhatDoesNotCountIsPassedOver) {
  const ModelSpec spec =
      read(file(rigid("a") +
                "class Xform \"_pattern\" { }\nover \"elsewhere\" { float x = 3 }\n"
                "def Xform \"off\" (active = false\n references = @robot.usd@) { }\n"
                "def Material \"looks\" (references = @paint.mdl@</x> (offset = 1)) { }\n"
                "def Xform \"noise\" (doc = \"\"\"three\nlines \"quoted\" \"\"\"\n"
                "    customData = { dictionary a = { int[] b = [1, 2] } string c = '}' }\n"
                "    variants = { string look = \"red\" }) {\n"
                "    string s.connect = </a.b>\n    asset[] f = [@a.png@, @@@b@c.png@@@]\n"
                "    rel r\n    prepend rel q = [</a>, </noise>] (doc = \"q\")\n    float n = -inf; float m = .5e-3\n"
                "    float[] empty = []\n    reorder properties = [\"a\", \"b\"]\n    token t = None\n}\n"));
  EXPECT_EQ(spec.bodies.size(), 1u);
  EXPECT_TRUE(has_note(spec, "`over`"));
}

TEST(UsdReader, ErrorsNameTheLineAndTheWayOut) {
  const std::string arm = rigid("arm");  // lines 7 to 11
  const auto joint_error = [&](const std::string& type, const std::string& inside) {
    return error_of(file(arm + "def " + type + " \"pin\" {\n" + inside + "\n}\n"));
  };
  EXPECT_EQ(joint_error("PhysicsRevoluteJoint", "rel physics:body1 = </arn>"),
            "test.usda:12: 'pin' names '/arn', and there is no such prim; did you mean 'arm'?");
  EXPECT_EQ(
      joint_error("PhysicsRevolutJoint", ""),
      "test.usda:12: joint 'pin' has an unknown type 'PhysicsRevolutJoint'; did you mean 'PhysicsRevoluteJoint'?");
  EXPECT_EQ(joint_error("PhysicsRevoluteJoint", "rel physics:body1 = </arm>\nuniform token physics:axis = \"W\""),
            "test.usda:14: physics:axis of 'pin' is 'W'; it can be \"X\", \"Y\" or \"Z\"");
  EXPECT_NE(joint_error("PhysicsFixedJoint", "").find("joins 'ground' to itself"), std::string::npos);
  EXPECT_NE(error_of(file(rigid("a",
                                "float3 xformOp:rotateXYZ = (1, 2)\nuniform token[] xformOpOrder = "
                                "[\"xformOp:rotateXYZ\"]")))
                .find("test.usda:10: xformOp:rotateXYZ of 'a' must be 3 numbers, not 2 numbers"),
            std::string::npos);
  EXPECT_NE(error_of(file("def Xform \"a\" (references = @robot.usd@</x>) {}\n")).find("usdcat --flatten"),
            std::string::npos);
  EXPECT_NE(error_of(file("def Xform \"a\" {\n  variantSet \"v\" = { \"x\" { float a = 1 } }\n}\n")).find("variantSet"),
            std::string::npos);
  EXPECT_NE(error_of(file("def Xform \"a\" {\n  float x = \n}\n")).find("test.usda:9: a value is expected"),
            std::string::npos);
  EXPECT_NE(error_of(file("def Xform \"a\" {}\ndef Xform \"a\" {}\n")).find("in line 7; rename one"),
            std::string::npos);
  std::string deep;
  for (int k = 0; k < 300; ++k) deep += "def \"a\" {";
  EXPECT_NE(error_of(file(deep)).find("200 levels"), std::string::npos);
}

TEST(UsdReader, AScaleThatDistortsIsRefused) {
  const std::string turned =
      "def Xform \"t\" {{ float xformOp:rotateZ = 45\nuniform token[] xformOpOrder = "
      "[\"xformOp:rotateZ\"]\n{} }}\n";
  const std::string squeezed =
      "def Xform \"s\" {{ float3 xformOp:scale = (1, 2, 1)\nuniform token[] xformOpOrder = "
      "[\"xformOp:scale\"]\n{} }}\n";
  const auto within = [](const std::string& outer, const std::string& inner) {
    return fmt::format(fmt::runtime(outer), inner);
  };
  EXPECT_NE(error_of(file(within(squeezed, within(turned, rigid("a"))))).find("shears"), std::string::npos);
  // The other way round the axes stay square.
  EXPECT_EQ(error_of(file(within(turned, within(squeezed, rigid("a"))))), "read");
  const std::string squeezed_can =
      within(squeezed, "def Cylinder \"c\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}");
  EXPECT_NE(error_of(file(rigid("a") + squeezed_can)).find("makes it another shape"), std::string::npos);
}

}  // namespace
}  // namespace espalier::formats
