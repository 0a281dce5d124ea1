#include "espalier/contact/detail/advance.hpp"

#include <algorithm>
#include <chrono>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/balance.hpp"
#include "espalier/contact/detail/body_data.hpp"
#include "espalier/contact/detail/correct.hpp"
#include "espalier/contact/detail/impact.hpp"

namespace espalier::contact::detail {
namespace {

// Own time since it was last asked, and in messages.
class Lap {
 public:
  explicit Lap(const comm::Comm& comm) : comm_(comm) {}

  void add_to(double& own, double& messages) {
    const Clock::time_point now = Clock::now();
    // Time in messages is no work of this rank.
    const double in_messages = comm_.seconds() - messages_;
    own += std::chrono::duration<double>(now - last_).count() - in_messages;
    messages += in_messages;
    messages_ += in_messages;
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const comm::Comm& comm_;
  Clock::time_point last_ = Clock::now();
  double messages_ = comm_.seconds();
};

Effort count_effort(const Domain& domain) {
  Effort effort;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    // Internal ones alone: over all ranks each is counted once.
    if (domain.internal[c] == 0) continue;
    ++effort.constraints;
    if (domain.constraints[c].law != Law::kContact) continue;
    ++effort.contacts;
    effort.penetration = std::max(effort.penetration, -domain.constraints[c].gap);
  }
  return effort;
}

void report_efforts(std::span<const Effort> efforts, StepReport& report) {
  double most = 0, sum = 0;
  for (const Effort& effort : efforts) {
    report.contacts += static_cast<int>(effort.contacts);
    report.constraints += static_cast<int>(effort.constraints);
    report.penetration = std::max(report.penetration, effort.penetration);
    most = std::max(most, effort.busy);
    sum += effort.busy;
  }
  if (sum > 0) report.imbalance = most * static_cast<double>(efforts.size()) / sum;
}

void keep_reactions(Domain& domain) {
  domain.reactions.clear();
  domain.reactions.reserve(domain.constraints.size());
  for (const Constraint& constraint : domain.constraints) domain.reactions.push_back({constraint.key, constraint.R});
}

// R by place, to start from and the answer.
Solved solve_impulses(const comm::Comm& comm, Domain& domain, Prepared& prepared, std::vector<Eigen::Vector3d>& R) {
  // In the order of rows, those of other ranks behind: the solver knows no constraints.
  R.reserve(prepared.rows.constraint.size());
  for (const int c : prepared.rows.constraint) R.emplace_back(domain.constraints[to_index(c)].R.data());
  const Solved solved = bound_impacts(comm, domain, prepared, solve_together(comm, domain, prepared, R), R);
  for (std::size_t i = 0; i < R.size(); ++i) {
    Eigen::Map<Eigen::Vector3d>(domain.constraints[to_index(prepared.rows.constraint[i])].R.data()) = R[i];
  }
  return solved;
}

// Tables of a formula, with all their rows.
void share_tables(const comm::Comm& comm, std::vector<model::NamedTable>& tables) {
  tables.resize(comm::broadcast(comm, tables.size()));
  for (model::NamedTable& named : tables) {
    model::Table table = comm.is_root() ? *named.table : model::Table();
    table.argument = comm::broadcast(comm, std::move(table.argument));
    table.value = comm::broadcast(comm, std::move(table.value));
    table.slope = comm::broadcast(comm, std::move(table.slope));
    table.between = comm::broadcast(comm, table.between);
    table.outside = comm::broadcast(comm, table.outside);
    named.table = std::make_shared<const model::Table>(std::move(table));
    named.name = comm::broadcast(comm, std::move(named.name));
  }
}

// Loads and formulas go to every rank; they are few.
void share_laws(const comm::Comm& comm, Scene& scene, Domain& domain) {
  domain.loads = comm::broadcast(comm, std::move(scene.loads));
  domain.watched = comm::broadcast(comm, std::move(scene.watched));
  std::vector<model::Expression> formulas = std::move(scene.formulas);
  formulas.resize(comm::broadcast(comm, formulas.size()));
  // One by one, since codes and texts have lengths of their own.
  for (model::Expression& formula : formulas) {
    formula.code = comm::broadcast(comm, std::move(formula.code));
    formula.text = comm::broadcast(comm, std::move(formula.text));
    share_tables(comm, formula.tables);
  }
  domain.formulas = std::move(formulas);
}

// The root makes the frames; the others know which bodies it has to be told more of.
void share_shown(const comm::Comm& comm, Scene& scene, Domain& domain) {
  domain.shown = std::move(scene.shown);
  std::vector<std::int32_t>& bodies = domain.shown_bodies;
  const auto add = [&](const Link& link) { bodies.insert(bodies.end(), {link.a, link.b}); };
  for (const Link& joint : domain.shown.joints) add(joint);
  for (const ShownParts::Law& law : domain.shown.laws) add(law.link);
  for (const ShownParts::Force& force : domain.shown.forces) {
    if (force.kind == ShownParts::Force::Kind::kOnBody) bodies.push_back(force.owner);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  bodies = comm::broadcast(comm, std::move(bodies));
}

bool has_restitution(const Scene& scene) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [](const auto& shapes) {
    return std::any_of(shapes->begin(), shapes->end(), [](const SceneShape& shape) { return shape.restitution > 0; });
  });
}

}  // namespace

