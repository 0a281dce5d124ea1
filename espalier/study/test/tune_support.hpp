#pragma once

// Small systems whose best designs are known in closed form.

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::study {

inline constexpr double kTurn = 2 * std::numbers::pi;

// ground --spring--[2 kg]--link--[1 kg]   along x
inline const std::string kMasses = R"(espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: first, mass: 2, inertia: [1, 1, 1]}
  - {name: second, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: spring, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200, damping: 0}
  - {name: link, type: prismatic, between: [first, second], at: {axis: [1, 0, 0]}, stiffness: 500}
)";

// A clamped beam of 1 m that bends in one plane.
inline const std::string kBeam = R"(espalier: 1
gravity: [0, 0, 0]
active: [y, rz]
materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}
bodies:
  - {name: rod, kind: beam, from: [0, 0, 0], to: [1, 0, 0], y_axis: [0, 1, 0], section: {b: 0.02, h: 0.01},
     material: steel}
joints:
  - {name: clamp, type: fixed, between: [ground, rod], at: {position: [0, 0, 0]}}
)";

inline Result<DesignSpace> read_space(const std::string& model, const std::string& tuning) {
  Result<formats::ModelVariants> variants = formats::ModelVariants::read_text(model, "model.yaml");
  ESPALIER_TRY(variants);
  Result<formats::Tuning> read = formats::read_tuning_text(tuning, "study.yaml");
  ESPALIER_TRY(read);
  return make_design_space(*std::move(variants), *std::move(read));
}

inline DesignSpace space_of(const std::string& model, const std::string& tuning) {
  Result<DesignSpace> space = read_space(model, tuning);
  EXPECT_TRUE(space.has_value()) << to_string(space.error());
  return *std::move(space);
}

// Both frequencies of kMasses at 1 and 3 Hz.
inline const std::string kTwoFrequencies = R"(vary:
  spring: {path: joints.spring.stiffness, range: [10, 1000], scale: log}
  link: {path: joints.link.stiffness, range: [10, 1000], scale: log}
goals: [{near: [1, 3]}]
population: 12
generations: 12
)";

// The same numbers, where NaN is a number like any other.
inline std::vector<double> comparable(std::vector<double> numbers) {
  for (double& x : numbers) x = std::isnan(x) ? std::numeric_limits<double>::max() : x;
  return numbers;
}

// Bits of both, history and all.
inline void expect_same_state(const TuneState& a, const TuneState& b) {
  EXPECT_EQ(a.study, b.study);
  EXPECT_EQ(a.search.generation, b.search.generation);
  EXPECT_EQ(a.search.memory, b.search.memory);
  EXPECT_EQ(a.search.evaluations, b.search.evaluations);
  EXPECT_EQ(a.search.best.parameters, b.search.best.parameters);
  EXPECT_EQ(a.search.best.goals, b.search.best.goals);
  ASSERT_EQ(a.search.population.size(), b.search.population.size());
  for (std::size_t k = 0; k < a.search.population.size(); ++k) {
    EXPECT_EQ(a.search.population[k].parameters, b.search.population[k].parameters);
    EXPECT_EQ(comparable(a.search.population[k].goals), comparable(b.search.population[k].goals));
  }
  ASSERT_EQ(a.search.archive.size(), b.search.archive.size());
  for (std::size_t k = 0; k < a.search.archive.size(); ++k) {
    EXPECT_EQ(a.search.archive[k].parameters, b.search.archive[k].parameters);
  }
  EXPECT_EQ(a.search.gain.generation, b.search.gain.generation);
  ASSERT_EQ(a.search.gain.designs.size(), b.search.gain.designs.size());
  for (std::size_t k = 0; k < a.search.gain.designs.size(); ++k) {
    EXPECT_EQ(a.search.gain.designs[k].parameters, b.search.gain.designs[k].parameters);
  }
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) {
    EXPECT_EQ(a.history[k].generation, b.history[k].generation);
    EXPECT_EQ(a.history[k].best, b.history[k].best);
    EXPECT_EQ(a.history[k].mean, b.history[k].mean);
    EXPECT_EQ(a.history[k].parameters, b.history[k].parameters);
    EXPECT_EQ(a.history[k].frequencies, b.history[k].frequencies);
  }
}

}  // namespace espalier::study
