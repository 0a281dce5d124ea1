#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/gauss_seidel.hpp"
#include "espalier/contact/detail/newton.hpp"
#include "espalier/contact/detail/response.hpp"
#include "espalier/contact/detail/step.hpp"

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
    (is_sent ? exchange.send : exchange.take)[neighbour].push_back(rows.place[to_index(c)]);
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
  std::vector<Exchange> exchanges(to_index(prepared.colours) + 1, empty_exchange(neighbours));
  for (std::size_t i = 0; i < neighbours; ++i) {
    // Who sends and who takes list these rows by key: impulses travel without names.
    for (const bool is_sent : {true, false}) {
      const std::vector<int>& list = is_sent ? boundary.send[i] : boundary.take[i];
      add_to(exchanges.back(), prepared.rows, i, list, is_sent);
      for (const int c : prepared.colours > 0 ? list : std::vector<int>()) {
        const int colour = prepared.colour[to_index(c)];
        add_to(exchanges[to_index(colour)], prepared.rows, i, {c}, is_sent);
      }
    }
  }
  return exchanges;
}

// Sends R of the rows in `exchange` and writes what arrives; a response, where there is one, follows it.
void exchange_impulses(const comm::Comm& comm, const Boundary& boundary, Exchange& exchange, Impulses R,
                       Response* response) {
  for (std::size_t i = 0; i < exchange.send.size(); ++i) {
    for (std::size_t k = 0; k < exchange.send[i].size(); ++k) {
      const Eigen::Vector3d& r = R[to_index(exchange.send[i][k])];
      exchange.out[i][k] = {r.x(), r.y(), r.z()};
    }
  }
  comm::exchange_into(comm, boundary.neighbours, exchange.out, exchange.in);
  for (std::size_t i = 0; i < exchange.take.size(); ++i) {
    for (std::size_t k = 0; k < exchange.take[i].size(); ++k) {
      const int place = exchange.take[i][k];
      Eigen::Vector3d& r = R[to_index(place)];
      // Bodies here follow the change, as they did where the row was solved.
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
  // Whole numbers: it does not matter in which order ranks are added.
  comm::sum(comm, std::span(words));
  std::size_t next = 0;
  for (ExactSum* sum : sums) {
    for (std::int64_t& word : sum->words()) word = words[next++];
  }
}

// Each rank its own rows, in the order of keys.
ColourOrder order_alone(const Prepared& prepared) {
  ColourOrder order;
  order.begin.push_back(prepared.rows.internal);
  for (int i = 0; i < prepared.rows.internal; ++i) order.rows.push_back(i);
  return order;
}

ColourOrder order_rows(const Prepared& prepared) {
  std::vector<int> colour;
  for (int i = 0; i < prepared.rows.internal; ++i)
    colour.push_back(prepared.colour[to_index(prepared.rows.constraint[to_index(i)])]);
  return order_by_colour(colour, prepared.colours);
}

// What the driver of Gauss-Seidel asks for (gauss_seidel.hpp), body by body: W is never made. The rows of this rank,
// whose neighbours have theirs.
class BodyRows {
 public:
  BodyRows(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, std::vector<Exchange>& exchanges,
           Impulses R)
      : comm_(comm),
        prepared_(prepared),
        exchanges_(exchanges),
        step_(domain.settings.step),
        response_(domain, prepared) {
    own_.reserve(prepared.laws.rows.size());
    for (int i = 0; i < size(); ++i) own_.push_back(response_.own(i));
    // The impulses to start from have moved the bodies already.
    response_.set(R);
  }

  int size() const { return static_cast<int>(prepared_.laws.rows.size()); }
  double step() const { return step_; }
  const Row& law(int i) const { return prepared_.laws.rows[to_index(i)]; }
  const Eigen::Vector3d& free_velocity(int i) const { return prepared_.laws.B[to_index(i)]; }
  const Eigen::Matrix3d& own_block(int i) const { return own_[to_index(i)]; }

  Eigen::Vector3d velocity(int i, std::span<const Eigen::Vector3d>) const { return free_velocity(i) + response_.at(i); }
  Eigen::Vector3d velocity_of_others(int i, std::span<const Eigen::Vector3d> R) const {
    // All impulses are in the velocity: the row's own is taken off again.
    return free_velocity(i) + response_.at(i) - own_[to_index(i)] * R[to_index(i)];
  }
  void add_change(int i, const Eigen::Vector3d& change) { response_.add(i, change); }

  void exchange_colour(int colour, Impulses R) {
    exchange_impulses(comm_, prepared_.boundary, exchanges_[to_index(colour)], R, &response_);
  }
  void exchange_all(Impulses R) {
    exchange_impulses(comm_, prepared_.boundary, exchanges_.back(), R, nullptr);
    // Bodies follow all changes at once.
    response_.set(R);
  }
  // Without the rounding of many small changes.
  void refresh(std::span<const Eigen::Vector3d> R) { response_.set(R); }
  void add_up(std::span<ExactSum* const> sums) const { detail::add_up(comm_, sums); }

 private:
  const comm::Comm& comm_;
  const Prepared& prepared_;
  std::vector<Exchange>& exchanges_;
  double step_;
  Response response_;
  std::vector<Eigen::Matrix3d> own_;  // blocks of W
};

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
  // B, R and the number of blocks are left to the caller.
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
  // Only here W is made, block row by block row.
  const LocalProblem problem = assemble(domain, prepared.adjacency, prepared.deformation_inverse, prepared.rows);
  std::vector<std::vector<TravellingRow>> rows(to_index(comm.size()));
  std::vector<std::vector<TravellingBlock>> blocks(rows.size());
  const auto key_at = [&](int place) {
    const int c = prepared.rows.constraint[to_index(place)];
    return domain.constraints[to_index(c)].key;
  };
  for (int i = 0; i < prepared.rows.internal; ++i) {
    const std::size_t row = to_index(i);
    TravellingRow sent = pack(key_at(i), problem.rows[row]);
    sent.blocks = problem.begin[row + 1] - problem.begin[row];
    sent.B = numbers(problem.B[row]);
    sent.R = numbers(R[row]);
    rows[0].push_back(sent);
    for (int k = problem.begin[row]; k < problem.begin[row + 1]; ++k) {
      TravellingBlock block{key_at(problem.column[to_index(k)]), {}};
      Eigen::Map<Eigen::Matrix3d>(block.W.data()) = problem.block[to_index(k)];
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
    // Blocks come in the order of their rows, with no word to which they belong.
    const TravellingBlock* next = parts.blocks[rank].data();
    for (const TravellingRow& row : parts.rows[rank]) {
      places.push_back({&row, next});
      next += row.blocks;
    }
  }
  // By key, so that Newton's method sees what one rank alone would have made.
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.row->key < b.row->key; });
  Whole whole;
  whole.problem.step = step;
  for (const Place& place : places) whole.keys.push_back(place.row->key);
  for (const Place& place : places) {
    whole.problem.rows.push_back(unpack(*place.row));
    whole.problem.B.emplace_back(place.row->B.data());
    whole.R.emplace_back(place.row->R.data());
    for (int k = 0; k < place.row->blocks; ++k) {
      // Columns are named by key, for places differ from rank to rank.
      const auto found = std::lower_bound(whole.keys.begin(), whole.keys.end(), place.blocks[k].column);
      if (*found == place.row->key) whole.problem.diagonal.push_back(static_cast<int>(whole.problem.block.size()));
      whole.problem.column.push_back(static_cast<int>(found - whole.keys.begin()));
      whole.problem.block.emplace_back(place.blocks[k].W.data());
    }
    whole.problem.begin.push_back(static_cast<int>(whole.problem.column.size()));
  }
  return whole;
}

