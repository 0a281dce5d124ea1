#include "espalier/dynamics/detail/dense.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_forces;
using detail::DenseWorkspace;
using detail::solve_accelerations;
using detail::update_bias;
using detail::update_mass_matrix;

constexpr int kTrees = 12;

void add_bushings(const ReferenceModel& reference, const model::Model& model, const System& system,
                  DenseWorkspace& work) {
  for (const GroundBushing& bushing : reference.bushings) {
    const auto body = std::find_if(model.bodies.begin(), model.bodies.end(),
                                   [&](const model::Body& b) { return b.name == bushing.body; });
    const BodyPlace& body_place = system.body_places()[to_index(body - model.bodies.begin())];
    const auto link = to_index(body_place.link);
    const Eigen::Vector3d point = work.links.pose[link] * body_place.X_LB * bushing.point;
    const Eigen::Vector3d rate = work.links.velocity[link].tail<3>() + work.links.velocity[link].head<3>().cross(point);
    const Eigen::Vector3d force =
        -bushing.stiffness.cwiseProduct(point - bushing.anchor) - bushing.damping.cwiseProduct(rate);
    work.links.force[link].head<3>() += point.cross(force);
    work.links.force[link].tail<3>() += force;
  }
}

// The largest difference of any body's accelerations at t = 0, relative to the largest acceleration of all.
double acceleration_error(const ReferenceModel& reference, const model::Model& model, const System& system,
                          const DenseWorkspace& work) {
  const nlohmann::json& bodies = reference.data["reference"]["outputs"][0]["bodies"];
  double largest = 0;
  double error = 0;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const nlohmann::json& expected = bodies[model.bodies[b].name];
    const BodyPlace& body_place = system.body_places()[b];
    const auto link = to_index(body_place.link);
    const Eigen::Vector3d com = work.links.pose[link] * body_place.X_LB * model.bodies[b].inertia.com;
    const Eigen::Vector3d w = work.links.velocity[link].head<3>();
    const Eigen::Vector3d alpha = work.links.acceleration[link].head<3>();
    // Of the body's point: the spatial acceleration belongs to whatever point passes the origin.
    const Eigen::Vector3d v_com = work.links.velocity[link].tail<3>() + w.cross(com);
    const Eigen::Vector3d a_com = work.links.acceleration[link].tail<3>() + alpha.cross(com) + w.cross(v_com);
    const Eigen::Vector3d expected_a = read_vector(expected["a_com"]);
    const Eigen::Vector3d expected_alpha = read_vector(expected["alpha_world"]);
    largest = std::max({largest, expected_a.norm(), expected_alpha.norm()});
    error = std::max({error, (a_com - expected_a).norm(), (alpha - expected_alpha).norm()});
  }
  return error / std::max(largest, 1e-30);
}

TEST(SolveAccelerations, AgreesWithEveryReferenceOnEveryTree) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    double worst = 0;
    for (std::uint32_t key = 0; key < kTrees; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      DenseWorkspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      update_kinematics(system, 0, q, v, work);
      EXPECT_LT(work.residual.size() == 0 ? 0 : work.residual.cwiseAbs().maxCoeff(), 1e-9) << "tree " << key;
      Eigen::VectorXd effort = Eigen::VectorXd::Zero(system.velocity_size());
      add_forces(system, 0, q, v, work.links, effort);
      add_bushings(reference, *model, system, work);
      update_bias(system, work);
      update_mass_matrix(system, work);
      solve_accelerations(system, effort, 1e-6, work);
      worst = std::max(worst, acceleration_error(reference, *model, system, work));
    }
    std::printf("%-34s %.1e\n", reference.name.c_str(), worst);
    EXPECT_LT(worst, 1e-9);
  }
}

// q after a short time h at the velocities v.
std::vector<double> moved(const System& system, std::vector<double> q, const std::vector<double>& v, double h) {
  for (const Link& link : system.links()) {
    const auto size = to_index(model::joint_kind(link.type).position_size);
    const std::span<double> position(q.data() + link.position, size);
    std::vector<double> rate(size);
    model::position_rate(link.type, position, {v.data() + link.velocity, to_index(link.freedom)}, rate);
    for (std::size_t k = 0; k < size; ++k) position[k] += h * rate[k];
  }
  return q;
}

// From a closed pose at any velocities, also such that open the loops: d(residual)/dt = G v.
TEST(UpdateKinematics, ResidualsGrowAsTheJacobianSays) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < kTrees; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      if (system.rows() == 0) continue;
      DenseWorkspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      Random random(11, key);
      for (double& rate : v) rate = random.uniform(-1, 1);
      constexpr double h = 1e-5;
      update_kinematics(system, 0, moved(system, q, v, h), v, work);
      const Eigen::VectorXd after = work.residual;
      update_kinematics(system, 0, moved(system, q, v, -h), v, work);
      const Eigen::VectorXd before = work.residual;
      update_kinematics(system, 0, q, v, work);
      const Eigen::VectorXd expected = work.G * Eigen::Map<const Eigen::VectorXd>(v.data(), work.G.cols());
      EXPECT_LT(((after - before) / (2 * h) - expected).cwiseAbs().maxCoeff(), 1e-6) << "tree " << key;
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics
