#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/contact/test/trial.hpp"

namespace espalier::contact::detail {
namespace {

// A pile at rest: every body has several contacts.
Prepared settled_pile(Trial& run) {
  for (int k = 0; k < 60; ++k) step(run.comm, run.domain);
  return prepare_step(run.comm, run.domain);
}

Settings coarse_settings() {
  Settings settings;
  settings.step = 5e-3;
  return settings;
}

TEST(Colours, NoTwoConstraintsOfABodyHaveTheSame) {
  Trial run(pile(36), coarse_settings());
  const Prepared prepared = settled_pile(run);
  int most = 0;
  for (std::size_t body = 0; body < run.domain.bodies.size(); ++body) {
    std::vector<int> colours;
    for (int k = prepared.adjacency.begin[body]; k < prepared.adjacency.begin[body + 1]; ++k) {
      colours.push_back(prepared.colour[to_index(prepared.adjacency.of[to_index(k)])]);
    }
    std::sort(colours.begin(), colours.end());
    EXPECT_EQ(std::adjacent_find(colours.begin(), colours.end()), colours.end()) << body;
    most = std::max(most, static_cast<int>(colours.size()));
  }
  // At least as many as the body with the most constraints needs; greedy colours are never more than both bodies of a
  // constraint force.
  ASSERT_GT(most, 4);
  EXPECT_GE(prepared.colours, most);
  EXPECT_LE(prepared.colours, 2 * most - 1);
}

TEST(Colours, AConstraintThatStandsAloneHasTheFirst) {
  model::ModelSpec spec = ground_spec(0.3, 0);
  add_body(spec, "ball", sphere_shape(0.1), {0, 0, 0.1});
  add_body(spec, "other", sphere_shape(0.1), {1, 0, 0.1});
  Trial run(spec, coarse_settings());
  // Both lie on the ground, which does not make them neighbours.
  const Prepared prepared = prepare_step(run.comm, run.domain);
  EXPECT_EQ(prepared.colour, (std::vector<int>{0, 0}));
  EXPECT_EQ(prepared.colours, 1);
}

}  // namespace
}  // namespace espalier::contact::detail
