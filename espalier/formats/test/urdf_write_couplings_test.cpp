#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/urdf_round_trip.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using model::JointType;
using model::ModelSpec;

// Two hinges, the second follows the first; and what <mimic> cannot say.
TEST(UrdfWriteCouplings, KeepsCouplings) {
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

}  // namespace
}  // namespace espalier::formats
