#pragma once

// Two masses in a row on springs, whose frequencies and response are known in closed form.

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/load.hpp"
#include "espalier/study/test/tune_support.hpp"

namespace espalier::study {

// k1 and k2 [N/m] of kMasses, m1 and m2 [kg].
inline constexpr double kFirstSpring = 200, kSecondSpring = 500, kFirstMass = 2, kSecondMass = 1;

// m1 m2 x^2 - (m1 k2 + m2 (k1 + k2)) x + k1 k2 = 0 with x = omega^2 [rad/s].
inline std::array<double, 2> closed_frequencies(double k1 = kFirstSpring) {
  const double a = kFirstMass * kSecondMass, c = k1 * kSecondSpring;
  const double b = kFirstMass * kSecondSpring + kSecondMass * (k1 + kSecondSpring);
  const double root = std::sqrt(b * b - 4 * a * c);
  return {std::sqrt((b - root) / (2 * a)), std::sqrt((b + root) / (2 * a))};
}

inline LoadedModel loaded_of(const std::string& text) {
  Result<LoadedModel> loaded = load_text(text, "model.yaml");
  EXPECT_TRUE(loaded) << to_string(loaded.error());
  return *std::move(loaded);
}

}  // namespace espalier::study
