#pragma once

// A second count of eigenfrequencies, in 256 bits: the dense dynamic stiffness of all vertices, rigid joints taken out
// by elimination, and the signs of its pivots. Elastic bodies by the closed form of Euler's beam and the correction of
// [Wittrick71]. It shares no line with the pass.

#include <cmath>
#include <variant>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "espalier/base/index.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes {

class ExactCount {
 public:
  using Number =
      boost::multiprecision::number<boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
                                    boost::multiprecision::et_off>;

  explicit ExactCount(const Structure& structure) : structure_(structure) {
    for (const Vertex& vertex : structure.vertices) {
      first_.push_back(size_);
      for (const bool moves : vertex.moves) size_ += moves ? 1 : 0;
    }
    eliminate_rigid();
  }

  int motions() const { return static_cast<int>(free_.size()); }

  // Below omega; elastic bodies must not resonate there, which they do at 22.4 sqrt(EI / rho A) / l^2 first.
  int below(const Number& omega) const {
    Matrix dynamic(size_, std::vector<Number>(size_, 0));
    int count = 0;
    const Number square = omega * omega;
    for (std::size_t v = 0; v < structure_.vertices.size(); ++v) {
      add_block(
          v, v,
          [&](Eigen::Index i, Eigen::Index j) {
            return Number(structure_.vertices[v].stiffness(i, j)) - square * Number(structure_.vertices[v].mass(i, j));
          },
          dynamic);
    }
    for (const Element& element : structure_.elements) {
      if (const Hinge* hinge = std::get_if<Hinge>(&element.law)) {
        for (Eigen::Index k = 0; k < 6; ++k) {
          const auto d = to_index(k);
          if (hinge->kind[d] != Hinge::Kind::kElastic) continue;
          const std::vector<Number> row = row_of(element, k);
          add_product(row, row, Number(hinge->stiffness[d]), dynamic);
        }
      } else {
        count += add_beam(element, std::get<Beam>(element.law), omega, dynamic);
      }
    }
    return count + negative(reduced(dynamic));
  }

 private:
  using Matrix = std::vector<std::vector<Number>>;

  // Numbers of the moving directions of a vertex.
  template <class F>
  void for_moves(std::size_t v, F&& f) const {
    std::size_t at = first_[v];
    for (Eigen::Index k = 0; k < 6; ++k) {
      if (structure_.vertices[v].moves[to_index(k)]) f(k, at++);
    }
  }

  template <class F>
  void add_block(std::size_t a, std::size_t b, F&& value, Matrix& into) const {
    for_moves(a, [&](Eigen::Index i, std::size_t p) {
      for_moves(b, [&](Eigen::Index j, std::size_t q) { into[p][q] += value(i, j); });
    });
  }

  std::vector<Number> end_row(const Element& element, std::size_t end, Eigen::Index k) const {
    std::vector<Number> row(size_, 0);
    for_moves(to_index(element.vertex[end]),
              [&](Eigen::Index i, std::size_t p) { row[p] = Number(element.to_local[end](k, i)); });
    return row;
  }
  // How far end 1 is from end 0.
  std::vector<Number> row_of(const Element& element, Eigen::Index k) const {
    std::vector<Number> row = end_row(element, 1, k);
    const std::vector<Number> other = end_row(element, 0, k);
    for (std::size_t i = 0; i < size_; ++i) row[i] -= other[i];
    return row;
  }

