#pragma once

// Small mechanisms for tests, and what is compared between trees.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"

namespace espalier::dynamics {

// All of test/data, read once.
inline const std::vector<ReferenceModel>& reference_models() {
  static const std::vector<ReferenceModel> models = [] {
    std::vector<ReferenceModel> read;
    for (const std::filesystem::path& file : reference_files()) read.push_back(read_reference(file));
    return read;
  }();
  return models;
}

inline model::BodySpec make_body(const std::string& name, double mass, const Eigen::Vector3d& com,
                                 const Eigen::Vector3d& moments) {
  model::BodySpec body;
  body.name = name;
  body.mass = mass;
  body.com = com;
  body.inertia = moments.asDiagonal();
  return body;
}

// Frames of both bodies at the same place of the drawn world; z is the axis.
inline model::JointSpec make_joint(const std::string& name, model::JointType type, const std::string& a,
                                   const std::string& b, const math::Pose& at = {}) {
  model::JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  joint.at = at;
  return joint;
}

// The system on the plan's own choice of tree.
inline System planned_system(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  return make_system(*model, mechanism, *plan::make_plan(*model));
}

// Classical Runge-Kutta steps without projection, for systems without loops and quaternions.
inline void run_steps(const System& system, double& time, double h, int steps, std::vector<double>& q,
                      std::vector<double>& v, Workspace& work) {
  const auto n = static_cast<Eigen::Index>(v.size());
  Eigen::Map<Eigen::VectorXd> q_now(q.data(), n), v_now(v.data(), n);
  const auto at = [&](double dt, const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) -> Eigen::VectorXd {
    const Eigen::VectorXd q_at = q_now + dt * dq, v_at = v_now + dt * dv;
    evaluate(system, time + dt, {q_at.data(), q.size()}, {v_at.data(), v.size()}, work);
    return work.qdd();
  };
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(n);
  for (int step = 0; step < steps; ++step) {
    const Eigen::VectorXd a1 = at(0, none, none), v1 = v_now;
    const Eigen::VectorXd a2 = at(h / 2, v1, a1), v2 = v_now + h / 2 * a1;
    const Eigen::VectorXd a3 = at(h / 2, v2, a2), v3 = v_now + h / 2 * a2;
    const Eigen::VectorXd a4 = at(h, v3, a3), v4 = v_now + h * a3;
    q_now += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v_now += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    time += h;
  }
}

// Accelerations of all bodies after evaluate, one below the other: what no tree may change.
inline Eigen::VectorXd body_accelerations(const System& system, Workspace& work) {
  update_links(system, work);
  Eigen::VectorXd all(6 * static_cast<Eigen::Index>(system.body_places().size()));
  for (std::size_t b = 0; b < system.body_places().size(); ++b) {
    all.segment<6>(6 * static_cast<Eigen::Index>(b)) =
        work.links().acceleration[to_index(system.body_places()[b].link)];
  }
  return all;
}

}  // namespace espalier::dynamics
