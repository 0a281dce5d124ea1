#include <complex>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/test/documents_support.hpp"

namespace espalier::study {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// |3 + 4i| = 5, and -2i lags by a quarter of a turn.
TEST(ResponseDocument, HasAmplitudeAndPhaseOfEachValue) {
  ResponseAnswer answer;
  answer.unit = "m/N";
  answer.hertz = {1, 2};
  answer.values = {{3, 4}, {0, -2}};
  const std::string document = to_json(answer);
  expect_parts(document, {R"("unit": "m/N","frequency": [1.0,2.0],"receptance": [[3.0,4.0],[0.0,-2.0]])",
                          R"("amplitude": [5.0,2.0])"});
  const std::string line = on_one_line(document);
  const std::size_t second = line.find(',', line.find(R"("phase": [)"));
  EXPECT_NEAR(std::strtod(line.c_str() + second + 1, nullptr), -std::numbers::pi / 2, 1e-15);
}

TEST(ResponseDocument, OfAnInfinitePeakHasItsResidueAlone) {
  ResponseAnswer answer;
  modes::Peak infinite{.omega = 4 * std::numbers::pi, .value = {}, .infinite = true, .residue = 0.75};
  modes::Peak finite{.omega = 6 * std::numbers::pi, .value = {0.0, 0.5}, .infinite = false, .residue = 0};
  answer.peaks = {infinite, finite};
  expect_parts(to_json(answer), {R"({"frequency": 2.0,"amplitude": null,"phase": null,"residue": 0.75})",
                                 R"("frequency": 3.0,"amplitude": 0.5,"phase": 1.57)", R"("residue": null})"});
}

TEST(ModeSweepDocument, HasNullWhereAModeWasNotFound) {
  ModeSweepAnswer answer;
  answer.path = "bodies.a.mass";
  answer.set.values = {1, 2};
  answer.set.certainty = {modes::Certainty::kProved, modes::Certainty::kChecked};
  answer.set.steps = 5;
  answer.set.tracks = {{{{-3, 4}, {kNaN, kNaN}}, {kNaN, 0.5}}};
  const std::string document = to_json(answer);
  expect_parts(document, {R"("parameter": "bodies.a.mass","values": [1.0,2.0],"certainty": ["proved","checked"])",
                          R"("searches": 5)", R"("damping": [0.6,null],"mac": [null,0.5])"});
  EXPECT_NEAR(std::strtod(on_one_line(document).c_str() + on_one_line(document).find("\"frequency\": [") + 14, nullptr),
              2 / std::numbers::pi, 1e-15);
}

TEST(MatrixDocument, HasTheMatrixRowByRowAndItsDeterminantInTwoParts) {
  MatrixAnswer answer;
  answer.structure.vertices.resize(1);
  answer.structure.vertices[0].name = "tip of rod";
  answer.equation.order = 2;
  answer.equation.displacements = {0, 5};
  modes::OverallUnknown tip;
  tip.vertex = 0;
  tip.first = 1;
  tip.count = 2;
  answer.equation.unknowns = {tip};
  expect_parts(to_json(answer), {R"("order":2)", R"("displacements":["x","rz"])",
                                 R"({"kind":"tip","at":"tip of rod","what":"displacements of a free end","first":1)"});
  expect_no_part(to_json(answer), "matrix");
  Eigen::MatrixXcd matrix(2, 2);
  matrix << 1, 2, 3, std::complex<double>(0, 4);
  answer.value = MatrixValue{{0, 2}, matrix, {{0.5, 0}, 3}};
  expect_parts(to_json(answer), {R"("s":[0.0,2.0])", R"("determinant":{"mantissa":[0.5,0.0],"exponent":3})",
                                 R"("matrix":[[[1.0,0.0],[2.0,0.0]],[[3.0,0.0],[0.0,4.0]]])"});
}

}  // namespace
}  // namespace espalier::study
