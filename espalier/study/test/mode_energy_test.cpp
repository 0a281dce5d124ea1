#include "espalier/study/modes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

const EnergyPart& part_of(const std::vector<EnergyPart>& parts, const std::string& name) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const EnergyPart& part) { return part.name == name; });
  EXPECT_NE(found, parts.end()) << name;
  return *found;
}

// With u2 / u1 = r = (k1 + k2 - m1 w^2) / k2, twice the mean energies of a shape are w^2 m1 u1^2 and w^2 m2 u2^2 of the
// masses, k1 u1^2 and k2 (u2 - u1)^2 of the springs.
TEST(EnergyParts, OfTwoMassesAreThoseOfTheClosedForm) {
  const ModesAnswer answer = modes(comm::Comm::serial(), loaded_of(kMasses)).value();
  ASSERT_EQ(answer.results->modes.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const double w2 = std::pow(closed_frequencies()[k], 2);
    const double r = (kFirstSpring + kSecondSpring - kFirstMass * w2) / kSecondSpring;
    const double u1 = 1 / std::max(1.0, std::abs(r)), u2 = r * u1;
    const std::vector<EnergyPart> parts = energy_parts(answer, answer.results->modes[k].front());
    EXPECT_NEAR(part_of(parts, "first").energy.kinetic, w2 * kFirstMass * u1 * u1, 1e-8);
    EXPECT_NEAR(part_of(parts, "second").energy.kinetic, w2 * kSecondMass * u2 * u2, 1e-8);
    EXPECT_NEAR(part_of(parts, "spring").energy.potential, kFirstSpring * u1 * u1, 1e-8);
    EXPECT_NEAR(part_of(parts, "link").energy.potential, kSecondSpring * (u2 - u1) * (u2 - u1), 1e-8);
  }
}

TEST(EnergyParts, StandInTheOrderOfTheModel) {
  const ModesAnswer answer = modes(comm::Comm::serial(), loaded_of(kMasses)).value();
  std::vector<std::string> names;
  for (const EnergyPart& part : energy_parts(answer, answer.results->modes[0].front()))
    names.push_back(std::string(part.kind) + " " + part.name);
  EXPECT_EQ(names, (std::vector<std::string>{"bodies ground", "bodies first", "bodies second", "joints spring",
                                             "joints link"}));
}

// A beam is an elastic body: its element's energy is the body's, and that of both kinds is equal over a cycle.
TEST(EnergyParts, OfABeamBelongToItsBody) {
  ModesOptions options;
  options.count = 1;
  const ModesAnswer answer = modes(comm::Comm::serial(), loaded_of(kBeam), options).value();
  const std::vector<EnergyPart> parts = energy_parts(answer, answer.results->modes[0].front());
  const modes::Energy& rod = part_of(parts, "rod").energy;
  EXPECT_GT(rod.potential, 0);
  EXPECT_NEAR(rod.kinetic / rod.potential, 1, 1e-9);
}

}  // namespace
}  // namespace espalier::study
