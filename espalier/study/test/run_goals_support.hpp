#pragma once

// Mechanisms whose motion is known in closed form, for goals on their runs.

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/tune_support.hpp"

namespace espalier::study {

// 1 kg on a spring along x, pushed off at 1 m/s: x = sin(w t) / w with w = sqrt(k).
inline const std::string kOscillator = R"(espalier: 1
gravity: [0, 0, 0]
bodies: [{name: block, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: slide, type: prismatic, between: [ground, block], at: {axis: [1, 0, 0]}, stiffness: 2, damping: 0,
     velocity: 1}
)";

// A point of 1 kg at the end of a rod without mass, pushed off slowly. Half a period of it is pi sqrt(L / g).
inline const std::string kSlowPendulum = R"(espalier: 1
gravity: [0, 0, -9.81]
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [1e-9, 1e-9, 1e-9]}]
joints: [{name: pin, type: revolute, between: [ground, bob], at: {axis: [1, 0, 0]}, velocity: 0.01}]
)";

// A block that slides on a floor with 1 m/s until friction has stopped it, after 1 / (2 mu g).
inline const std::string kSlidingBlock = R"(espalier: 1
contact: {friction: 0.3, restitution: 0}
bodies:
  - {name: ground, shapes: [{plane: {}}]}
  - {name: block, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.05]},
     velocity: {linear: [1, 0, 0]}, shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}
)";

// The end of the oscillator after 1 s is to be that of k = 4.
inline const std::string kEndOfOscillator = R"(vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}
goals: [{end: slide.position, target: 0.45464871341284085}]
simulate: {end: 1, tolerance: 1e-9}
population: 8
generations: 12
)";

// The same from files, for goals that name a table.
inline Result<DesignSpace> read_space(const std::filesystem::path& folder, const std::string& model,
                                      const std::string& tuning, const std::string& table) {
  std::ofstream(folder / "table.csv") << table;
  std::ofstream(folder / "study.yaml") << tuning;
  Result<formats::ModelVariants> variants = formats::ModelVariants::read_text(model, "model.yaml");
  ESPALIER_TRY(variants);
  Result<formats::Tuning> read = formats::read_tuning(folder / "study.yaml");
  ESPALIER_TRY(read);
  return make_design_space(*std::move(variants), *std::move(read));
}

inline Tuned find(const DesignSpace& space, const DesignSearch& how = {}) {
  Result<Tuned> tuned = find_design(comm::Comm::serial(), space, how);
  EXPECT_TRUE(tuned.has_value()) << to_string(tuned.error());
  return tuned.value_or(Tuned());
}

}  // namespace espalier::study
