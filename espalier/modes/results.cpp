#include "espalier/modes/results.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/shapes.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kPassBeyond = 1.01;
// As find_modes() has it: free motions are looked at so far below the slowest vibration.
constexpr double kSlow = 1e-5;

double largest_s(const ModeSet& set) {
  double largest = 0;
  for (const Mode& mode : set.modes) largest = std::max(largest, std::abs(mode.s));
  return largest > 0 ? kPassBeyond * largest : std::max(1.0, set.upto);
}

// Where the shapes of a mode are looked for: beside 0 for free motions.
Complex place(const ModeSet& set, const Mode& mode) {
  // The equations at 0 itself are singular: inverse iteration stands a little beside.
  if (std::abs(mode.s) > 0) return mode.s;
  double slowest = set.upto;
  for (const Mode& other : set.modes) {
    if (std::abs(other.s) > 0) slowest = std::min(slowest, std::abs(other.s));
  }
  return {0, kSlow * slowest};
}

void scale(Shape& shape, Complex factor) {
  for (auto& vertex : shape) {
    for (Complex& u : vertex) u *= factor;
  }
}

void add(const Shape& other, Complex factor, Shape& shape) {
  for (std::size_t v = 0; v < shape.size(); ++v) {
    for (std::size_t k = 0; k < 6; ++k) shape[v][k] += factor * other[v][k];
  }
}

// The number that is to become 1: the largest displacement, or the largest rotation where nothing but rounding is
// displaced. Numbers that are equal but for rounding: the first.
Complex largest_number(const Shape& shape, double unit) {
  constexpr double kRounding = 1e-6;
  std::array<Complex, 2> largest = {0, 0};
  for (const auto& vertex : shape) {
    for (std::size_t k = 0; k < 6; ++k) {
      Complex& most = largest[k / 3];
      if (std::abs(vertex[k]) > std::abs(most) * (1 + 1e-9)) most = vertex[k];
    }
  }
  return std::abs(largest[0]) > kRounding * unit * std::abs(largest[1]) ? largest[0] : largest[1];
}

// Shapes with their mass coordinates, made orthogonal to each other by mass; twice, since little may be left.
void orthogonalize(std::vector<Shape>& shapes, std::vector<Eigen::VectorXcd>& coordinates) {
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    for (int time = 0; time < 2; ++time) {
      for (std::size_t k = 0; k < j; ++k) {
        // Shape and mass coordinates are changed alike, so that they stay those of one motion.
        const Complex part = coordinates[k].dot(coordinates[j]) / coordinates[k].squaredNorm();
        add(shapes[k], -part, shapes[j]);
        coordinates[j] -= part * coordinates[k];
      }
    }
  }
}

// By mass the sign is that of the largest number, which the other scaling makes 1.
Complex scale_factor(const Shape& shape, double mass, double unit, Scaling scaling) {
  const Complex largest = largest_number(shape, unit);
  // A motion of points between the vertices has nothing to scale by.
  if (std::abs(largest) == 0) return 1;
  if (scaling == Scaling::kLargest) return 1.0 / largest;
  return std::abs(largest) / largest / std::sqrt(mass);
}

ShapeResult make_result(const ModeResults& all, const Eigen::MatrixXcd& rigid, Shape shape, Eigen::VectorXcd q,
                        Complex s, bool vibrates) {
  ShapeResult result;
  const Complex factor = scale_factor(shape, q.squaredNorm(), all.cut.structure.length_unit, all.scaling);
  scale(shape, factor);
  q *= factor;
  result.modal_mass = q.squaredNorm();
  // A free motion has no cycle over which energies could be taken.
  if (vibrates) result.energies = find_energies(all.cut, shape, s);
  for (Index k = 0; k < 6 && result.modal_mass > 0; ++k) {
    // (M16)
    const Complex moved = q.dot(rigid.col(k));
    result.participation[to_index(k)] = moved / result.modal_mass;
    result.effective_mass[to_index(k)] = std::norm(moved) / result.modal_mass;
  }
  result.shape = std::move(shape);
  return result;
}

}  // namespace

Result<ModeResults> find_results(const Structure& structure, const Tree& tree, ModeSet& set,
                                 const ResultOptions& options) {
  ModeResults results;
  const double largest = largest_s(set);
  // Beams are cut into shorter slices, so that one between two supports has a shape too.
  results.cut = cut_beams(structure, tree, largest, options.least_slices);
  results.scaling = options.scaling;
  const Result<Pass> pass = make_pass(results.cut.structure, results.cut.tree, largest);
  ESPALIER_TRY(pass);
  results.centre = mass_centre(results.cut);
  const Eigen::MatrixXcd rigid = rigid_mass_coordinates(results.cut, results.centre);
  // r_j* M r_j, to which the effective masses (M16) of all modes add up.
  for (Index k = 0; k < 6; ++k) results.mass[to_index(k)] = rigid.col(k).squaredNorm();
  for (Mode& mode : set.modes) {
    const Complex s = place(set, mode);
    std::vector<Shape> shapes = set.damped
                                    ? detail::find_shapes(results.cut.structure, *pass, s, mode.multiplicity)
                                    : detail::find_shapes(results.cut.structure, *pass, s.imag(), mode.multiplicity);
    std::vector<Eigen::VectorXcd> coordinates;
    for (const Shape& shape : shapes) coordinates.push_back(mass_coordinates(results.cut, shape, s));
    orthogonalize(shapes, coordinates);
    std::vector<ShapeResult> found;
    mode.shapes.clear();
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      found.push_back(
          make_result(results, rigid, std::move(shapes[k]), std::move(coordinates[k]), s, std::abs(mode.s) > 0));
      const Shape& all = found.back().shape;
      // Vertices inside of beams are ours; the set speaks of the structure that was given.
      mode.shapes.emplace_back(all.begin(), all.begin() + results.cut.whole_vertices);
    }
    results.modes.push_back(std::move(found));
  }
  return results;
}

}  // namespace espalier::modes