// Newton on the root, which gets all rows for it: the step where sweeps stall is worth it. The rows go there once, and
// impulses before each turn.
class OnRoot {
 public:
  OnRoot(const comm::Comm& comm, const Domain& domain, const Prepared& prepared)
      : comm_(comm), domain_(domain), prepared_(prepared) {}

  // R of the rows here, before and after. Collective.
  NewtonResult solve(const NewtonOptions& options, Impulses R) {
    send_impulses(R);
    NewtonResult newton;
    std::vector<std::vector<Impulse3>> back(to_index(comm_.size()));
    if (comm_.is_root()) {
      newton = solve_newton(whole_.problem, options, whole_.R);
      // Back in the order in which each rank sent them.
      for (std::size_t rank = 0; rank < back.size(); ++rank) {
        for (const std::size_t at : places_[rank]) back[rank].push_back(numbers(whole_.R[at]));
      }
    }
    // Only the root has sent something.
    const std::vector<Impulse3> mine = comm::all_to_all_v(comm_, back)[0];
    for (std::size_t i = 0; i < mine.size(); ++i) R[i] = Eigen::Vector3d(mine[i].data());
    // All ranks continue from the same outcome.
    return comm::broadcast(comm_, newton);
  }

 private:
  void send_impulses(Impulses R) {
    if (!gathered_) {
      gather_all(R);
      return;
    }
    std::vector<std::vector<Impulse3>> out(to_index(comm_.size()));
    for (int i = 0; i < prepared_.rows.internal; ++i) out[0].push_back(numbers(R[to_index(i)]));
    const std::vector<std::vector<Impulse3>> arrived = comm::all_to_all_v(comm_, out);
    if (!comm_.is_root()) return;
    for (std::size_t rank = 0; rank < arrived.size(); ++rank) {
      for (std::size_t k = 0; k < arrived[rank].size(); ++k) {
        whole_.R[places_[rank][k]] = Eigen::Vector3d(arrived[rank][k].data());
      }
    }
  }

