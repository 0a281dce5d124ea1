#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/record/result_file.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::record {
namespace {

TEST(ResultLayout, NamesEveryNumberOfAMechanism) {
  for (const char* name : {"four_bar", "stewart", "delta", "double_wishbone", "boxes"}) {
    const auto spec = formats::read_model(source_dir() + "/models/" + name + ".yaml");
    ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
    const auto model = model::compile(*spec);
    ASSERT_TRUE(model.has_value()) << to_string(model.error());
    const auto plan = plan::make_plan(*model);
    ASSERT_TRUE(plan.has_value());
    const dynamics::System system = dynamics::make_system(*model, plan::make_mechanism(*model), *plan);
    const ResultLayout layout = make_layout(system);
    EXPECT_EQ(static_cast<int>(layout.q.size()), system.position_size()) << name;
    EXPECT_EQ(static_cast<int>(layout.v.size()), system.velocity_size()) << name;
    std::set<std::string> names;
    for (const Column& column : layout.joint_position) names.insert(column.name);
    EXPECT_EQ(names.size(), layout.joint_position.size()) << name;
    // The names stand in the order of the numbers.
    for (const dynamics::Link& link : system.links()) {
      if (!link.joint.valid() || link.freedom == 0) continue;
      const std::string& joint = model->joint(link.joint).name;
      EXPECT_EQ(layout.q[to_index(link.position)].name.substr(0, joint.size()), joint);
      EXPECT_EQ(layout.v[to_index(link.velocity)].name.substr(0, joint.size()), joint);
    }
  }
}

// A hinge has the name of its joint; a ball has four numbers of position and three of velocity.
TEST(ResultLayout, NamesAreThoseOfTheCoordinatesWithTheirUnits) {
  const std::string text =
      "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints:\n  - {name: h, type: revolute, between: [ground, a], at: {position: [0, 0, 0]}}\n"
      "  - {name: c, type: cylindrical, between: [a, b], at: {position: [1, 0, 0]}}\n"
      "  - {name: s, type: spherical, between: [ground, b], at: {position: [2, 0, 0]}}\n";
  const auto model = model::compile(*formats::read_model_text(text, "m.yaml"));
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  const auto plan = plan::make_plan(*model);
  const ResultLayout layout = make_layout(dynamics::make_system(*model, plan::make_mechanism(*model), *plan));
  EXPECT_EQ(layout.joint_position,
            (std::vector<Column>{{"h", "rad"}, {"c.z", "m"}, {"c.rz", "rad"}, {"s.qw", "1"}, {"s.qx", "1"},
                                 {"s.qy", "1"}, {"s.qz", "1"}}));
  EXPECT_EQ(layout.joint_velocity,
            (std::vector<Column>{{"h", "rad/s"}, {"c.z", "m/s"}, {"c.rz", "rad/s"}, {"s.rx", "rad/s"},
                                 {"s.ry", "rad/s"}, {"s.rz", "rad/s"}}));
  EXPECT_EQ(layout.joint_types, (std::vector<std::string>{"revolute", "cylindrical", "spherical"}));
  EXPECT_EQ(layout.bodies, (std::vector<std::string>{"ground", "a", "b"}));
}

}  // namespace
}  // namespace espalier::record