Domain make_domain(const comm::Comm& comm, Scene scene, const Settings& settings) {
  Domain domain;
  domain.settings = settings;
  domain.margin = comm::broadcast(comm, scene.margin);
  comm::broadcast(comm, std::span(scene.gravity.data(), 3));
  domain.gravity = scene.gravity;
  domain.rebounds = comm::broadcast(comm, has_restitution(scene));
  share_laws(comm, scene, domain);
  share_shown(comm, scene, domain);
  if (comm.is_root()) {
    // All on the root for now: the first step sends everything where it belongs, as every later cut does.
    domain.body_data = take_body_data(scene);
    for (const Body& body : scene.bodies) {
      domain.bodies.push_back({body, {}, 0, {0}, find_shapes(domain.body_data, body.constants.shapes)});
    }
    place_obstacles(domain);
  }
  share_out(comm, domain);
  return domain;
}

Prepared prepare_step(const comm::Comm& comm, Domain& domain) {
  Prepared prepared;
  StepTimes& times = prepared.times;
  Lap lap(comm);
  // 0. Cells.
  prepared.shared_out = is_out_of_balance(domain);
  if (prepared.shared_out) share_out(comm, domain);
  lap.add_to(times.balance, times.messages);
  // 1. Bodies to the middle of the step, (C12) and (C13).
  begin_bodies(comm, domain);
  lap.add_to(times.bodies, times.messages);
  // 2. Bodies to the ranks that need them.
  place_bodies(comm, domain, prepared.shared_out || domain.is_new);
  domain.is_new = false;
  lap.add_to(times.exchange, times.messages);
  // 3. Joints and contacts, each on the rank in whose cell its point lies.
  find_near(domain);
  lap.add_to(times.broad, times.messages);
  find_constraints(comm, domain);
  lap.add_to(times.narrow, times.messages);
  // 4. Records of them to the ranks that hold one of their bodies.
  exchange_constraints(comm, domain);
  lap.add_to(times.exchange, times.messages);
  // 5., 6. Colours come first: rows stand in their order.
  prepared.adjacency = make_adjacency(domain);
  prepared.deformation_inverse = make_deformation_inverses(domain);
  prepared.boundary = make_boundary(domain, comm.rank());
  if (domain.settings.order == Order::kKeys) {
    prepared.colour = colour_constraints(comm, domain, prepared.adjacency, prepared.boundary);
    // As many colours on every rank, even where some have no row: their exchanges must meet.
    const std::vector<int>& colour = prepared.colour;
    const int highest = colour.empty() ? -1 : *std::max_element(colour.begin(), colour.end());
    prepared.colours = comm::max(comm, highest) + 1;
  }
  prepared.rows = make_row_order(domain, prepared.colour);
  prepared.laws = make_laws(domain, prepared.adjacency, prepared.rows);
  lap.add_to(times.assemble, times.messages);
  return prepared;
}

StepReport finish_step(const comm::Comm& comm, Domain& domain, Prepared& prepared) {
  StepReport report;
  report.times = prepared.times;
  StepTimes& times = report.times;
  Lap lap(comm);
  // 7. Impulses, from those of the last step.
  std::vector<Eigen::Vector3d> R;
  report.solved = solve_impulses(comm, domain, prepared, R);
  lap.add_to(times.solve, times.messages);
  // 8. Bodies to the end of the step. The next one starts from these impulses.
  end_bodies(domain, prepared.adjacency, prepared.deformation_inverse, comm.rank());
  keep_reactions(domain);
  lap.add_to(times.bodies, times.messages);
  // 9. Overlaps and limits that are passed, (C30).
  correct_positions(comm, domain, prepared, R);
  lap.add_to(times.solve, times.messages);
  // What it took: the same on every rank, since all decide by it when space is cut again.
  Effort effort = count_effort(domain);
  effort.busy = times.own();
  effort.balance = times.balance;
  const std::vector<Effort> efforts = comm::all_gather(comm, effort);
  report_efforts(efforts, report);
  note_efforts(efforts, domain);
  note_work(times, prepared.adjacency, comm.rank(), domain);
  report.colours = prepared.colours;
  report.shared_out = prepared.shared_out;
  report.moved = prepared.shared_out ? domain.load.moved : 0;
  domain.time += domain.settings.step;
  ++domain.steps;
  return report;
}

StepReport step(const comm::Comm& comm, Domain& domain) {
  Prepared prepared = prepare_step(comm, domain);
  return finish_step(comm, domain, prepared);
}

}  // namespace espalier::contact::detail
