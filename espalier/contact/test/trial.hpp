#pragma once

// A scene that a test moves step by step on one rank.

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact {

struct Trial {
  comm::Comm comm = comm::Comm::serial();
  Scene scene;
  detail::Domain domain;
  StepReport last;

  Trial(const model::ModelSpec& spec, const Settings& settings) : scene(compile_scene(spec)) {
    domain = detail::make_domain(comm, scene, settings);
  }
  void one() {
    last = step(comm, domain);
    ASSERT_TRUE(last.solved.converged) << "t = " << domain.time << ", left " << last.solved.accuracy.natural;
  }
  void to(double time) {
    while (domain.time < time - 1e-12 && !testing::Test::HasFatalFailure()) one();
  }
  const Body& body(int id) const { return domain.bodies[to_index(id)].body; }
  Eigen::Vector3d at(int id) const { return position(body(id).state.q); }
  Eigen::Vector3d speed(int id) const { return Eigen::Vector3d(body(id).state.u.data()); }
  Eigen::Vector3d spin(int id) const {
    return rotation(body(id).state.q) * Eigen::Vector3d(body(id).state.u.data() + 3);
  }
};

inline Settings fine_settings(double h, double tolerance = 1e-10) {
  Settings result;
  result.step = h;
  result.solve.tolerance = tolerance;
  result.solve.max_sweeps = 5000;
  return result;
}

// Nothing to touch: the ground without its half space.
inline model::ModelSpec empty_space() {
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.bodies.front().shapes.clear();
  return spec;
}

}  // namespace espalier::contact
