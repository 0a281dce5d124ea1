#include <algorithm>

#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/response.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/contact/extrapolation.hpp"
#include "espalier/contact/newton.hpp"
#include "espalier/contact/solve_row.hpp"

namespace espalier::contact::detail {
namespace {

using Impulse3 = std::array<double, 3>;
using Impulses = std::span<Eigen::Vector3d>;

// R of boundary rows, some or all of them, sent to whom has them as external.
struct Exchange {
  std::vector<std::vector<int>> send, take;    // by neighbour: places of R
  std::vector<std::vector<Impulse3>> out, in;  // the same
};

void add_to(Exchange& exchange, const RowOrder& rows, std::size_t neighbour, const std::vector<int>& constraints,
            bool is_sent) {
  for (const int c : constraints) {
    (is_sent ? exchange.send : exchange.take)[neighbour].push_back(rows.place[static_cast<std::size_t>(c)]);
    (is_sent ? exchange.out : exchange.in)[neighbour].emplace_back();
  }
}

Exchange empty_exchange(std::size_t neighbours) {
  return {std::vector<std::vector<int>>(neighbours), std::vector<std::vector<int>>(neighbours),
          std::vector<std::vector<Impulse3>>(neighbours), std::vector<std::vector<Impulse3>>(neighbours)};
}

// One for each colour, if there are any, and the last for all rows at once.
std::vector<Exchange> make_exchanges(const Prepared& prepared) {
  const Boundary& boundary = prepared.boundary;
  const std::size_t neighbours = boundary.neighbours.size();
  std::vector<Exchange> exchanges(static_cast<std::size_t>(prepared.colours) + 1, empty_exchange(neighbours));
  for (std::size_t i = 0; i < neighbours; ++i) {
    for (const bool is_sent : {true, false}) {
      const std::vector<int>& list = is_sent ? boundary.send[i] : boundary.take[i];
      add_to(exchanges.back(), prepared.rows, i, list, is_sent);
      for (const int c : prepared.colours > 0 ? list : std::vector<int>()) {
        const int colour = prepared.colour[static_cast<std::size_t>(c)];
        add_to(exchanges[static_cast<std::size_t>(colour)], prepared.rows, i, {c}, is_sent);
      }
    }
  }
  return exchanges;
}

// With a response it follows what arrives.
void tell(const comm::Comm& comm, const Boundary& boundary, Exchange& exchange, Impulses R, Response* response) {
  for (std::size_t i = 0; i < exchange.send.size(); ++i) {
    for (std::size_t k = 0; k < exchange.send[i].size(); ++k) {
      const Eigen::Vector3d& r = R[static_cast<std::size_t>(exchange.send[i][k])];
      exchange.out[i][k] = {r.x(), r.y(), r.z()};
    }
  }
  comm::exchange_into(comm, boundary.neighbours, exchange.out, exchange.in);
  for (std::size_t i = 0; i < exchange.take.size(); ++i) {
    for (std::size_t k = 0; k < exchange.take[i].size(); ++k) {
      const int place = exchange.take[i][k];
      Eigen::Vector3d& r = R[static_cast<std::size_t>(place)];
      const Eigen::Vector3d now(exchange.in[i][k].data());
      if (response != nullptr) response->add(place, now - r);
      r = now;
    }
  }
}

// Exact sums of all ranks: the same bits for every way to share the rows out.
void add_up(const comm::Comm& comm, std::span<ExactSum* const> sums) {
  if (comm.size() == 1) return;
  std::vector<std::int64_t> words;
  for (ExactSum* sum : sums) {
    const std::span<std::int64_t> own = sum->settle().words();
    words.insert(words.end(), own.begin(), own.end());
  }
  comm::sum(comm, std::span(words));
  std::size_t at = 0;
  for (ExactSum* sum : sums) {
    for (std::int64_t& word : sum->words()) word = words[at++];
  }
}

void add_up(const comm::Comm& comm, AccuracySums& sums) {
  const std::array<ExactSum*, 6> all = {&sums.spurious, &sums.available, &sums.left,
                                        &sums.given,    &sums.change,    &sums.size};
  add_up(comm, all);
}

void add_up(const comm::Comm& comm, Extrapolation& memory) {
  std::vector<ExactSum*> all;
  for (ExactSum& sum : memory.sums) all.push_back(&sum);
  add_up(comm, all);
}

// Each rank its own rows, in the order of keys.
ColourOrder order_alone(const Prepared& prepared) {
  ColourOrder order;
  order.begin.push_back(prepared.rows.internal);
  for (int i = 0; i < prepared.rows.internal; ++i) order.rows.push_back(i);
  return order;
}

ColourOrder order_rows(const Prepared& prepared) {
  ColourOrder order;
  const auto colour_of = [&](int row) {
    return prepared.colour[static_cast<std::size_t>(prepared.rows.constraint[static_cast<std::size_t>(row)])];
  };
  order.begin.assign(static_cast<std::size_t>(prepared.colours) + 1, 0);
  for (int i = 0; i < prepared.rows.internal; ++i) ++order.begin[static_cast<std::size_t>(colour_of(i)) + 1];
  for (std::size_t k = 0; k + 1 < order.begin.size(); ++k) order.begin[k + 1] += order.begin[k];
  order.rows.resize(static_cast<std::size_t>(prepared.rows.internal));
  std::vector<int> next(order.begin.begin(), order.begin.end() - 1);
  for (int i = 0; i < prepared.rows.internal; ++i) {
    order.rows[static_cast<std::size_t>(next[static_cast<std::size_t>(colour_of(i))]++)] = i;
  }
  return order;
}

// Rows here, with what impulses have done to the bodies.
struct Sweeper {
  const Laws& laws;
  double step = 0;
  Response response;
  std::vector<Eigen::Matrix3d> own = {};  // blocks of W

