#include "espalier/modes/detail/body_damping.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include "espalier/base/index.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

// An eigenvalue of a vertex' mass below this part of its largest one is none.
constexpr double kMassless = 1e-12;
// Bounds are as near as this to what they bound, relative to the largest; and wider by this, for rounding.
constexpr double kNear = 1e-11, kWider = 1e-10;

// Motions of a vertex in its six directions.
struct VertexMotions {
  MatrixXd heavy;   // of mass one each
  MatrixXd light;   // without mass
  Index first = 0;  // coordinate of the first heavy one
};

VertexMotions motions_of(const Vertex& vertex) {
  std::vector<Index> moving;
  for (std::size_t k = 0; k < 6; ++k) {
    if (vertex.moves[k]) moving.push_back(static_cast<Index>(k));
  }
  VertexMotions out{MatrixXd(6, 0), MatrixXd(6, 0)};
  if (moving.empty()) return out;
  // In the basis of its own mass each vertex has M = 1, and (M12) is a bound of eigenvalues of C alone.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> own(MatrixXd(vertex.mass(moving, moving)));
  const double least = kMassless * own.eigenvalues().cwiseAbs().maxCoeff();
  std::vector<Index> heavy, light;
  for (Index k = 0; k < own.eigenvalues().size(); ++k) (own.eigenvalues()[k] > least ? heavy : light).push_back(k);
  MatrixXd all = MatrixXd::Zero(6, own.eigenvalues().size());
  all(moving, Eigen::all) = own.eigenvectors();
  out.light = all(Eigen::all, light);
  out.heavy = all(Eigen::all, heavy) * own.eigenvalues()(heavy).cwiseSqrt().cwiseInverse().asDiagonal();
  return out;
}

// Damping of all bodies over their motions of mass one.
class DampingMatrix {
 public:
  explicit DampingMatrix(const Structure& structure) {
    for (const Vertex& vertex : structure.vertices) {
      motions_.push_back(motions_of(vertex));
      motions_.back().first = size_;
      size_ += motions_.back().heavy.cols();
    }
  }

  void add(int a, int b, const Matrix6& damping) {
    if (damping.isZero(0)) return;
    const VertexMotions& of_a = motions_[to_index(a)];
    const VertexMotions& of_b = motions_[to_index(b)];
    // Beside what the damper does to others of its own kind; another one, however strong, says nothing of it.
    if (of_b.light.cols() > 0) {
      const double touched = (damping * of_b.light).cwiseAbs().maxCoeff();
      acts_on_massless_ = acts_on_massless_ || touched > kMassless * damping.cwiseAbs().maxCoeff();
    }
    // M^(-1/2) C M^(-1/2), block by block.
    const MatrixXd block = of_a.heavy.transpose() * damping * of_b.heavy;
    for (Index r = 0; r < block.rows(); ++r) {
      for (Index c = 0; c < block.cols(); ++c) {
        entries_.emplace_back(static_cast<int>(of_a.first + r), static_cast<int>(of_b.first + c), block(r, c));
      }
    }
  }

  bool acts_on_massless() const { return acts_on_massless_; }
  Index size() const { return size_; }
  Sparse matrix() const {
    Sparse out(size_, size_);
    out.setFromTriplets(entries_.begin(), entries_.end());
    return out;
  }

 private:
  std::vector<VertexMotions> motions_;
  std::vector<Eigen::Triplet<double>> entries_;
  Index size_ = 0;
  bool acts_on_massless_ = false;  // a damper does
};

// In one direction of a joint.
void add_damper(const Element& element, Index direction, double damping, DampingMatrix& into) {
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const Matrix6 block =
          element.to_local[i].row(direction).transpose() * damping * element.to_local[j].row(direction);
      into.add(element.vertex[i], element.vertex[j], i == j ? block : Matrix6(-block));
    }
  }
}

void add_dampers(const Structure& structure, DamperBy by, DampingMatrix& into) {
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    into.add(static_cast<int>(v), static_cast<int>(v), structure.vertices[v].damping);
  }
  for (const Element& element : structure.elements) {
    const Hinge* hinge = std::get_if<Hinge>(&element.law);
    if (hinge == nullptr) continue;
    for (std::size_t k = 0; k < 6; ++k) {
      if (!is_by_stiffness(*hinge, k, by)) add_damper(element, static_cast<Index>(k), hinge->damping[k], into);
    }
  }
}

// Below and above all eigenvalues of a symmetric matrix that has none below 0, by halving: a Cholesky factor of what a
// multiple of the identity leaves exists where nothing lies beyond it.
struct Extremes {
  double low = 0, high = 0;
};
Extremes find_extremes(const Sparse& matrix) {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(matrix.rows());
  for (Index c = 0; c < matrix.outerSize(); ++c) {
    // Gershgorin: no eigenvalue is larger than the largest sum of a row.
    for (Sparse::InnerIterator entry(matrix, c); entry; ++entry) rows[entry.row()] += std::abs(entry.value());
  }
  const double largest = rows.maxCoeff();
  if (!(largest > 0)) return {};
  Eigen::SimplicialLLT<Sparse> factor;
  // Once for all shifts: they change numbers and not the pattern.
  factor.analyzePattern(matrix);
  const Sparse negative = -matrix;
  const auto is_above_all = [&](double shift) {
    factor.setShift(shift).factorize(negative);
    return factor.info() == Eigen::Success;
  };
  const auto is_below_all = [&](double shift) {
    factor.setShift(-shift).factorize(matrix);
    return factor.info() == Eigen::Success;
  };
  const Eigen::VectorXd diagonal = matrix.diagonal();
  // Gershgorin's discs on one side, the entries of the diagonal on the other.
  double high = largest * (1 + kNear), not_high = diagonal.maxCoeff();
  while (high - not_high > kNear * largest) {
    const double middle = (high + not_high) / 2;
    (is_above_all(middle) ? high : not_high) = middle;
  }
  double low = 0, not_low = diagonal.minCoeff();
  while (not_low - low > kNear * largest) {
    const double middle = (low + not_low) / 2;
    (is_below_all(middle) ? low : not_low) = middle;
  }
  return {low, high};
}

}  // namespace

BodyDamping bound_body_damping(const Structure& structure, DamperBy by) {
  DampingMatrix damping(structure);
  add_dampers(structure, by, damping);
  if (damping.acts_on_massless()) return {};
  BodyDamping out{true, 0, 0, static_cast<int>(damping.size())};
  if (damping.size() == 0) return out;
  const Extremes extremes = find_extremes(damping.matrix());
  // Damping that takes energy out has no eigenvalue below 0.
  out.low = std::max(0.0, extremes.low - kWider * extremes.high);
  out.high = extremes.high * (1 + kWider);
  return out;
}

}  // namespace espalier::modes::detail
