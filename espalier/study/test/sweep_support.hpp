#pragma once

// A pendulum whose length and start vary, and a folder for its runs.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/sweep.hpp"

namespace espalier::study {

// A point of 1 kg on a rod along -z, turning about x.
inline const char* const kPendulum = R"(espalier: 1
name: pendulum
gravity: [0, 0, -9.81]
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [0.001, 0.001, 0.001]}]
joints: [{name: pin, type: revolute, between: [ground, bob], at: {position: [0, 0, 0], axis: [1, 0, 0]}}]
)";

struct Fixture {
  LoadedModel loaded = *load_text(kPendulum, "pendulum.yaml");
  formats::ModelVariants variants = *formats::ModelVariants::read_text(kPendulum, "pendulum.yaml");
  formats::Sweep sweep;
  SweepOptions options;

  explicit Fixture(const std::filesystem::path& folder) {
    sweep.parameters = {*formats::parse_vary("joints.pin.velocity=0.1:2"),
                        *formats::parse_vary("gravity.2=-9.81,-1.62")};
    sweep.samples = 6;
    options.run.folder = folder;
    options.run.end_time = 0.5;
  }

  Result<SweepAnswer> compute(const comm::Comm& comm = comm::Comm::serial()) const {
    return study::sweep(comm, loaded, variants, sweep, options);
  }
};

}  // namespace espalier::study
