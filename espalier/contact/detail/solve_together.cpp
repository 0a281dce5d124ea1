#include <algorithm>

#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Impulse3 = std::array<double, 3>;

// What is sent after each colour: the R of boundary rows of that colour.
struct ColourExchange {
  std::vector<std::vector<int>> send, take;    // by neighbour: constraints
  std::vector<std::vector<Impulse3>> out, in;  // the same
};

std::vector<ColourExchange> make_exchanges(const Boundary& boundary, std::span<const int> colour, int colours) {
  std::vector<ColourExchange> exchanges(static_cast<std::size_t>(colours));
  const std::size_t neighbours = boundary.neighbours.size();
  for (ColourExchange& exchange : exchanges) {
    exchange.send.resize(neighbours), exchange.take.resize(neighbours);
    exchange.out.resize(neighbours), exchange.in.resize(neighbours);
  }
  for (std::size_t i = 0; i < neighbours; ++i) {
    for (const int c : boundary.send[i]) {
      exchanges[static_cast<std::size_t>(colour[static_cast<std::size_t>(c)])].send[i].push_back(c);
    }
    for (const int c : boundary.take[i]) {
      exchanges[static_cast<std::size_t>(colour[static_cast<std::size_t>(c)])].take[i].push_back(c);
    }
    for (ColourExchange& exchange : exchanges) {
      exchange.out[i].resize(exchange.send[i].size());
      exchange.in[i].resize(exchange.take[i].size());
    }
  }
  return exchanges;
}

void tell(const comm::Comm& comm, const Boundary& boundary, ColourExchange& exchange, std::span<Eigen::Vector3d> R) {
  for (std::size_t i = 0; i < exchange.send.size(); ++i) {
    for (std::size_t k = 0; k < exchange.send[i].size(); ++k) {
      const Eigen::Vector3d& r = R[static_cast<std::size_t>(exchange.send[i][k])];
      exchange.out[i][k] = {r.x(), r.y(), r.z()};
    }
  }
  comm::exchange_into(comm, boundary.neighbours, exchange.out, exchange.in);
  for (std::size_t i = 0; i < exchange.take.size(); ++i) {
    for (std::size_t k = 0; k < exchange.take[i].size(); ++k) {
      R[static_cast<std::size_t>(exchange.take[i][k])] = Eigen::Vector3d(exchange.in[i][k].data());
    }
  }
}

// Exact sums of all ranks: the same bits for every way to share the rows out.
void add_up(const comm::Comm& comm, AccuracySums& sums) {
  if (comm.size() == 1) return;
  std::vector<std::int64_t> words;
  const std::array<ExactSum*, 6> all = {&sums.spurious, &sums.available, &sums.left,
                                        &sums.given,    &sums.change,    &sums.size};
  for (ExactSum* sum : all) {
    const std::span<std::int64_t> own = sum->settle().words();
    words.insert(words.end(), own.begin(), own.end());
  }
  comm::sum(comm, std::span(words));
  std::size_t at = 0;
  for (ExactSum* sum : all) {
    for (std::int64_t& word : sum->words()) word = words[at++];
  }
}

ColourOrder order_internal(const Domain& domain, std::span<const int> colour, int colours) {
  ColourOrder order;
  order.begin.assign(static_cast<std::size_t>(colours) + 1, 0);
  for (std::size_t c = 0; c < colour.size(); ++c) {
    if (domain.internal[c] != 0) ++order.begin[static_cast<std::size_t>(colour[c]) + 1];
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(colours); ++k) order.begin[k + 1] += order.begin[k];
  order.rows.resize(static_cast<std::size_t>(order.begin.back()));
  std::vector<int> next(order.begin.begin(), order.begin.end() - 1);
  for (std::size_t c = 0; c < colour.size(); ++c) {
    if (domain.internal[c] == 0) continue;
    order.rows[static_cast<std::size_t>(next[static_cast<std::size_t>(colour[c])]++)] = static_cast<int>(c);
  }
  return order;
}

}  // namespace

Solved solve_together(const comm::Comm& comm, const LocalProblem& problem, const Domain& domain,
                      const Boundary& boundary, std::span<const int> colour, int colours,
                      std::span<Eigen::Vector3d> R) {
  const SolveOptions& options = domain.settings.solve;
  const ColourOrder order = order_internal(domain, colour, colours);
  std::vector<ColourExchange> exchanges = make_exchanges(boundary, colour, colours);
  Solved solved;
  AccuracySums sums;
  while (solved.sweeps < options.max_sweeps && !solved.converged) {
    sums = {};
    for (int c = 0; c < colours; ++c) {
      sweep_rows(problem, order.of(c), R, sums);
      tell(comm, boundary, exchanges[static_cast<std::size_t>(c)], R);
    }
    ++solved.sweeps;
    if (solved.sweeps % options.check_every != 0 && solved.sweeps < options.max_sweeps) continue;
    measure_rows(problem, order.rows, R, sums);
    add_up(comm, sums);
    solved.accuracy = accuracy_of(sums);
    solved.converged = solved.accuracy.natural <= options.tolerance;
  }
  return solved;
}

}  // namespace espalier::contact::detail
