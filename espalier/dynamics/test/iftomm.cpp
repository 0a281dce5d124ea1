// How accurate and how fast are the benchmark problems A01 to A05 of the IFToMM library of multibody systems?
// Errors are against the pendulum that A01 and A02 come down to, moved in steps of 0.1 ms, and against the references
// of test/data; seconds are the least of five runs, one thread, frames handed out and nothing written. Published
// seconds are others', on their machines. Built with the benchmarks.
//   error  A01, A02: root mean square over outputs and x, y of |x - reference| / max(|reference|, 1e-3 m), for the
//          pendulum's mass or the tip of the first crank; A03 to A05: largest distance [m] and angle [rad] of any body
//   energy largest error of the energy balance [J]
// Usage: iftomm [CSV]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/test/reference_run.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {
namespace {

constexpr double kGravity = 9.81;    // [m/s^2]
constexpr double kThreshold = 1e-3;  // [m]
constexpr int kRuns = 5;

// What A01 and A02 come down to: angle'' = -pull cos(angle), the angle from the x axis. While all cranks of A02 stay
// parallel it is one pendulum.
struct Pendulum {
  double pull = kGravity;  // [1/s^2]
  double angle = 0;        // [rad]
  double rate = 0;         // [rad/s]

  // Classical Runge-Kutta steps of 0.1 ms: good to 1e-9 m after 2000 s.
  void move(double duration) {
    const auto steps = static_cast<int>(std::round(duration / 1e-4));
    const double h = duration / steps;
    const auto slope = [&](double at) { return -pull * std::cos(at); };
    for (int k = 0; k < steps; ++k) {
      const double a1 = slope(angle), v1 = rate;
      const double a2 = slope(angle + h / 2 * v1), v2 = rate + h / 2 * a1;
      const double a3 = slope(angle + h / 2 * v2), v3 = rate + h / 2 * a2;
      const double a4 = slope(angle + h * v3), v4 = rate + h * a3;
      angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
};

struct Line {
  std::string problem;
  double end_time = 0;  // [s]
  Integrator integrator = Integrator::kRunge;
  double tolerance = 0;
  std::string asked;      // what the rules ask
  std::string published;  // seconds, whose
  double error = 0;
  RunStatus status;
};

model::BodySpec bar(const std::string& name, const math::Pose& pose) {
  model::BodySpec body;
  body.name = name;
  body.mass = 1;
  body.com = Eigen::Vector3d(0.5, 0, 0);
  body.inertia = Eigen::Vector3d(0.001, 1.0 / 12, 1.0 / 12).asDiagonal();
  body.pose = pose;
  return body;
}

model::JointSpec hinge(const std::string& name, const std::string& a, const std::string& b, double x, double y) {
  model::JointSpec joint;
  joint.name = name;
  joint.a = a;
  joint.b = b;
  joint.at = math::Pose{{x, y, 0}, Eigen::Quaterniond::Identity()};
  return joint;
}

// N windows in a row: N + 1 cranks that stand upright, 1 m apart, and N couplers of 1 m.
model::ModelSpec four_bars(int windows) {
  model::ModelSpec spec;
  spec.name = "A02";
  spec.gravity = {0, -kGravity, 0};
  const Eigen::Quaterniond upright(Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ()));
  for (int k = 0; k <= windows; ++k) {
    const std::string crank = "crank" + std::to_string(k);
    spec.bodies.push_back(bar(crank, {{static_cast<double>(k), 0, 0}, upright}));
    spec.bodies.back().velocity = model::VelocitySpec{Eigen::Vector3d::Zero(), {0, 0, -1}};
    spec.joints.push_back(hinge("A" + std::to_string(k), "ground", crank, k, 0));
  }
  for (int k = 0; k < windows; ++k) {
    const std::string coupler = "coupler" + std::to_string(k);
    spec.bodies.push_back(bar(coupler, {{static_cast<double>(k), 1, 0}, Eigen::Quaterniond::Identity()}));
    spec.bodies.back().velocity = model::VelocitySpec{{1, 0, 0}, Eigen::Vector3d::Zero()};
    spec.joints.push_back(hinge("B" + std::to_string(k), "crank" + std::to_string(k), coupler, k, 1));
    spec.joints.push_back(hinge("C" + std::to_string(k), coupler, "crank" + std::to_string(k + 1), k + 1, 1));
  }
  return spec;
}

// A point of 1 kg at 1 m from its hinge, level with it, at rest.
model::ModelSpec pendulum() {
  model::ModelSpec spec;
  spec.name = "A01";
  spec.gravity = {0, -kGravity, 0};
  spec.impossible_inertia_allowed = true;
  spec.bodies.push_back(bar("bob", {{0, 0, 0}, Eigen::Quaterniond(0, 0, 0, 1)}));
  spec.bodies.back().com = Eigen::Vector3d(1, 0, 0);
  spec.bodies.back().inertia = Eigen::Matrix3d::Zero();
  spec.joints.push_back(hinge("pivot", "ground", "bob", 0, 0));
  return spec;
}

System planned(const model::ModelSpec& spec) {
  const model::Model model = *model::compile(spec);
  return make_system(model, plan::make_mechanism(model), *plan::make_plan(model));
}

SimulateOptions options_of(const Line& line, double output_step) {
  SimulateOptions options;
  options.run.end_time = line.end_time;
  options.run.output_step = output_step;
  options.integrator = line.integrator;
  options.tolerance = line.tolerance;
  return options;
}

// The first body's point (1, 0, 0) against the pendulum.
void run_pendulum(const model::ModelSpec& spec, Pendulum expected, double output_step, Line& line) {
  const System system = planned(spec);
  std::vector<Eigen::Vector2d> reference;
  const auto outputs = static_cast<std::size_t>(std::round(line.end_time / output_step));
  for (std::size_t k = 0; k <= outputs; ++k) {
    reference.emplace_back(std::cos(expected.angle), std::sin(expected.angle));
    expected.move(output_step);
  }
  const RunState start = start_run(system, find_start(system).state);
  for (int run = 0; run < kRuns; ++run) {
    double sum = 0;
    std::size_t k = 0;
    const model::Sink sink = [&](const model::Frame& frame) {
      const double* pose = frame.body_pose.data() + 7;
      const Eigen::Quaterniond turned(pose[3], pose[4], pose[5], pose[6]);
      const Eigen::Vector3d tip = Eigen::Vector3d(pose[0], pose[1], pose[2]) + turned * Eigen::Vector3d::UnitX();
      const Eigen::Vector2d& wanted = reference[std::min(k++, outputs)];
      for (Eigen::Index c = 0; c < 2; ++c)
        sum += std::pow((tip[c] - wanted[c]) / std::max(std::abs(wanted[c]), kThreshold), 2);
      return true;
    };
    RunStatus status = simulate(system, start, sink, options_of(line, output_step));
    line.error = std::sqrt(sum / static_cast<double>(2 * k));
    if (run == 0 || status.seconds < line.status.seconds) line.status = std::move(status);
  }
}

void run_file(const std::string& name, Line& line) {
  const ReferenceModel reference = read_reference(source_dir() + "/espalier/dynamics/test/data/" + name + ".json");
  const System system = reference_system(reference);
  for (int run = 0; run < kRuns; ++run) {
    ReferenceRun result = run_reference(reference, system, options_of(line, 0), line.end_time);
    line.error = result.position_error;
    if (run == 0 || result.status.seconds < line.status.seconds) line.status = std::move(result.status);
  }
}

const char* word(Integrator integrator) { return integrator == Integrator::kImplicit ? "implicit" : "runge"; }

void print(const Line& line, std::FILE* csv) {
  const RunStatus& s = line.status;
  std::printf("%-12s %6g %-8s %7.0e %9.1e %9.1e %7lld %9.4f %8.0f  %-22s %s\n", line.problem.c_str(), line.end_time,
              word(line.integrator), line.tolerance, line.error, s.energy_error, static_cast<long long>(s.steps),
              s.seconds, line.end_time / s.seconds, line.asked.c_str(), line.published.c_str());
  if (!s.message.empty()) std::printf("  %s\n", s.message.c_str());
  if (csv == nullptr) return;
  std::fprintf(csv, "%s,%g,%s,%g,%.3g,%.3g,%lld,%.4g,\"%s\",\"%s\"\n", line.problem.c_str(), line.end_time,
               word(line.integrator), line.tolerance, line.error, s.energy_error, static_cast<long long>(s.steps),
               s.seconds, line.asked.c_str(), line.published.c_str());
}

Pendulum four_bar_pendulum(int windows) {
  const double cranks = windows + 1;
  return {kGravity * (cranks / 2 + windows) / (cranks / 3 + windows), std::numbers::pi / 2, -1};
}

bool run_all(std::FILE* csv) {
  using enum Integrator;
  const Pendulum level{kGravity, std::numbers::pi, 0};
  bool good = true;
  const auto run = [&](Line line, const std::function<void(Line&)>& how) {
    how(line);
    print(line, csv);
    good = good && line.status.outcome == model::Outcome::kDone;
  };
  const auto a01 = [&](double step) { return [&, step](Line& line) { run_pendulum(pendulum(), level, step, line); }; };
  const auto a02 = [](int n, double step) {
    return [n, step](Line& line) { run_pendulum(four_bars(n), four_bar_pendulum(n), step, line); };
  };
  const auto file = [](const char* name) { return [name](Line& line) { run_file(name, line); }; };
  run({"A01", 2000, kRunge, 1e-9, "2005: error < 1e-1", "-", 0, {}}, a01(0.5));
  run({"A01", 2000, kRunge, 1e-11, "2005: error < 1e-3", "-", 0, {}}, a01(0.5));
  run({"A01", 10, kRunge, 1e-7, "2015: energy < 5e-5 J", "0.637 OpenSim, i5-4570", 0, {}}, a01(0.1));
  run({"A02 N=40", 20, kRunge, 1e-5, "2005: error < 1e-1", "-", 0, {}}, a02(40, 0.05));
  run({"A02 N=40", 20, kRunge, 1e-8, "2005: error < 1e-3", "-", 0, {}}, a02(40, 0.05));
  run({"A02 N=2", 10, kRunge, 1e-6, "", "0.455 OpenSim, i5-4570; 0.0776 Exudyn, i9, 0.114 J", 0, {}}, a02(2, 0.1));
  run({"A03", 0.03, kRunge, 1e-7, "", "0.384 OpenSim, i5-4570", 0, {}}, file("a03_andrews_squeezer_testset"));
  run({"A04", 10, kRunge, 1e-7, "", "0.258 OpenSim, i5-4570", 0, {}}, file("a04_bricard"));
  run({"A05", 10, kImplicit, 1e-6, "real time", "0.233 OpenSim, i5-4570", 0, {}}, file("a05_stiff_flyball_governor"));
  return good;
}

}  // namespace
}  // namespace espalier::dynamics

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) {
    std::perror(argv[1]);
    return 1;
  }
  if (csv != nullptr)
    std::fputs("problem,end_time,integrator,tolerance,error,energy_error,steps,seconds,asked,published\n", csv);
  std::printf("%-12s %6s %-8s %7s %9s %9s %7s %9s %8s  %-22s %s\n", "problem", "t [s]", "", "tol", "error", "energy",
              "steps", "seconds", "x real", "asked", "published seconds");
  const bool good = espalier::dynamics::run_all(csv);
  if (csv != nullptr) std::fclose(csv);
  return good ? 0 : 1;
}
