#include "espalier/study/modes.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

// Displacement of the first mass under a force on it.
double closed_response(double omega) {
  const double first = kFirstSpring + kSecondSpring - kFirstMass * omega * omega;
  const double second = kSecondSpring - kSecondMass * omega * omega;
  return second / (first * second - kSecondSpring * kSecondSpring);
}

ResponseOptions first_to_first() { return {"first.x", "first.x", 0.1, 6, 31}; }

TEST(Response, IsThatOfTheClosedForm) {
  const Result<ResponseAnswer> answer = response(loaded_of(kMasses), first_to_first());
  ASSERT_TRUE(answer) << to_string(answer.error());
  ASSERT_EQ(answer->values.size(), 31u);
  EXPECT_EQ(answer->unit, "m/N");
  for (std::size_t k = 0; k < answer->values.size(); ++k) {
    const double expected = closed_response(kTurn * answer->hertz[k]);
    EXPECT_NEAR(answer->values[k].real(), expected, 1e-9 * std::abs(expected));
  }
}

TEST(Response, HasAPeakAtEachEigenfrequency) {
  const Result<ResponseAnswer> answer = response(loaded_of(kMasses), first_to_first());
  ASSERT_TRUE(answer) << to_string(answer.error());
  ASSERT_EQ(answer->peaks.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(answer->peaks[k].omega, closed_frequencies()[k], 1e-8);
  EXPECT_TRUE(answer->peaks.front().infinite);
}

TEST(Response, ATableHasALinePerFrequencyAndItsUnit) {
  const Result<ResponseAnswer> answer = response(loaded_of(kMasses), first_to_first());
  ASSERT_TRUE(answer) << to_string(answer.error());
  const std::string csv = to_csv(*answer);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 32);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "frequency [Hz],real [m/N],imaginary [m/N],amplitude [m/N],phase [rad]");
  EXPECT_EQ(make_page(*answer, "command").charts.size(), 2u);
  EXPECT_NE(to_json(*answer).find("\"unit\": \"m/N\""), std::string::npos);
}

TEST(Response, RefusesARangeAndAPlaceThatAreNone) {
  const auto error_of = [](const ResponseOptions& options) {
    const Result<ResponseAnswer> answer = response(loaded_of(kMasses), options);
    EXPECT_FALSE(answer);
    return answer ? Error{} : answer.error();
  };
  EXPECT_EQ(error_of({"first.x", "first.x", 5, 2, 11}).option, "to");
  EXPECT_EQ(error_of({"first.x", "first.x", 0, 2, 1}).option, "points");
  EXPECT_NE(to_string(error_of({"frist.x", "first.x", 0, 2, 11})).find("first"), std::string::npos);
}

}  // namespace
}  // namespace espalier::study
