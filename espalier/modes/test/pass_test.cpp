// Properties of one evaluation: what the tree must not change, what the classical form must agree with, and the
// symmetry of the answer to forces.

#include "espalier/modes/pass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/model_parts.hpp"
#include "espalier/modes/test/structure_support.hpp"
#include "espalier/modes/test/structures.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

bool moves(const Structure& structure, int v) {
  const Directions& may = structure.vertices[to_index(v)].moves;
  return std::any_of(may.begin(), may.end(), [](bool direction) { return direction; });
}

// Any spanning tree on any root.
Tree random_tree(const Structure& structure, Random& random) {
  const auto n = structure.vertices.size();
  std::vector<int> order(structure.elements.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1], order[to_index(random.below(static_cast<int>(k)))]);
  }
  DisjointSets sets(n);
  std::vector<std::vector<std::pair<int, int>>> next(n);  // neighbour and element
  for (const int e : order) {
    const auto [a, b] = structure.elements[to_index(e)].vertex;
    if (!moves(structure, a) || !moves(structure, b) || sets.find(a) == sets.find(b)) continue;
    sets.join(a, b);
    next[to_index(a)].emplace_back(b, e);
    next[to_index(b)].emplace_back(a, e);
  }
  Tree tree{std::vector<int>(n, -1), std::vector<int>(n, -1)};
  std::vector<bool> reached(n, false);
  const int shift = random.below(static_cast<int>(n));
  for (std::size_t k = 0; k < n; ++k) {
    const int root = static_cast<int>((k + to_index(shift)) % n);
    if (reached[to_index(root)] || !moves(structure, root)) continue;
    std::queue<int> queue;
    queue.push(root);
    reached[to_index(root)] = true;
    for (; !queue.empty(); queue.pop()) {
      const int v = queue.front();
      for (const auto& [w, e] : next[to_index(v)]) {
        const auto at = to_index(w);
        if (reached[at]) continue;
        reached[at] = true;
        tree.parent[at] = v;
        tree.element[at] = e;
        queue.push(w);
      }
    }
  }
  return tree;
}

// A braced frame in the plane with two loops, a pin, an elastic hinge and a heavy corner.
model::ModelSpec braced_frame(double damping) {
  model::ModelSpec spec = steel_spec("braced frame", kPlane);
  spec.bodies = {
      round_beam("left", {0, 0, 0}, {0, 1, 0}, 0.02),        round_beam("top", {0, 1, 0}, {1.4, 1.1, 0}, 0.015),
      round_beam("right", {1.4, 1.1, 0}, {1.5, 0, 0}, 0.02), round_beam("low", {0, 0.2, 0}, {1.5, 0, 0}, 0.01),
      rigid("corner", 3, {0, 1, 0}, {0.1, 0.1, 0.2}),        rigid("foot", 2, {1.5, 0, 0}, {0.1, 0.1, 0.1}),
      rigid("knee", 1, {0, 0.2, 0}, {0.1, 0.1, 0.1})};
  spec.bodies[0].beam->from = {0, 0.2, 0};
  spec.bodies[1].beam->viscous = 20 * damping;
  weld(spec, "knee", "left", {0, 0.2, 0});
  weld(spec, "left", "corner", {0, 1, 0});
  weld(spec, "corner", "top", {0, 1, 0});
  join(spec, model::JointType::kRevolute, "top", "right", {1.4, 1.1, 0});
  weld(spec, "right", "foot", {1.5, 0, 0});
  weld(spec, "foot", "low", {1.5, 0, 0});
  weld(spec, "knee", "low", {0, 0.2, 0});
  const std::vector<double> dampers = damping > 0 ? std::vector<double>{9, 7, 0, 0, 0, 2} : std::vector<double>{};
  hinge(spec, "ground", "knee", {0, 0, 0}, {1e6, 2e6, 0, 0, 0, 1e4}, dampers);
  hinge(spec, "ground", "foot", {1.5, -0.1, 0}, {1e6, 3e6, 0, 0, 0, 0}, dampers);
  hinge(spec, "corner", "foot", {0.7, 0.5, 0}, {4e5, 2e5, 0, 0, 0, 1e3}, dampers);
  return spec;
}

Pass pass_of(const Structure& structure, const Tree& tree, double largest) {
  const Result<Pass> pass = make_pass(structure, tree, largest);
  if (!pass) ADD_FAILURE() << to_string(pass.error());
  return *pass;
}

Complex ratio(const Scaled<Complex>& a, const Scaled<Complex>& b) {
  return a.mantissa / b.mantissa * std::exp2(static_cast<double>(a.exponent - b.exponent));
}

const std::vector<Complex> kPoints = {{0, 30}, {-20, 100}, {-3, 411}, {40, 700}, {-250, 0}, {0, 1234}, {-60, 1900}};

