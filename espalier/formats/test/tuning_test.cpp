#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/tuning.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

TEST(Tuning, StandsInTheModelOrForItself) {
  const std::string model = "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n";
  const std::string section = "tune:\n  vary: {m: {path: bodies.a.mass, range: [1, 2]}}\n  goals: [{near: [1]}]\n";
  const Result<Tuning> tuning = read_tuning_text(model + section, "m.yaml");
  ASSERT_TRUE(tuning.has_value()) << to_string(tuning.error());
  EXPECT_EQ(tuning->parameters[0].where.line, 4);
  EXPECT_TRUE(read_tuning_text(section, "s.yaml").has_value());
  EXPECT_MENTIONS(to_string(read_tuning_text(model, "m.yaml").error()), "m.yaml:1: there is no section `tune`");
  EXPECT_MENTIONS(to_string(read_tuning_text("<robot/>", "m.urdf").error()), "`study` FILE");
  EXPECT_TRUE(read_model_text(model + section, "m.yaml").has_value());
}

}  // namespace
}  // namespace espalier::formats
