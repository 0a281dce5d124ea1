#include "espalier/modes/transfer.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace espalier::modes {
namespace {

using Eigen::MatrixXcd;
using Kind = OverallUnknown::Kind;

// Fills the matrix row by row as the states flow to the roots.
struct Assembly {
  const OverallEquation& equation;
  Complex s;
  std::span<const Transfer> transfers;  // of the steps; none: they are computed as they come
  MatrixXcd matrix;
  int row = 0;
  int n = 0;  // displacements in use

  Assembly(const OverallEquation& of, Complex at, std::span<const Transfer> known)
      : equation(of),
        s(at),
        transfers(known),
        matrix(MatrixXcd::Zero(of.order, of.order)),
        n(static_cast<int>(of.displacements.size())) {}

  MatrixXcd states_of(const OverallInput& input) const;
  MatrixXcd through(int step, const MatrixXcd& states);
  void join(MatrixXcd& sum, const MatrixXcd& input);
  void pass_vertex(const OverallVertex& vertex, MatrixXcd& states);
  void end(const OverallVertex& vertex, const MatrixXcd& states);
};

// Unknowns as the states they are.
MatrixXcd Assembly::states_of(const OverallInput& input) const {
  const OverallUnknown& unknown = equation.unknowns[input.unknown];
  MatrixXcd out = MatrixXcd::Zero(2 * n, equation.order);
  // Of a support the forces are unknown, of a free end the displacements, of a cut both.
  const int first_row = unknown.kind != Kind::kCut && unknown.fixed ? n : 0;
  for (int k = 0; k < unknown.count; ++k) out(first_row + k, unknown.first + k) = 1;
  // The other side of a cut feels the opposite.
  if (input.opposite) out.bottomRows(n) *= -1;
  return out;
}

MatrixXcd Assembly::through(int which, const MatrixXcd& states) {
  const OverallStep& step = equation.steps[which];
  MatrixXcd local = step.enter * states;
  const auto position = [&](int state) {
    return static_cast<int>(std::find(step.local.begin(), step.local.end(), state) - step.local.begin());
  };
  // No force passes in a released direction: an equation for the jump that it has there.
  for (const int release : step.releases) {
    matrix.row(row++) = local.row(position(force_row(equation.unknowns[release].direction)));
  }
  const Transfer U = transfers.empty() ? step_transfer(step, s) : transfers[which];
  local = (U(step.local, step.local) * local).eval();
  // The jump itself is an unknown of the whole.
  for (const int release : step.releases) {
    local(position(equation.unknowns[release].direction), equation.unknowns[release].first) += 1;
  }
  return step.leave * local;
}

// The geometry equations, and the sum of the forces.
void Assembly::join(MatrixXcd& sum, const MatrixXcd& input) {
  // The first input gives the displacements, each other one a condition that its own agree.
  if (sum.size() == 0) {
    sum = input;
    return;
  }
  matrix.middleRows(row, n) = sum.topRows(n) - input.topRows(n);
  row += n;
  sum.bottomRows(n) += input.bottomRows(n);
}

void Assembly::pass_vertex(const OverallVertex& vertex, MatrixXcd& states) {
  // A held direction is an equation for its displacement, and an unknown force.
  for (const int restraint : vertex.restraints) {
    const OverallUnknown& unknown = equation.unknowns[restraint];
    const auto at = std::find(equation.displacements.begin(), equation.displacements.end(), unknown.direction);
    const auto force = std::find(equation.states.begin(), equation.states.end(), force_row(unknown.direction));
    matrix.row(row++) = states.row(at - equation.displacements.begin());
    states(force - equation.states.begin(), unknown.first) += 1;
  }
  const MatrixXcd impedance = (vertex.mass * s + vertex.damping) * s + vertex.stiffness;
  // What the vertex needs to move is taken from the force that arrives.
  states.bottomRows(n) -= impedance * states.topRows(n);
}

// The main equation.
void Assembly::end(const OverallVertex& vertex, const MatrixXcd& states) {
  OverallInput root;
  root.unknown = vertex.root;
  matrix.middleRows(row, 2 * n) = states - states_of(root);
  row += 2 * n;
}

}  // namespace

Transfer step_transfer(const OverallStep& step, Complex s) {
  return std::visit([s](const auto& law) { return local_transfer(law, s); }, step.law);
}

MatrixXcd overall_matrix(const OverallEquation& equation, Complex s) { return overall_matrix(equation, s, {}); }

MatrixXcd overall_matrix(const OverallEquation& equation, Complex s, std::span<const Transfer> transfers) {
  Assembly assembly(equation, s, transfers);
  std::vector<MatrixXcd> out(equation.vertices.size());
  for (std::size_t v = 0; v < equation.vertices.size(); ++v) {
    const OverallVertex& vertex = equation.vertices[v];
    for (const OverallInput& input : vertex.inputs) {
      // Children stand before their parents, and nobody asks for them twice.
      MatrixXcd states = input.child >= 0 ? std::move(out[input.child]) : assembly.states_of(input);
      if (input.step >= 0) states = assembly.through(input.step, states);
      assembly.join(out[v], states);
    }
    assembly.pass_vertex(vertex, out[v]);
    if (vertex.root < 0) continue;
    if (vertex.root_step >= 0) out[v] = assembly.through(vertex.root_step, out[v]);
    assembly.end(vertex, out[v]);
  }
  return std::move(assembly.matrix);
}

Scaled<Complex> determinant(MatrixXcd matrix) {
  Scaled<Complex> out{1, 0};
  const Eigen::PartialPivLU<Eigen::Ref<MatrixXcd>> lu(matrix);
  // With an exponent of its own: the determinant leaves the range of doubles.
  for (int k = 0; k < matrix.rows(); ++k) {
    out.mantissa *= matrix(k, k);
    const double size = std::abs(out.mantissa);
    if (size == 0) return {0, 0};
    int exponent = 0;
    std::frexp(size, &exponent);
    out.mantissa = {std::ldexp(out.mantissa.real(), -exponent), std::ldexp(out.mantissa.imag(), -exponent)};
    out.exponent += exponent;
  }
  out.mantissa *= static_cast<double>(lu.permutationP().determinant());
  return out;
}

}  // namespace espalier::modes
