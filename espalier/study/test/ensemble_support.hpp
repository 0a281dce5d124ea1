#pragma once

// A pendulum whose length and start vary, and a folder for its runs.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/study/ensemble.hpp"

namespace espalier::study {

// A point of 1 kg on a rod along -z, turning about x.
inline const char* const kPendulum = R"(espalier: 1
name: pendulum
gravity: [0, 0, -9.81]
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [0.001, 0.001, 0.001]}]
joints: [{name: pin, type: revolute, between: [ground, bob], at: {position: [0, 0, 0], axis: [1, 0, 0]}}]
)";

struct Fixture {
  formats::ModelVariants model = *formats::ModelVariants::read_text(kPendulum, "pendulum.yaml");
  plan::Plan plan = *plan::make_plan(*model::compile(*model.with({})));
  formats::Sweep sweep;
  EnsembleOptions options;

  explicit Fixture(const std::filesystem::path& folder) {
    sweep.parameters = {*formats::parse_vary("joints.pin.velocity=0.1:2"), *formats::parse_vary("gravity.2=-9.81,-1.62")};
    sweep.samples = 6;
    options.folder = folder;
    options.simulate.run.end_time = 0.5;
  }
};

}  // namespace espalier::study
