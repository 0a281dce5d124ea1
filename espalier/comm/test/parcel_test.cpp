#include "espalier/comm/collectives.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier::comm {
namespace {

struct Mixed {
  char letter = 'a';
  double number = 0;
};

TEST(Parcel, GivesBackWhatWasPutInInOrder) {
  Parcel parcel;
  parcel.put(std::vector<double>{1.5, -0.0, 3});
  parcel.put(std::vector<int>{});
  parcel.put(Mixed{'z', 0.25});
  parcel.put(std::vector<char>{'x'});
  ParcelReader reader(parcel.bytes());
  const std::vector<double> numbers = reader.take<double>();
  ASSERT_EQ(numbers, (std::vector<double>{1.5, 0.0, 3}));
  EXPECT_TRUE(std::signbit(numbers[1]));
  EXPECT_TRUE(reader.take<int>().empty());
  const Mixed mixed = reader.take_one<Mixed>();
  EXPECT_EQ(mixed.letter, 'z');
  EXPECT_EQ(mixed.number, 0.25);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.take_one<char>(), 'x');
  EXPECT_TRUE(reader.at_end());
}

TEST(ParcelDeathTest, StopsWhereAListIsMissing) {
  Parcel parcel;
  parcel.put(std::vector<int>{1, 2, 3});
  ParcelReader reader(parcel.bytes());
  EXPECT_DEATH(reader.take<double>(), "ends too soon");
}

}  // namespace
}  // namespace espalier::comm
