#pragma once

// Runs of the reference models, and how far they are from the published trajectories.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::dynamics {

// The reference's bushings to ground as a force law of the caller's own.
inline void set_bushings(const ReferenceModel& reference, System& system) {
  struct Tyre {
    BodyPlace body_place;
    GroundBushing law;
  };
  std::vector<Tyre> tyres;
  for (const GroundBushing& bushing : reference.bushings) {
    for (std::size_t b = 0; b < system.body_places().size(); ++b) {
      if (system.model().bodies[b].name == bushing.body) tyres.push_back({system.body_places()[b], bushing});
    }
  }
  if (tyres.empty()) return;
  system.set_callback([tyres](double, LinkArrays& links) {
    for (const Tyre& tyre : tyres) {
      const auto link = to_index(tyre.body_place.link);
      const Eigen::Vector3d point = links.pose[link] * tyre.body_place.X_LB * tyre.law.point;
      const math::SpatialVector& velocity = links.velocity[link];
      const Eigen::Vector3d rate = velocity.tail<3>() + velocity.head<3>().cross(point);
      const Eigen::Vector3d force =
          -tyre.law.stiffness.cwiseProduct(point - tyre.law.anchor) - tyre.law.damping.cwiseProduct(rate);
      links.force[link].head<3>() += point.cross(force);
      links.force[link].tail<3>() += force;
    }
  });
}

inline System reference_system(const ReferenceModel& reference) {
  const Result<model::Model> model = model::compile(reference.spec);
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  System system = make_system(*model, mechanism, *plan::make_plan(network, {}));
  set_bushings(reference, system);
  return system;
}

inline RunState reference_start(const ReferenceModel& reference, const System& system) {
  State state;
  gather_state(system, reference.state, state.q, state.v);
  return start_run(system, state);
}

// Largest distance of a centre of mass from where it should be [m], and angle between a body and how it should stand.
inline double frame_error(const System& system, const nlohmann::json& bodies, const model::Frame& frame) {
  double error = 0;
  for (std::size_t b = 1; b < system.model().bodies.size(); ++b) {
    const nlohmann::json& expected = bodies[system.model().bodies[b].name];
    const double* pose = frame.body_pose.data() + 7 * b;
    const Eigen::Quaterniond turned(pose[3], pose[4], pose[5], pose[6]);
    const Eigen::Vector3d com =
        Eigen::Vector3d(pose[0], pose[1], pose[2]) + turned * system.model().bodies[b].inertia.com;
    const nlohmann::json& q = expected["quat_wxyz"];
    const Eigen::Quaterniond wanted(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>());
    error = std::max(error, (com - read_vector(expected["com"])).norm());
    error = std::max(error, 2 * (turned.conjugate() * wanted.normalized()).vec().norm());
  }
  return error;
}

struct ReferenceRun {
  RunStatus status;
  double position_error = 0;  // [m] and [rad], largest of all outputs
  std::size_t outputs = 0;    // compared
};

// Runs from one output of the reference to the next, or to `end_time` if that is earlier.
inline ReferenceRun run_reference(const ReferenceModel& reference, const System& system, SimulateOptions options,
                                  double end_time) {
  const nlohmann::json& outputs = reference.data["reference"]["outputs"];
  ReferenceRun result;
  options.run.output_step = outputs[1]["t"].get<double>() - outputs[0]["t"].get<double>();
  options.run.end_time = std::min(end_time, outputs.back()["t"].get<double>());
  const model::Sink sink = [&](const model::Frame& frame) {
    for (const nlohmann::json& output : outputs) {
      if (std::abs(output["t"].get<double>() - frame.time) > 1e-9 * (1 + frame.time)) continue;
      result.position_error = std::max(result.position_error, frame_error(system, output["bodies"], frame));
      ++result.outputs;
    }
    return true;
  };
  result.status = simulate(system, reference_start(reference, system), sink, options);
  return result;
}

}  // namespace espalier::dynamics