  void begin(Impulses R) {
    own.reserve(laws.rows.size());
    for (std::size_t i = 0; i < laws.rows.size(); ++i) own.push_back(response.own(static_cast<int>(i)));
    response.set(R);
  }

  std::vector<double> weights() const {
    std::vector<double> weights;
    weights.reserve(own.size());
    for (const Eigen::Matrix3d& W : own) weights.push_back(W.trace());
    return weights;
  }

  // Sums, where they are wanted, get |dR|^2 and |R|^2.
  void sweep(std::span<const int> rows, Impulses R, AccuracySums* sums) {
    for (const int row : rows) {
      const auto i = static_cast<std::size_t>(row);
      const Eigen::Vector3d of_others = laws.B[i] + response.at(row) - own[i] * R[i];
      const Eigen::Vector3d solved = solve_row(laws.rows[i], own[i], of_others, step, R[i]);
      const Eigen::Vector3d change = solved - R[i];
      if (sums != nullptr) {
        sums->change.add(change.squaredNorm());
        sums->size.add(solved.squaredNorm());
      }
      R[i] = solved;
      response.add(row, change);
    }
  }

  void measure(Impulses R, AccuracySums& sums) const {
    for (std::size_t i = 0; i < laws.rows.size(); ++i) {
      const Eigen::Vector3d U = laws.B[i] + response.at(static_cast<int>(i));
      measure_row(laws.rows[i], own[i], laws.B[i], U, R[i], step, sums);
    }
  }
};

Solved solve_by_sweeps(const comm::Comm& comm, const Domain& domain, const Prepared& prepared,
                       std::vector<Exchange>& exchanges, Impulses R) {
  const SolveOptions& options = domain.settings.solve;
  const ColourOrder order = domain.settings.order == Order::kKeys ? order_rows(prepared) : order_alone(prepared);
  Sweeper sweeper{prepared.laws, domain.settings.step, Response(domain, prepared)};
  sweeper.begin(R);
  const std::size_t rows = prepared.laws.rows.size();
  Extrapolation memory = make_extrapolation(sweeper.weights());
  Forecast forecast = {.tolerance = options.tolerance, .max_sweeps = options.max_sweeps};
  std::vector<Eigen::Vector3d> before(rows);
  Solved solved;
  for (int next_check = 1; solved.sweeps < options.max_sweeps;) {
    std::copy_n(R.begin(), rows, before.begin());
    AccuracySums sums;
    ++solved.sweeps;
    const bool checks = solved.sweeps >= next_check || solved.sweeps == options.max_sweeps;
    for (int c = 0; c < order.colours(); ++c) {
      sweeper.sweep(order.of(c), R, checks ? &sums : nullptr);
      tell(comm, prepared.boundary, exchanges[static_cast<std::size_t>(c)], R, &sweeper.response);
    }
    if (checks) {
      sweeper.response.set(R);  // without the rounding of many small changes
      sweeper.measure(R, sums);
      add_up(comm, sums);
      solved.accuracy = accuracy_of(sums);
      solved.converged = solved.accuracy.natural <= options.tolerance;
      const bool hopeless = will_not_do(forecast, solved.sweeps, solved.accuracy.natural);
      if (solved.converged || (hopeless && options.solver == Solver::kAuto)) break;
      next_check = solved.sweeps + sweeps_to_next_check(options, solved.sweeps, solved.accuracy.natural);
    }
    if (!options.extrapolate || solved.sweeps == options.max_sweeps) continue;
    record(memory, before, R.first(rows));
    add_up(comm, memory);
    extrapolate(memory, R.first(rows));
    tell(comm, prepared.boundary, exchanges.back(), R, nullptr);
    sweeper.response.set(R);
  }
  return solved;
}

// One row and its blocks, as they travel to the root.
struct TravellingRow {
  Key key;
  Law law = Law::kContact;
  std::array<bool, 3> held{};
  double friction = 0, length = 0, impulse = 0, damping = 0;
  std::array<double, 2> stops{};
  std::array<double, 3> bias{}, z{}, B{}, R{};
  int blocks = 0;
};

std::array<double, 3> numbers(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

TravellingRow pack(const Key& key, const Row& row) {
  return {key,         row.law,     row.held,  row.friction,      row.length,
          row.impulse, row.damping, row.stops, numbers(row.bias), numbers(row.z),
          {},          {},          0};
}

Row unpack(const TravellingRow& from) {
  Row row;
  row.law = from.law;
  row.held = from.held;
  row.friction = from.friction;
  row.length = from.length;
  row.impulse = from.impulse;
  row.damping = from.damping;
  row.stops = from.stops;
  row.bias = Eigen::Vector3d(from.bias.data());
  row.z = Eigen::Vector3d(from.z.data());
  return row;
}

struct TravellingBlock {
  Key column;
  std::array<double, 9> W{};
};

// The rows of all ranks by key: what one rank alone would have assembled.
struct Whole {
  std::vector<Key> keys;
  LocalProblem problem;
  std::vector<Eigen::Vector3d> R;
};

struct Parts {
  std::vector<std::vector<TravellingRow>> rows;
  std::vector<std::vector<TravellingBlock>> blocks;
};

Parts gather_rows(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, Impulses R) {
  const LocalProblem problem = assemble(domain, prepared.adjacency, prepared.softness, prepared.rows);
  std::vector<std::vector<TravellingRow>> rows(static_cast<std::size_t>(comm.size()));
  std::vector<std::vector<TravellingBlock>> blocks(rows.size());
  const auto key_at = [&](int place) {
    const int c = prepared.rows.constraint[static_cast<std::size_t>(place)];
    return domain.constraints[static_cast<std::size_t>(c)].key;
  };
  for (int i = 0; i < prepared.rows.internal; ++i) {
    const auto row = static_cast<std::size_t>(i);
    TravellingRow sent = pack(key_at(i), problem.rows[row]);
    sent.blocks = problem.begin[row + 1] - problem.begin[row];
    sent.B = numbers(problem.B[row]);
    sent.R = numbers(R[row]);
    rows[0].push_back(sent);
    for (int k = problem.begin[row]; k < problem.begin[row + 1]; ++k) {
      TravellingBlock block{key_at(problem.column[static_cast<std::size_t>(k)]), {}};
      Eigen::Map<Eigen::Matrix3d>(block.W.data()) = problem.block[static_cast<std::size_t>(k)];
      blocks[0].push_back(block);
    }
  }
  return {comm::all_to_all_v(comm, rows), comm::all_to_all_v(comm, blocks)};
}

Whole put_together(const Parts& parts, double step) {
  struct Place {
    const TravellingRow* row;
    const TravellingBlock* blocks;
  };
  std::vector<Place> places;
  for (std::size_t rank = 0; rank < parts.rows.size(); ++rank) {
    const TravellingBlock* next = parts.blocks[rank].data();
    for (const TravellingRow& row : parts.rows[rank]) {
      places.push_back({&row, next});
      next += row.blocks;
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.row->key < b.row->key; });
  Whole whole;
  whole.problem.step = step;
  for (const Place& place : places) whole.keys.push_back(place.row->key);
  for (const Place& place : places) {
    whole.problem.rows.push_back(unpack(*place.row));
    whole.problem.B.emplace_back(place.row->B.data());
    whole.R.emplace_back(place.row->R.data());
    for (int k = 0; k < place.row->blocks; ++k) {
      const auto found = std::lower_bound(whole.keys.begin(), whole.keys.end(), place.blocks[k].column);
      if (*found == place.row->key) whole.problem.diagonal.push_back(static_cast<int>(whole.problem.block.size()));
      whole.problem.column.push_back(static_cast<int>(found - whole.keys.begin()));
      whole.problem.block.emplace_back(place.blocks[k].W.data());
    }
    whole.problem.begin.push_back(static_cast<int>(whole.problem.column.size()));
  }
  return whole;
}

// Newton on the root, which gets all rows for it: the rare step where sweeps stall is worth it.
Solved solve_on_root(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, Impulses R) {
  const SolveOptions& options = domain.settings.solve;
  const Parts parts = gather_rows(comm, domain, prepared, R);
  NewtonResult newton;
  std::vector<std::vector<Impulse3>> back(static_cast<std::size_t>(comm.size()));
  if (comm.is_root()) {
    Whole whole = put_together(parts, domain.settings.step);
    newton = solve_newton(whole.problem, {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
                          whole.R);
    for (std::size_t rank = 0; rank < back.size(); ++rank) {
      for (const TravellingRow& row : parts.rows[rank]) {
        const auto found = std::lower_bound(whole.keys.begin(), whole.keys.end(), row.key) - whole.keys.begin();
        const Eigen::Vector3d& r = whole.R[static_cast<std::size_t>(found)];
        back[rank].push_back(numbers(r));
      }
    }
  }
  const std::vector<Impulse3> mine = comm::all_to_all_v(comm, back)[0];
  for (std::size_t i = 0; i < mine.size(); ++i) R[i] = Eigen::Vector3d(mine[i].data());
  newton = comm::broadcast(comm, newton);
  return {newton.converged, 0, newton.iterations, newton.accuracy};
}

}  // namespace

Solved solve_together(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, Impulses R) {
  const SolveOptions& options = domain.settings.solve;
  std::vector<Exchange> exchanges = make_exchanges(prepared);
  Solved solved = solve_by_sweeps(comm, domain, prepared, exchanges, R);
  if (solved.converged || options.solver == Solver::kGaussSeidel) return solved;
  const double change = solved.accuracy.change;
  const int sweeps = solved.sweeps;
  solved = solve_on_root(comm, domain, prepared, R);
  solved.sweeps = sweeps;
  solved.accuracy.change = change;
  tell(comm, prepared.boundary, exchanges.back(), R, nullptr);
  return solved;
}

}  // namespace espalier::contact::detail
