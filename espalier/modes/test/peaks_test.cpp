#include "espalier/modes/response.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

// Two equal masses between three equal springs: sqrt(k / m) in phase, sqrt(3 k / m) against each other.
//   |--k--(m)--k--(m)--k--|
Structure twins(double damping) {
  Structure out;
  for (const Directions& moves : {kSupport, kAlongX, kAlongX, kSupport}) {
    out.vertices.push_back(vertex_at(Eigen::Vector3d(static_cast<double>(out.vertices.size()), 0, 0), moves));
  }
  out.vertices[1].mass(0, 0) = out.vertices[2].mass(0, 0) = 2;
  for (int k = 0; k < 3; ++k) add_spring(out, k, k + 1, 50, damping);
  return out;
}

Place place(int vertex) {
  Place out{"", vertex, false, Eigen::Matrix<double, 1, 6>::Zero()};
  out.row[0] = 1;
  return out;
}

std::vector<Peak> peaks_of(const Structure& structure, int force, int answer, int points) {
  const Tree tree = plan_tree(structure).value();
  std::vector<double> omega;
  for (int k = 0; k < points; ++k) omega.push_back(1 + 19.0 * k / (points - 1));
  const std::vector<Complex> values = find_response(structure, tree, place(force), place(answer), omega).value();
  return find_peaks(structure, tree, place(force), place(answer), omega, values).value();
}

// x_1 / F_1 is the sum of 1 / (2 m) / (w_j^2 - w^2) over both, and with a minus of x_2 / F_1.
TEST(FindPeaks, UndampedOnesAreThoseOfTheModes) {
  for (const int points : {2, 5, 400}) {
    for (const int answer : {1, 2}) {
      const std::vector<Peak> peaks = peaks_of(twins(0), 1, answer, points);
      ASSERT_EQ(peaks.size(), 2U) << points;
      EXPECT_NEAR(peaks[0].omega, 5, 1e-9);
      EXPECT_NEAR(peaks[1].omega, 5 * std::sqrt(3.0), 1e-9);
      EXPECT_TRUE(peaks[0].infinite && peaks[1].infinite);
      EXPECT_NEAR(peaks[0].residue, 0.25, 1e-6);
      EXPECT_NEAR(peaks[1].residue, answer == 1 ? 0.25 : -0.25, 1e-6);
    }
  }
}

// Two chains that know nothing of each other: what one does the other does not see.
TEST(FindPeaks, LeavesOutWhatTheForceDoesNotMove) {
  Structure two = twins(0);
  two.vertices.push_back(vertex_at(Eigen::Vector3d(0, 1, 0), kAlongX));
  two.vertices.back().mass(0, 0) = 1;
  add_spring(two, 0, 4, 49);
  EXPECT_EQ(peaks_of(two, 1, 1, 20).size(), 2U);
  ASSERT_EQ(peaks_of(two, 4, 4, 20).size(), 1U);
  EXPECT_NEAR(peaks_of(two, 4, 4, 20)[0].omega, 7, 1e-9);
}

// One mass: |x / F| has its largest value at omega sqrt(1 - 2 zeta^2), and it is 1 / (2 k zeta sqrt(1 - zeta^2)).
TEST(FindPeaks, DampedOnesDoNotDependOnTheSamples) {
  for (const double zeta : {1e-4, 1e-2, 0.2}) {
    Structure one = spring_chain({50}, {2});
    std::get<Hinge>(one.elements[0].law).damping[0] = 2 * zeta * 2 * 5;
    for (const int points : {2, 3, 50, 1001}) {
      const std::vector<Peak> peaks = peaks_of(one, 1, 1, points);
      ASSERT_EQ(peaks.size(), 1U) << zeta << ", " << points;
      EXPECT_NEAR(peaks[0].omega, 5 * std::sqrt(1 - 2 * zeta * zeta), 1e-5);
      EXPECT_NEAR(std::abs(peaks[0].value), 1 / (100 * zeta * std::sqrt(1 - zeta * zeta)), 1e-6 / zeta);
    }
  }
}

}  // namespace
}  // namespace espalier::modes
