#include "espalier/modes/detail/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include <Eigen/Core>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

// From forces at random a solution lies 1 / (relative distance) times nearer to the mode; twice is enough.
constexpr int kIterations = 2;
// Off the eigenvalue by this part: there the equations are still solvable. Where a pivot is exactly 0, a little more.
constexpr std::array<double, 3> kBeside = {1e-14, 1e-13, 1e-12};

template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// Rotations count as displacements at a distance of the unit of length.
template <class T>
void scale_rotations(double unit, Columns<T>& u) {
  for (Eigen::Index i = 0; i < u.rows(); ++i) {
    if (i % 6 >= 3) u.row(i) *= unit;
  }
}

template <class T>
void orthonormalize(Columns<T>& u) {
  for (Eigen::Index j = 0; j < u.cols(); ++j) {
    // Twice: after the first time little may be left.
    for (int time = 0; time < 2; ++time) {
      for (Eigen::Index k = 0; k < j; ++k) u.col(j) -= u.col(k) * u.col(k).dot(u.col(j));
      const double length = u.col(j).norm();
      if (length > 0) u.col(j) /= length;
    }
  }
}

template <class T>
Shape make_shape(const Columns<T>& u, Eigen::Index column, double unit) {
  Eigen::Index largest = 0;
  for (Eigen::Index i = 1; i < u.rows(); ++i) {
    if (std::abs(u(i, column)) > std::abs(u(largest, column)) * (1 + 1e-9)) largest = i;
  }
  // The largest number becomes 1; of equal ones the first, so that rounding does not choose.
  const T factor = T(1.0) / u(largest, column);
  Shape shape(to_index(u.rows() / 6));
  for (Eigen::Index i = 0; i < u.rows(); ++i) {
    const T number = u(i, column) * factor / (i % 6 >= 3 ? unit : 1.0);
    shape[to_index(i / 6)][to_index(i % 6)] = number;
  }
  return shape;
}

template <class T>
std::vector<Shape> iterate(const Structure& structure, const Pass& pass, T at, int multiplicity) {
  const auto size = static_cast<Eigen::Index>(6 * structure.vertices.size());
  const double unit = structure.length_unit;
  Columns<T> u(size, multiplicity), force(size, multiplicity);
  Random random(1);
  for (Eigen::Index k = 0; k < u.size(); ++k) u.data()[k] = T(random.uniform() - 0.5);
  for (int k = 0; k < kIterations; ++k) {
    // Forces like the last shape: the solution turns to the mode by its distance to the next eigenvalue.
    force = u;
    scale_rotations(unit, force);
    const auto count = to_index(u.size());
    solve(pass, at, std::span<const T>(force.data(), count), std::span<T>(u.data(), count));
    scale_rotations(unit, u);
    // Near an eigenvalue displacements have any size.
    for (Eigen::Index j = 0; j < u.cols(); ++j) u.col(j) /= u.col(j).cwiseAbs().maxCoeff();
    orthonormalize(u);
  }
  std::vector<Shape> shapes;
  for (Eigen::Index j = 0; j < u.cols(); ++j) shapes.push_back(make_shape(u, j, unit));
  return shapes;
}

bool is_finite(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    for (const auto& vertex : shape) {
      for (const std::complex<double>& u : vertex) {
        if (!std::isfinite(u.real()) || !std::isfinite(u.imag())) return false;
      }
    }
  }
  return true;
}

template <class T>
std::vector<Shape> iterate_beside(const Structure& structure, const Pass& pass, T at, int multiplicity) {
  std::vector<Shape> shapes;
  for (const double beside : kBeside) {
    shapes = iterate<T>(structure, pass, at * (1 + beside), multiplicity);
    // An exact zero pivot gives no number, and the next place is farther off.
    if (is_finite(shapes)) break;
  }
  return shapes;
}

}  // namespace

std::vector<Shape> find_shapes(const Structure& structure, const Pass& pass, double omega, int multiplicity) {
  return iterate_beside<double>(structure, pass, omega, multiplicity);
}
std::vector<Shape> find_shapes(const Structure& structure, const Pass& pass, std::complex<double> s, int multiplicity) {
  return iterate_beside<std::complex<double>>(structure, pass, s, multiplicity);
}

}  // namespace espalier::modes::detail