  static void add_product(const std::vector<Number>& a, const std::vector<Number>& b, const Number& factor,
                          Matrix& into) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == 0) continue;
      for (std::size_t j = 0; j < b.size(); ++j) {
        if (b[j] != 0) into[i][j] += factor * a[i] * b[j];
      }
    }
  }

  // t of both ends = k [e_0; e_1] in one field; adds it, and returns how many eigenfrequencies it has with both held.
  int add_beam(const Element& element, const Beam& beam, const Number& omega, Matrix& into) const {
    int held = 0;
    if (beam.axial) held += add_wave(element, 0, beam.EA, beam.rho_A, beam.length, omega, into);
    if (beam.torsion) held += add_wave(element, 3, beam.GJ, beam.rho_Ip, beam.length, omega, into);
    if (beam.bend_y) held += add_bending(element, 1, 5, 1, beam.EIz, beam.rho_A, beam.length, omega, into);
    if (beam.bend_z) held += add_bending(element, 2, 4, -1, beam.EIy, beam.rho_A, beam.length, omega, into);
    return held;
  }

  int add_wave(const Element& element, Eigen::Index row, double stiffness, double inertia, double length,
               const Number& omega, Matrix& into) const {
    const Number k = omega * sqrt(Number(inertia) / Number(stiffness)), z = k * Number(length);
    const Number size = Number(stiffness) * k / sin(z);
    const std::vector<Number> a = end_row(element, 0, row), b = end_row(element, 1, row);
    add_product(a, a, size * cos(z), into);
    add_product(b, b, size * cos(z), into);
    add_product(a, b, -size, into);
    add_product(b, a, -size, into);
    return static_cast<int>(floor(z / boost::math::constants::pi<Number>()).convert_to<double>());
  }

  int add_bending(const Element& element, Eigen::Index shift, Eigen::Index rotation, int sign, double stiffness,
                  double inertia, double length, const Number& omega, Matrix& into) const {
    const Number l = sqrt(omega * sqrt(Number(inertia) / Number(stiffness))), z = l * Number(length);
    const Number EI = stiffness, c = cos(z), s = sin(z), C = cosh(z), S = sinh(z), D = 1 - c * C;
    const Number k11 = l * l * l * EI * (s * C + c * S) / D, k12 = sign * l * l * EI * s * S / D;
    const Number k22 = l * EI * (s * C - c * S) / D, k13 = -l * l * l * EI * (s + S) / D;
    const Number k14 = sign * l * l * EI * (C - c) / D, k24 = l * EI * (S - s) / D;
    const std::vector<Number> e[4] = {end_row(element, 0, shift), end_row(element, 0, rotation),
                                      end_row(element, 1, shift), end_row(element, 1, rotation)};
    const Number K[4][4] = {{k11, k12, k13, k14}, {k12, k22, -k14, k24}, {k13, -k14, k11, -k12}, {k14, k24, -k12, k22}};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) add_product(e[i], e[j], K[i][j], into);
    }
    const int i = static_cast<int>(floor(z / boost::math::constants::pi<Number>()).convert_to<double>());
    const int parity = i % 2 == 0 ? 1 : -1, side = D > 0 ? 1 : -1;
    return i - (1 - parity * side) / 2;
  }

  // All coordinates from the free ones: Gauss and Jordan with complete pivoting; rows of which 1e-9 is left are none.
  void eliminate_rigid() {
    Matrix rows;
    for (const Element& element : structure_.elements) {
      const Hinge* hinge = std::get_if<Hinge>(&element.law);
      for (Eigen::Index k = 0; hinge != nullptr && k < 6; ++k) {
        if (hinge->kind[to_index(k)] == Hinge::Kind::kRigid) rows.push_back(row_of(element, k));
      }
    }
    std::vector<char> taken(size_, 0);
    std::vector<std::size_t> pivot_of;
    std::size_t rank = 0;
    for (; rank < rows.size(); ++rank) {
      std::size_t r = rank, c = 0;
      Number largest = 0;
      for (std::size_t i = rank; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < size_; ++j) {
          if (abs(rows[i][j]) > largest) largest = abs(rows[i][j]), r = i, c = j;
        }
      }
      if (largest < 1e-9) break;
      std::swap(rows[rank], rows[r]);
      taken[c] = 1;
      pivot_of.push_back(c);
      const Number inverse = 1 / rows[rank][c];
      for (Number& x : rows[rank]) x *= inverse;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Number factor = rows[i][c];
        if (i == rank || factor == 0) continue;
        for (std::size_t j = 0; j < size_; ++j) rows[i][j] -= factor * rows[rank][j];
      }
    }
    for (std::size_t j = 0; j < size_; ++j) {
      if (taken[j] == 0) free_.push_back(j);
    }
    from_free_.assign(size_, std::vector<Number>(free_.size(), 0));
    for (std::size_t f = 0; f < free_.size(); ++f) {
      from_free_[free_[f]][f] = 1;
      for (std::size_t i = 0; i < rank; ++i) from_free_[pivot_of[i]][f] = -rows[i][free_[f]];
    }
  }

  Matrix reduced(const Matrix& a) const {
    const std::size_t n = free_.size();
    if (n == size_) return a;
    Matrix half(size_, std::vector<Number>(n, 0)), result(n, std::vector<Number>(n, 0));
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < size_; ++k) {
        if (a[i][k] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) half[i][j] += a[i][k] * from_free_[k][j];
      }
    }
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        if (from_free_[k][i] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) result[i][j] += from_free_[k][i] * half[k][j];
      }
    }
    return result;
  }

  // Without a choice of pivots: there are digits to lose.
  static int negative(Matrix a) {
    int count = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      count += a[k][k] < 0 ? 1 : 0;
      for (std::size_t i = k + 1; i < a.size(); ++i) {
        const Number factor = a[i][k] / a[k][k];
        for (std::size_t j = k + 1; j <= i; ++j) {
          a[i][j] -= factor * a[j][k];
        }
      }
    }
    return count;
  }

  const Structure& structure_;
  std::size_t size_ = 0;
  std::vector<std::size_t> first_;  // by vertex
  std::vector<std::size_t> free_;
  Matrix from_free_;
};

}  // namespace espalier::modes
