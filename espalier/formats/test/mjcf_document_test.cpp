#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(MjcfDocument, AnglesAreDegreesUnlessTheCompilerSaysRadian) {
  const std::string hinge = body("a", "<joint name='j' range='-90 45'/>");
  EXPECT_NEAR(read(in_world(hinge)).joints[0].limits[0][1], kPi / 4, 1e-15);
  EXPECT_NEAR(read(in_world(hinge, "", "<compiler angle='radian'/>")).joints[0].limits[0][1], 45, 0);
  EXPECT_TRUE(read(in_world(hinge, "", "<compiler autolimits='false'/>")).joints[0].limits.empty());
}

TEST(MjcfDocument, ClassesInheritAndChildclassReachesDown) {
  const ModelSpec spec = read(in_world(
      "<body name='a' childclass='inner'>" + kMass + "<joint name='j'/>" +
          body("b", "<joint name='k' class='outer'/>") + body("c", "<joint name='l' damping='9'/>") + "</body>",
      "",
      "<default><joint armature='3'/><default class='outer'><joint damping='1' axis='1 0 0'/>"
      "<default class='inner'><joint damping='2'/></default></default></default>"));
  EXPECT_EQ(spec.joints[0].damping, std::vector<double>{2});
  EXPECT_EQ(spec.joints[0].armature, std::vector<double>{3});
  EXPECT_TRUE((spec.joints[0].in_b.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX(), 1e-12));
  EXPECT_EQ(spec.joints[1].damping, std::vector<double>{1});
  EXPECT_EQ(spec.joints[2].damping, std::vector<double>{9});
}

// main.xml includes parts/arm.xml, which includes parts/wrist.xml within a body: both are sought from main.xml.
TEST(MjcfDocument, IncludesWithinIncludesAreSoughtFromTheMainFile) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "espalier_mjcf_nested_include_test";
  std::filesystem::create_directories(folder / "parts");
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("main.xml", "<mujoco><worldbody><include file='parts/arm.xml'/></worldbody></mujoco>");
  write("parts/arm.xml",
        "<mujocoinclude>\n" + body("a", "<joint/>\n<include file='parts/wrist.xml'/>") + "</mujocoinclude>");
  write("parts/wrist.xml", "<mujocoinclude>\n\n\n" + body("b", "<joint name='j'/>") + "</mujocoinclude>");
  const std::string main = (folder / "main.xml").string();
  const Result<ModelSpec> spec = read_model(main);
  ASSERT_TRUE(spec) << to_string(spec.error());
  ASSERT_EQ(spec->bodies.size(), 2u);
  EXPECT_EQ(joint(*spec, "j").a, "a");
  EXPECT_EQ(named(spec->bodies, "b").where.line, 4);
  EXPECT_EQ(named(spec->bodies, "b").where.file, (folder / "parts/wrist.xml").string());
  write("parts/wrist.xml", "<mujocoinclude>\n" + body("b", "<joint type='spin'/>") + "</mujocoinclude>");
  EXPECT_EQ(to_string(read_model(main).error()).find((folder / "parts/wrist.xml").string() + ":2: "), 0u);
  write("parts/wrist.xml", "<mujocoinclude>\n<include file='parts/arm.xml'/></mujocoinclude>");
  const std::string ring = to_string(read_model(main).error());
  EXPECT_EQ(ring.find((folder / "parts/wrist.xml").string() + ":2: "), 0u) << ring;
  EXPECT_NE(ring.find("included a second time (or includes itself)"), std::string::npos) << ring;
  std::filesystem::remove_all(folder);
}

// main.xml includes arm.xml and motor.xml; a ring of includes ends with an error.
TEST(MjcfDocument, IncludesKeepTheirOwnFileAndLine) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "espalier_mjcf_include_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("main.xml", "<mujoco><worldbody><include file='arm.xml'/></worldbody><include file='motor.xml'/></mujoco>");
  write("arm.xml", "<mujocoinclude>\n\n" + body("a", "<joint name='j'/>") + "</mujocoinclude>");
  write("motor.xml", "<mujoco><actuator>\n<motor joint='k'/></actuator></mujoco>");
  const std::string main = (folder / "main.xml").string();
  EXPECT_EQ(to_string(read_model(main).error()),
            (folder / "motor.xml").string() + ":2: <motor> drives an unknown joint 'k'; did you mean 'j'?");
  write("motor.xml", "<mujoco><actuator>\n<motor joint='j'/></actuator></mujoco>");
  const Result<ModelSpec> spec = read_model(main);
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(spec->bodies[0].where.line, 3);
  EXPECT_EQ(spec->bodies[0].where.file, (folder / "arm.xml").string());
  EXPECT_TRUE(spec->joints[0].actuated);
  write("motor.xml", "<mujoco><include file='main.xml'/></mujoco>");
  EXPECT_NE(to_string(read_model(main).error()).find("included a second time"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace espalier::formats
