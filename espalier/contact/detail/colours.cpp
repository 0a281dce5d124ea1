#include <algorithm>
#include <cstdint>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

// The finaliser of SplitMix64: every bit of the input changes half of those of the output.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A number that looks random: neighbours in the scene are far apart in this order, so that few wait for each other.
std::uint64_t shuffled(const Key& key) {
  const std::uint64_t high =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.master)) << 32 | static_cast<std::uint32_t>(key.slave);
  const std::uint64_t low = static_cast<std::uint64_t>(key.part) << 32 | key.feature;
  return mix(mix(high) + 0x9e3779b97f4a7c15u * low);
}

struct Colouring {
  const Domain& domain;
  const Adjacency& adjacency;
  std::vector<std::uint64_t> order;  // by constraint
  std::vector<int> colour;           // -1: not yet
  std::vector<std::int64_t> taken;   // by colour: the last constraint that found it at a neighbour

  bool is_before(int a, int b) const {
    const auto i = to_index(a), j = to_index(b);
    // Two keys may give one number: then by place, which is by key on every rank.
    return order[i] != order[j] ? order[i] < order[j] : a < b;
  }

  template <class Visit>
  bool all_neighbours(int c, Visit visit) const {
    for (const int place :
         {adjacency.master[to_index(c)], adjacency.slave[to_index(c)]}) {
      if (place < 0) continue;
      const auto body = to_index(place);
      // Bodies that stand have empty lists: they couple nothing.
      for (int k = adjacency.begin[body]; k < adjacency.begin[body + 1]; ++k) {
        const int d = adjacency.of[to_index(k)];
        if (d != c && !visit(d)) return false;
      }
    }
    return true;
  }

  // True where all that come before have their colours.
  bool try_to_colour(int c) {
    const bool ready = all_neighbours(c, [&](int d) {
      const int of_neighbour = colour[to_index(d)];
      // Only a neighbour that comes before makes this one wait.
      if (of_neighbour < 0) return !is_before(d, c);
      if (is_before(d, c)) {
        if (taken.size() <= to_index(of_neighbour))
          taken.resize(to_index(of_neighbour) + 1, -1);
        taken[to_index(of_neighbour)] = c;
      }
      return true;
    });
    if (!ready) return false;
    // Marks of an earlier constraint need no clearing: they do not bear this one's number.
    std::size_t lowest = 0;
    while (lowest < taken.size() && taken[lowest] == c) ++lowest;
    colour[to_index(c)] = static_cast<int>(lowest);
    return true;
  }
};

}  // namespace

std::vector<int> colour_constraints(const comm::Comm& comm, const Domain& domain, const Adjacency& adjacency,
                                    const Boundary& boundary) {
  Colouring colouring{domain, adjacency, {}, std::vector<int>(domain.constraints.size(), -1), {}};
  for (const Constraint& constraint : domain.constraints) colouring.order.push_back(shuffled(constraint.key));
  std::vector<int> waiting;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0) waiting.push_back(static_cast<int>(c));
  }
  std::sort(waiting.begin(), waiting.end(), [&](int a, int b) { return colouring.is_before(a, b); });
  // Lists of fixed length and order: colours travel without names, -1 where there is none yet.
  std::vector<std::vector<int>> out(boundary.neighbours.size()), in(boundary.neighbours.size());
  for (std::size_t i = 0; i < boundary.neighbours.size(); ++i) in[i].resize(boundary.take[i].size());
  while (true) {
    // In their order, so that one pass colours all that do not wait for another rank.
    std::erase_if(waiting, [&](int c) { return colouring.try_to_colour(c); });
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].clear();
      for (const int c : boundary.send[i]) out[i].push_back(colouring.colour[to_index(c)]);
    }
    comm::exchange_into(comm, boundary.neighbours, out, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < in[i].size(); ++k) {
        colouring.colour[to_index(boundary.take[i][k])] = in[i][k];
      }
    }
    // Another round as long as any rank waits for a neighbour.
    if (!comm::any_of(comm, !waiting.empty())) break;
  }
  return colouring.colour;
}

}  // namespace espalier::contact::detail
