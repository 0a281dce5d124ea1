#pragma once

// Frequencies that books give by formulas or by one equation, in numbers of one beam: z with omega = (z / l)^2
// sqrt(EI / rho A) for bending, beta with omega = beta / l sqrt(E / rho) for waves.

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "espalier/modes/test/reference_check.hpp"

namespace espalier::modes {

inline constexpr double kPi = std::numbers::pi;

// One root in each interval of pi, since the cosine alone has one there.
inline std::vector<double> cantilever_numbers(int count) {
  return roots_between([](long double z) { return std::cos(z) + 1 / std::cosh(z); }, 0, kPi * count, 8 * count);
}
// Clamped or free at both ends, beside free motions.
inline std::vector<double> clamped_numbers(int count) {
  return roots_between([](long double z) { return std::cos(z) - 1 / std::cosh(z); }, kPi, kPi * (count + 1), 8 * count);
}
// Clamped at one end, pinned at the other.
inline std::vector<double> propped_numbers(int count) {
  return roots_between([](long double z) { return std::sin(z) - std::tanh(z) * std::cos(z); }, 1, kPi * (count + 1),
                       8 * count);
}

inline std::vector<double> squares(std::vector<double> values, double factor) {
  for (double& value : values) value *= value * factor;
  return values;
}

// (k - part) pi factor, k = 1, 2, ...
inline std::vector<double> harmonics(int count, double part, double factor) {
  std::vector<double> out;
  for (int k = 1; k <= count; ++k) out.push_back((k - part) * kPi * factor);
  return out;
}

// How an end of a beam is held, in units of EI / l^3 and EI / l: by a spring less mass times omega^2.
struct BeamEnd {
  bool held = false, rotation_held = false;
  long double force = 0, moment = 0;
};

// Zero where a beam of length 1 with y'''' = z^4 y vibrates between two ends: y''' = -force y and y'' = moment y' at
// the left one, with the signs turned at the right one. Krylov's functions; loses e^z of 19 digits.
inline long double beam_equation(long double z, const BeamEnd& left, const BeamEnd& right) {
  using Row = std::array<long double, 4>;  // y, y', y'', y''' at the right end
  const long double S = (std::cosh(z) + std::cos(z)) / 2, T = (std::sinh(z) + std::sin(z)) / 2;
  const long double U = (std::cosh(z) - std::cos(z)) / 2, V = (std::sinh(z) - std::sin(z)) / 2;
  const long double z2 = z * z, z3 = z2 * z;
  const std::array<Row, 4> krylov = {Row{S, z * V, z2 * U, z3 * T}, Row{T, z * S, z2 * V, z3 * U},
                                     Row{U, z * T, z2 * S, z3 * V}, Row{V, z * U, z2 * T, z3 * S}};
  std::array<std::array<long double, 4>, 2> start{};  // factors of S T U V of the two motions that the left end allows
  start[0][left.held ? 3 : 0] = 1;
  if (!left.held) start[0][3] = -left.force / z3;
  start[1][left.rotation_held ? 2 : 1] = 1;
  if (!left.rotation_held) start[1][2] = left.moment / z;
  std::array<std::array<long double, 2>, 2> condition{};
  for (std::size_t m = 0; m < 2; ++m) {
    Row at{};
    for (std::size_t f = 0; f < 4; ++f) {
      for (std::size_t d = 0; d < 4; ++d) at[d] += start[m][f] * krylov[f][d];
    }
    condition[m] = {right.held ? at[0] : at[3] - right.force * at[0],
                    right.rotation_held ? at[1] : at[2] + right.moment * at[1]};
  }
  return condition[0][0] * condition[1][1] - condition[0][1] * condition[1][0];
}

}  // namespace espalier::modes
