#include "espalier/plan/detail/pieces.hpp"

#include <gtest/gtest.h>

namespace espalier::plan::detail {
namespace {

// 0 - 1 - 2 - 3 - 0 with a chord 1 - 3, and 4 - 5 by two joints in the air; a joint of 2 with itself.
//   e1 0-1  e2 1-2  e3 2-3  e4 3-0  e5 1-3  e6 4-5  e7 5-4  e8 2-2
Network two_pieces() {
  Network network;
  network.graph = {6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 3}, {4, 5}, {5, 4}, {2, 2}}};
  network.weight = {1, 2, 3, 4, 5, 6, 7, 8};
  network.length = {1, 1, 1, 1, 1, 1, 1, 1};
  network.freedom = {1, 1, 1, 1, 1, 1, 1, 1};
  network.vertex_names = {"ground", "a", "b", "c", "d", "e"};
  network.ground = 0;
  return network;
}

TEST(MakePieces, KeepsNumbersOfTheNetworkByPiece) {
  PlanOptions options;
  options.cut = {4};
  options.pin = {2};
  const Result<Pieces> made = make_pieces(two_pieces(), options);
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->pieces.size(), 2u);
  const Piece& on_ground = made->pieces[0];
  EXPECT_EQ(on_ground.vertices, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(on_ground.edges, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(on_ground.problem.weight, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(on_ground.problem.pinned, (std::vector<char>{0, 0, 1, 0}));
  EXPECT_EQ(on_ground.problem.root, 0);
  const Piece& in_the_air = made->pieces[1];
  EXPECT_EQ(in_the_air.vertices, (std::vector{4, 5}));
  EXPECT_EQ(in_the_air.edges, (std::vector{5, 6}));
  EXPECT_EQ(in_the_air.problem.graph.edges[1].a, 1);
  EXPECT_TRUE(in_the_air.problem.pinned.empty());
  EXPECT_EQ(in_the_air.problem.root, -1);
}

TEST(MakePieces, RootIsTheUsersThenTheGround) {
  PlanOptions options;
  options.root = 5;
  Result<Pieces> made = make_pieces(two_pieces(), options);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->pieces[0].problem.root, 0);
  EXPECT_EQ(made->pieces[1].problem.root, 1);
  options.root = 2;
  made = make_pieces(two_pieces(), options);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->pieces[0].problem.root, 2);
  options = {};
  options.free_root = true;
  made = make_pieces(two_pieces(), options);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->pieces[0].problem.root, -1);
}

// The end of the joint that is farther from the root is cut; from body c the other way round.
TEST(MakePieces, HalfBodyHangsOnTheEndNearerToTheRoot) {
  PlanOptions options;
  options.cut_body = {1};
  for (const auto& [root, near, far] : {std::tuple(0, 1, 2), std::tuple(2, 2, 1)}) {
    options.root = root;
    const Result<Pieces> made = make_pieces(two_pieces(), options);
    ASSERT_TRUE(made.has_value());
    ASSERT_EQ(made->half_bodies.size(), 1u);
    EXPECT_EQ(made->half_bodies[0].vertex, 6);
    EXPECT_EQ(made->half_bodies[0].other, far);
    EXPECT_EQ(made->network.graph.edges[1].a, near);
    EXPECT_EQ(made->network.graph.edges[1].b, 6);
    EXPECT_EQ(made->network.vertex_names[6], two_pieces().vertex_names[far] + " (half)");
  }
}

std::string refusal(const PlanOptions& options) {
  const Result<Pieces> made = make_pieces(two_pieces(), options);
  return made ? "pieces" : full_message(made.error());
}

TEST(MakePieces, NamesWhatContradictsItself) {
  PlanOptions options;
  options.pin = {7};
  EXPECT_EQ(refusal(options), "`pin` 'e8': both ends are on 'b', so that it can only be cut");
  options.pin = {1, 2, 4};
  EXPECT_EQ(refusal(options),
            "`pin` keeps a whole loop: 'e5', 'e3', 'e2'; one of its joints must be cut, so pin one less");
  options.pin = {1};
  options.cut_body = {1};
  EXPECT_EQ(refusal(options), "`pin` and `cut_body` both name 'e2'; leave one of them out");
  options = {};
  options.cut_body = {5};
  options.cut = {6};
  EXPECT_EQ(refusal(options), "the forced cuts separate 'e' from 'd': no tree is left; leave one of them out");
}

}  // namespace
}  // namespace espalier::plan::detail
