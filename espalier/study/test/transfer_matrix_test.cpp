#include "espalier/study/modes.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

double log_size(std::complex<double> s) {
  const Result<MatrixAnswer> answer = transfer_matrix(loaded_of(kMasses), s);
  EXPECT_TRUE(answer) << to_string(answer.error());
  const modes::Scaled<std::complex<double>>& value = answer->value->determinant;
  return std::log10(std::abs(value.mantissa)) + static_cast<double>(value.exponent) * std::log10(2.0);
}

TEST(TransferMatrix, IsSingularAtTheEigenfrequencies) {
  const double elsewhere = log_size({0, 1.3 * closed_frequencies()[0]});
  for (const double omega : closed_frequencies()) EXPECT_LT(log_size({0, omega}), elsewhere - 8);
}

TEST(TransferMatrix, HasAColumnForEachUnknown) {
  const Result<MatrixAnswer> answer = transfer_matrix(loaded_of(kMasses), std::complex<double>(0, 1));
  ASSERT_TRUE(answer) << to_string(answer.error());
  int columns = 0;
  for (const modes::OverallUnknown& unknown : answer->equation.unknowns) {
    EXPECT_EQ(unknown.first, columns);
    columns += unknown.count;
    EXPECT_FALSE(place_of(*answer, unknown).empty());
    EXPECT_FALSE(meaning_of(unknown).empty());
  }
  EXPECT_EQ(answer->equation.order, columns);
  EXPECT_EQ(answer->value->matrix.rows(), columns);
  EXPECT_EQ(answer->value->matrix.cols(), columns);
}

TEST(TransferMatrix, WithoutAnSThereIsNoMatrix) {
  const Result<MatrixAnswer> answer = transfer_matrix(loaded_of(kMasses));
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_FALSE(answer->value);
  EXPECT_EQ(to_json(*answer).find("\"matrix\""), std::string::npos);
}

TEST(TransferMatrix, RefusesAnSThatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const Result<MatrixAnswer> answer = transfer_matrix(loaded_of(kMasses), std::complex<double>(0, inf));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().option, "at");
}

}  // namespace
}  // namespace espalier::study