// The determinants on two trees differ by a factor that is the same for all s.
TEST(Pass, DeterminantsOnAllTreesAreProportional) {
  for (const double damping : {0.0, 1.0}) {
    const Structure structure = structure_of(braced_frame(damping));
    const Pass planned = pass_of(structure, plan_tree(structure).value(), 2500);
    PassWorkspace work(planned);
    Random random(3, static_cast<std::uint32_t>(damping));
    for (int round = 0; round < 12; ++round) {
      const Result<Pass> other = make_pass(structure, random_tree(structure, random), 2500);
      ASSERT_TRUE(other.has_value()) << to_string(other.error());
      PassWorkspace other_work(*other);
      Complex factor = 0;
      for (const Complex& s : kPoints) {
        const Complex here = ratio(evaluate(*other, s, other_work).determinant, evaluate(planned, s, work).determinant);
        if (factor == 0.0) factor = here;
        EXPECT_LT(std::abs(here / factor - 1.0), 1e-9) << "damping " << damping << ", s = " << s;
      }
    }
  }
}

// And both that of the overall transfer matrix, as far up as its products keep their digits.
TEST(Pass, DeterminantIsThatOfTheOverallTransferMatrix) {
  const auto expect_proportional = [](const Structure& structure, double tolerance, double upto = 2500) {
    const Tree tree = plan_tree(structure).value();
    const Pass pass = pass_of(structure, tree, 2500);
    const Result<OverallEquation> overall = make_overall(structure, tree);
    ASSERT_TRUE(overall.has_value()) << to_string(overall.error());
    PassWorkspace work(pass);
    Complex factor = 0;
    for (const Complex& s : kPoints) {
      if (std::abs(s) > upto) continue;
      const Complex here = ratio(determinant(overall_matrix(*overall, s)), evaluate(pass, s, work).determinant);
      if (factor == 0.0) factor = here;
      EXPECT_LT(std::abs(here / factor - 1.0), tolerance) << s;
    }
  };
  expect_proportional(spring_chain({200, 300, 100}, {1, 2, 0.5}), 1e-11);
  expect_proportional(rod_chain({2, 3, 5}), 1e-10);
  expect_proportional(stepped_beam(4, 40), 1e-8, 800);
  expect_proportional(structure_of(braced_frame(0)), 1e-6);
}

TEST(Pass, AnswersToForcesAreReciprocal) {
  for (const double damping : {0.0, 1.0}) {
    const Structure structure = structure_of(braced_frame(damping));
    const Pass pass = pass_of(structure, plan_tree(structure).value(), 2500);
    const std::size_t size = 6 * structure.vertices.size();
    const auto answer = [&](Complex s, std::size_t at) {
      std::vector<Complex> force(size), moved(size);
      force[at] = 1;
      solve(pass, s, force, moved);
      return moved;
    };
    std::vector<std::size_t> places;
    for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
      for (const std::size_t k : {0, 1, 5}) {
        if (structure.vertices[v].moves[k]) places.push_back(6 * v + k);
      }
    }
    ASSERT_GE(places.size(), 9u);
    for (const Complex& s : kPoints) {
      std::vector<std::vector<Complex>> columns;
      double largest = 0;
      for (const std::size_t at : places) {
        columns.push_back(answer(s, at));
        for (const Complex& u : columns.back()) largest = std::max(largest, std::abs(u));
      }
      for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_LT(std::abs(columns[i][places[j]] - columns[j][places[i]]), 1e-10 * largest) << s;
        }
      }
    }
  }
}

TEST(Pass, SpectraOnRandomTreesAreOne) {
  for (const double damping : {0.0, 1.0}) {
    const Structure structure = structure_of(braced_frame(damping));
    ModesOptions options;
    options.max_frequency = 1500;
    options.shapes = false;
    Random random(5, static_cast<std::uint32_t>(damping));
    const Result<ModeSet> reference =
        find_modes(comm::Comm::serial(), structure, plan_tree(structure).value(), options);
    ASSERT_TRUE(reference.has_value());
    EXPECT_NE(reference->certainty, Certainty::kNone);
    ASSERT_GE(reference->modes.size(), 6u);
    for (int round = 0; round < 8; ++round) {
      const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, random_tree(structure, random), options);
      ASSERT_TRUE(set.has_value()) << to_string(set.error());
      EXPECT_EQ(set->certainty, reference->certainty);
      ASSERT_EQ(set->modes.size(), reference->modes.size());
      for (std::size_t k = 0; k < set->modes.size(); ++k) {
        EXPECT_LT(std::abs(set->modes[k].s - reference->modes[k].s), 1e-11 * std::abs(reference->modes[k].s)) << k;
      }
    }
  }
}

}  // namespace
}  // namespace espalier::modes