  void gather_all(Impulses R) {
    gathered_ = true;
    const Parts parts = gather_rows(comm_, domain_, prepared_, R);
    if (!comm_.is_root()) return;
    whole_ = put_together(parts, domain_.settings.step);
    for (const std::vector<TravellingRow>& rows : parts.rows) {
      std::vector<std::size_t>& of_rank = places_.emplace_back();
      for (const TravellingRow& row : rows) {
        const auto found = std::lower_bound(whole_.keys.begin(), whole_.keys.end(), row.key);
        of_rank.push_back(to_index(found - whole_.keys.begin()));
      }
    }
  }

  const comm::Comm& comm_;
  const Domain& domain_;
  const Prepared& prepared_;
  bool gathered_ = false;
  Whole whole_;                                   // on the root
  std::vector<std::vector<std::size_t>> places_;  // of the rows of each rank there
};

}  // namespace

Solved solve_together(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, Impulses R) {
  const SolveOptions& options = domain.settings.solve;
  // 7.1 Gauss-Seidel, every rank its rows.
  std::vector<Exchange> exchanges = make_exchanges(prepared);
  BodyRows rows(comm, domain, prepared, exchanges, R);
  const ColourOrder order = domain.settings.order == Order::kKeys ? order_rows(prepared) : order_alone(prepared);
  const auto sweep = [&](const SolveOptions& turn) { return iterate(rows, order, turn, turn.max_sweeps, R); };
  // 7.2 Newton's method on the root, from where that has come to. Records of rows elsewhere get what the root has
  // found, and bodies follow.
  OnRoot root(comm, domain, prepared);
  const auto newton = [&](const NewtonOptions& turn) {
    const NewtonResult result = root.solve(turn, R);
    rows.exchange_all(R);
    return result;
  };
  if (options.solver == Solver::kAuto) return solve_by_turns(options, R, sweep, newton);
  Solved solved = sweep(options);
  if (solved.converged || options.solver == Solver::kGaussSeidel) return solved;
  const NewtonResult result = newton({.tolerance = options.tolerance, .max_iterations = options.max_iterations});
  // It has no change per iteration: that of Gauss-Seidel stays.
  solved.iterations = result.iterations;
  solved.converged = result.converged;
  solved.accuracy.natural = result.accuracy.natural;
  solved.accuracy.energy = result.accuracy.energy;
  return solved;
}

}  // namespace espalier::contact::detail
