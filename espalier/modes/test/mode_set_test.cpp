#include "espalier/modes/mode_set.hpp"

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

Structure two_named(const std::string& first, const std::string& second) {
  Structure structure;
  structure.vertices = {vertex_at(Eigen::Vector3d::Zero(), kPlanar), vertex_at(Eigen::Vector3d::UnitX(), kPlanar)};
  structure.vertices[0].name = first;
  structure.vertices[1].name = second;
  return structure;
}

ModeSet with_free_shape(const Shape& shape) {
  ModeSet set;
  set.free_motions = 1;
  set.modes.resize(1);
  set.modes[0].shapes = {shape};
  return set;
}

TEST(DescribeFreeMotions, NamesWhoMovesAndHow) {
  const Structure structure = two_named("cart", "wagon");
  EXPECT_EQ(describe_free_motions(structure, {}), "");
  Shape shape(2);
  shape[0][0] = 1;
  EXPECT_EQ(describe_free_motions(structure, with_free_shape(shape)), "1 free motion: 'cart' moves (x)");
  shape[1][5] = 0.5;
  shape[1][1] = 1e-9;  // rounding
  EXPECT_EQ(describe_free_motions(structure, with_free_shape(shape)), "1 free motion: 'cart', 'wagon' move (x rz)");
}

TEST(DescribeShortage, SaysWhyThereAreFewer) {
  ModeSet set;
  set.certainty = Certainty::kProved;
  set.asked = 3;
  set.upto = 40;
  EXPECT_EQ(describe_shortage(set), "none found, fewer than the 3 asked for: there are no more below 40 rad/s");
  set.modes.resize(2);
  set.modes[0].s = 0.0;  // a free motion is none of those asked for
  set.modes[1].s = {0, 5};
  set.modes[1].multiplicity = 2;
  set.complete = true;
  EXPECT_EQ(describe_shortage(set), "2 found, fewer than the 3 asked for: the structure has no more");
  set.certainty = Certainty::kNone;
  EXPECT_EQ(describe_shortage(set), "");
  set.certainty = Certainty::kProved;
  set.asked = 2;
  EXPECT_EQ(describe_shortage(set), "");
}

TEST(Word, IsTheOptionsOwn) {
  EXPECT_STREQ(word_of(Method::kBisection), "bisection");
  EXPECT_STREQ(word_of(Certainty::kChecked), "checked");
  EXPECT_STREQ(word_of(Distribution::kPaper), "paper");
}

}  // namespace
}  // namespace espalier::modes
