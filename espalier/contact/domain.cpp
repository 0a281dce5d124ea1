#include "espalier/contact/domain.hpp"

#include <algorithm>
#include <chrono>

#include "espalier/base/check.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/belongings.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact {
namespace {

std::vector<WeightedPoint> weigh(const comm::Comm& comm, const Domain& domain) {
  std::vector<WeightedPoint> points;
  for (const Present& present : domain.bodies) {
    if (present.owner != comm.rank() || present.body.constants.kind == Kind::kObstacle) continue;
    const Eigen::Vector3d x = position(present.body.state.q);
    points.push_back({{x.x(), x.y(), x.z()}, static_cast<double>(velocity_size(present.body.constants.kind))});
  }
  return points;
}

// Time since it was last asked.
class Lap {
 public:
  double take() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point last_ = Clock::now();
};

StepReport report_step(const comm::Comm& comm, const Domain& domain) {
  StepReport report;
  std::array<std::int64_t, 2> counts = {0, 0};
  double deepest = 0;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] == 0) continue;
    ++counts[1];
    if (domain.constraints[c].law != Law::kContact) continue;
    ++counts[0];
    deepest = std::max(deepest, -domain.constraints[c].gap);
  }
  comm::sum(comm, std::span<std::int64_t>(counts));
  report.contacts = static_cast<int>(counts[0]);
  report.constraints = static_cast<int>(counts[1]);
  report.penetration = comm::max(comm, deepest);
  return report;
}

void keep_reactions(Domain& domain) {
  domain.reactions.clear();
  for (const Constraint& constraint : domain.constraints) domain.reactions.push_back({constraint.key, constraint.R});
}

// Loads and formulas go to every rank; they are few.
void share_laws(const comm::Comm& comm, std::vector<BodyLoad> loads, std::vector<model::Expression> formulas,
                Domain& domain) {
  domain.loads = comm::broadcast(comm, std::move(loads));
  formulas.resize(comm::broadcast(comm, formulas.size()));
  for (model::Expression& formula : formulas) {
    formula.code = comm::broadcast(comm, std::move(formula.code));
    formula.text = comm::broadcast(comm, std::move(formula.text));
  }
  domain.formulas = std::move(formulas);
}

}  // namespace

Domain make_domain(const comm::Comm& comm, Scene scene, const Settings& settings) {
  Domain domain;
  domain.settings = settings;
  domain.margin = comm::broadcast(comm, scene.margin);
  comm::broadcast(comm, std::span(scene.gravity.data(), 3));
  domain.gravity = scene.gravity;
  share_laws(comm, std::move(scene.loads), std::move(scene.formulas), domain);
  if (comm.is_root()) {
    domain.belongings = detail::take_belongings(scene);
    for (const Body& body : scene.bodies) {
      domain.bodies.push_back({body, {}, 0, {0}, detail::find_look(domain.belongings, body.constants.look)});
    }
    detail::place_obstacles(domain);
  }
  domain.cells = bisect(comm, weigh(comm, domain), settings.bisection);
  return domain;
}

detail::Prepared detail::prepare_step(const comm::Comm& comm, Domain& domain) {
  Prepared prepared;
  StepTimes& times = prepared.times;
  Lap lap;
  const bool shared_out = domain.steps % domain.settings.balance_every == 0;
  if (shared_out && domain.steps > 0) {
    domain.cells = bisect(comm, weigh(comm, domain), domain.settings.bisection, &domain.cells);
  }
  times.balance = lap.take();
  begin_bodies(domain, comm.rank());
  times.bodies = lap.take();
  place_bodies(comm, domain, shared_out || domain.is_new);
  domain.is_new = false;
  times.place = lap.take();
  find_constraints(comm, domain);
  times.detect = lap.take();
  exchange_constraints(comm, domain);
  times.exchange = lap.take();
  prepared.adjacency = make_adjacency(domain);
  prepared.softness = make_softnesses(domain);
  prepared.rows = make_row_order(domain);
  prepared.problem = assemble(domain, prepared.adjacency, prepared.softness, prepared.rows);
  prepared.boundary = make_boundary(domain, comm.rank());
  prepared.colour = colour_constraints(comm, domain, prepared.adjacency, prepared.boundary);
  const std::vector<int>& colour = prepared.colour;
  const int highest = colour.empty() ? -1 : *std::max_element(colour.begin(), colour.end());
  prepared.colours = comm::max(comm, highest) + 1;
  times.assemble = lap.take();
  return prepared;
}

StepReport detail::finish_step(const comm::Comm& comm, Domain& domain, const Prepared& prepared) {
  Lap lap;
  std::vector<Eigen::Vector3d> R;
  for (const int c : prepared.rows.constraint) R.emplace_back(domain.constraints[static_cast<std::size_t>(c)].R.data());
  const Solved solved = solve_together(comm, domain, prepared, R);
  for (std::size_t i = 0; i < R.size(); ++i) {
    const auto c = static_cast<std::size_t>(prepared.rows.constraint[i]);
    Eigen::Map<Eigen::Vector3d>(domain.constraints[c].R.data()) = R[i];
  }
  StepReport report = report_step(comm, domain);
  report.colours = prepared.colours;
  report.solved = solved;
  report.times = prepared.times;
  report.times.solve = lap.take();
  end_bodies(domain, prepared.adjacency, prepared.softness, comm.rank());
  keep_reactions(domain);
  report.times.bodies += lap.take();
  domain.time += domain.settings.step;
  ++domain.steps;
  return report;
}

StepReport step(const comm::Comm& comm, Domain& domain) {
  const detail::Prepared prepared = detail::prepare_step(comm, domain);
  return detail::finish_step(comm, domain, prepared);
}

}  // namespace espalier::contact
