#include <memory>

#include "bench/peers/program.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/robotics.hpp"

namespace bench {
namespace {

namespace dynamics = espalier::dynamics;
using Eigen::Vector3d;

struct Ours {
  explicit Ours(const dynamics::System& given)
      : system(given), work(given), tree(given), v(given.drawn_rate()), unit(v.size(), 1), tau(given.velocity_size()) {}

  const dynamics::System& system;
  dynamics::Workspace work;
  dynamics::TreeWorkspace tree;
  std::vector<double> v;
  std::vector<double> unit;
  Eigen::VectorXd tau;
};

// From the spatial acceleration about the world's origin to that of the link's own point.
LinkAcceleration of_origin(const dynamics::LinkArrays& links, std::size_t link) {
  const Vector3d p = links.pose[link].position;
  const Vector3d w = links.velocity[link].head<3>();
  const Vector3d alpha = links.acceleration[link].head<3>();
  const Vector3d v = links.velocity[link].tail<3>() + w.cross(p);
  return {alpha, links.acceleration[link].tail<3>() + alpha.cross(p) + w.cross(v)};
}

void set_rate(Ours& ours, double factor) {
  for (std::size_t k = 0; k < ours.v.size(); ++k) ours.v[k] = factor * ours.system.drawn_rate()[k];
}

void forward(Ours& ours, double factor) {
  set_rate(ours, factor);
  dynamics::evaluate(ours.system, 0, ours.system.drawn(), ours.v, ours.work);
}

void inverse(Ours& ours, double factor) {
  set_rate(ours, factor);
  dynamics::update_tree(ours.system, ours.system.drawn(), ours.v, ours.tree);
  dynamics::inverse_dynamics(ours.system, ours.unit, ours.tree, ours.tau);
}

double angle_of_joint_zero(const dynamics::System& system, const std::vector<double>& q) {
  for (const dynamics::Link& link : system.links()) {
    if (link.joint == espalier::model::JointId(0)) return q[static_cast<std::size_t>(link.position)];
  }
  return 0;
}

Run simulate(const dynamics::System& system, double end, const Setting& setting) {
  dynamics::SimulateOptions options;
  options.run.end_time = end;
  options.run.output_step = end;
  options.integrator = setting.step > 0 ? dynamics::Integrator::kFixed : dynamics::Integrator::kRunge;
  options.step = setting.step;
  if (setting.accuracy > 0) options.tolerance = setting.accuracy;
  const auto sink = [](const espalier::model::Frame&) { return true; };
  const dynamics::RunState start = start_run(system, drawn_state(system));
  const double begin = thread_seconds();
  const dynamics::RunStatus status = dynamics::simulate(system, start, sink, options);
  return {.seconds = thread_seconds() - begin,
          .angle = angle_of_joint_zero(system, status.end.state.q),
          .steps = status.steps,
          .done = status.outcome == espalier::model::Outcome::kDone};
}

}  // namespace

Program make_espalier(const dynamics::System& system) {
  Program program;
  program.name = "espalier";
  const double before = allocated_bytes();
  const auto copy = std::make_shared<const dynamics::System>(system);
  const auto ours = std::make_shared<Ours>(*copy);
  program.bytes = allocated_bytes() - before;
  program.forward = [copy, ours](double factor) { forward(*ours, factor); };
  program.accelerations = [copy, ours] {
    dynamics::update_links(ours->system, ours->work);
    std::vector<LinkAcceleration> result;
    for (std::size_t k = 0; k < ours->system.links().size(); ++k) result.push_back(of_origin(ours->work.links(), k));
    return result;
  };
  if (system.closures().empty()) {
    program.inverse = [copy, ours](double factor) { inverse(*ours, factor); };
    program.efforts = [copy, ours] { return std::vector<double>(ours->tau.begin(), ours->tau.end()); };
  }
  program.simulate = [copy](double end, const Setting& setting) { return simulate(*copy, end, setting); };
  return program;
}

}  // namespace bench
