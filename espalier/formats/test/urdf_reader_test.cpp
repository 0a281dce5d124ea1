#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_support.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using model::ModelSpec;

TEST(UrdfReader, NotesWhatItDoesNotRead) {
  const ModelSpec spec = read(two_with("continuous", "<safety_controller k_velocity=\"1\"/><calibration/>") +
                              "<gazebo/><gazebo reference=\"a\"/>");
  EXPECT_TRUE(has_note(spec, "<safety_controller> in <joint>: not read"));
  EXPECT_TRUE(has_note(spec, "<calibration> in <joint>: not read"));
  EXPECT_TRUE(has_note(spec, "<gazebo> in <robot>: not read (2 times)"));
}

TEST(UrdfReader, NamesPlaceValueAndWayOutOfMistakes) {
  EXPECT_EQ(problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"bb\"/></joint>"),
            "r.urdf:3: joint 'j' names an unknown link 'bb'; did you mean 'b'?");
  EXPECT_EQ(problem("<link name=\"a\"/>\n<link name=\"a\"/>"),
            "r.urdf:3: two links are named 'a' (first in line 2); rename one");
  EXPECT_EQ(problem(two_with("fixed", "") +
                    "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>"),
            "r.urdf:4: two joints are named 'j' (first in line 3); rename one");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>",
                 "r.urdf:3: joint 'j' needs <parent");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>",
                 "r.urdf:3: joint 'j' needs <child");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"a\"/></joint>",
                 "r.urdf:3: joint 'j' joins link 'a' to itself");
  expect_problem(two_with("revolut", ""),
                 "r.urdf:3: joint 'j' has the unknown type 'revolut'; I read revolute, continuous, ");
  expect_problem(two_with("revolut", ""), "screw, free; did you mean 'revolute'?");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0 0\"/>"), "r.urdf:3: joint 'j' has a zero <axis>");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0 nan\"/>"), "'nan' in xyz of <axis> is not a finite number");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0\"/>"), "must be three numbers");
  expect_problem(two_with("continuous", "<origin xyz=\"0 0 1e999\"/>"), "not a finite number");
  expect_problem(two_with("screw", ""), "r.urdf:3: screw joint 'j' needs pitch");
  expect_problem(kTwo, "two links are no joint's child: 'a' (line 2) and 'b'");
  expect_problem(
      two_with("fixed", "") + "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>",
      "its parents form a ring");
  expect_problem("", "the robot has no <link>");
  expect_problem("<link/>", "r.urdf:2: <link> needs the attribute name");
  expect_problem("<link name=\"a\"><inertial/></link>", "needs <mass");
  expect_problem("<link name=\"a\"/><xacro:macro/>", "expand it first");
  expect_problem(two_with("continuous", "<mimic joint=\"jj\"/>"), "<mimic> of joint 'j' names an unknown joint 'jj'");
  expect_problem(two_with("continuous", "<dynamics damping=\"1 2\"/>"), "must be one number");
}

TEST(UrdfReader, NamesTheLineWhereTheXmlBreaksOff) {
  const Result<ModelSpec> spec = read_model_text("<robot name=\"r\">\n<link name=\"a\">\n", "r.urdf");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, ErrorCode::kSyntax);
  EXPECT_GT(spec.error().where.line, 0);
}

}  // namespace
}  // namespace espalier::formats
