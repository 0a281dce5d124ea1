#include "espalier/base/numbers.hpp"

#include <array>

#include <gtest/gtest.h>

namespace espalier {
namespace {

// The published test vectors of 64-bit FNV-1a.
TEST(Hash, GivesThePublishedValues) {
  EXPECT_EQ(hash_text(Hash().value()), "cbf29ce484222325");
  EXPECT_EQ(hash_text(Hash().add("a").value()), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_text(Hash().add("foobar").value()), "85944171f73967e8");
  EXPECT_EQ(Hash().add("foo").add("bar").value(), Hash().add("foobar").value());
}

TEST(Hash, SeesTheSignOfZeroAndTheLastBit) {
  const std::array<double, 2> plus = {0.0, 1.0}, minus = {-0.0, 1.0}, near = {0.0, 1.0 + 0x1p-52};
  EXPECT_NE(Hash().add(plus).value(), Hash().add(minus).value());
  EXPECT_NE(Hash().add(plus).value(), Hash().add(near).value());
}

TEST(Hash, ANumberIsItsEightBytesLowestFirst) {
  EXPECT_EQ(Hash().add(std::int64_t{0x61}).value(), Hash().add(std::string_view("a\0\0\0\0\0\0\0", 8)).value());
}

}  // namespace
}  // namespace espalier
