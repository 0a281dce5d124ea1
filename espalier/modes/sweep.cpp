#include "espalier/modes/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/detail/make_program.hpp"
#include "espalier/modes/detail/precision.hpp"
#include "espalier/modes/detail/sweep_kernel.hpp"
#include "espalier/modes/detail/sweep_program.hpp"

namespace espalier::modes {

using detail::Dual;
using detail::Frequency;
using detail::SweepKernel;
using math::DoubleDouble;
using Complex = std::complex<double>;

struct SweepWorkspace::Memory {
  explicit Memory(std::shared_ptr<const detail::SweepProgram> p) : program(std::move(p)) {}

  // Made with the first evaluation of its kind.
  template <class T>
  SweepKernel<T>& kernel(std::optional<SweepKernel<T>>& of) {
    if (!of) of.emplace(*program, 0);
    return *of;
  }

  std::shared_ptr<const detail::SweepProgram> program;
  std::optional<SweepKernel<double>> count;
  std::optional<SweepKernel<Dual<double>>> real;
  std::optional<SweepKernel<DoubleDouble>> precise_count;
  std::optional<SweepKernel<Dual<DoubleDouble>>> precise_real;
  std::optional<SweepKernel<Dual<Complex>>> complex;
};

SweepWorkspace::SweepWorkspace(const Sweep& sweep) : memory(std::make_unique<Memory>(sweep.program)) {}
SweepWorkspace::~SweepWorkspace() = default;
SweepWorkspace::SweepWorkspace(SweepWorkspace&&) noexcept = default;

namespace {

template <class T>
Scaled<T> scaled(const detail::Pivots<Dual<T>>& pivots) {
  return {pivots.mantissa.value, pivots.exponent};
}

// Signs of pivots above this, relative to their neighbours, are beyond doubt. In double-double the frames also say how
// much rounding there was: what is counted would be symmetric without.
constexpr double kSafe = 1e-13, kSafePrecise = 1e-27, kNoise = 1e4;

template <class T>
Count count_of(const detail::Pivots<T>& pivots) {
  const double log =
      elementary::log(detail::magnitude(pivots.mantissa)) + std::numbers::ln2 * static_cast<double>(pivots.exponent);
  const bool precise = std::is_same_v<detail::Real<T>, DoubleDouble>;
  const double safe = precise ? std::max(kSafePrecise, kNoise * pivots.noise) : kSafe;
  return {pivots.negative, pivots.margin / safe, log};
}

int blur_of(const Sweep& sweep, Bound bound) {
  return bound == Bound::kNone || !sweep.blurs ? 0 : bound == Bound::kLower ? 1 : -1;
}

template <class T>
void solve_with(const Sweep& sweep, const Frequency<T>& at, std::span<const T> force, std::span<T> displacement) {
  const std::size_t size = 6 * to_index(sweep.vertices);
  const int loads = static_cast<int>(force.size() / size);
  SweepKernel<T> kernel(*sweep.program, loads);
  for (int load = 0; load < loads; ++load)
    kernel.set_load(load, force.subspan(to_index(load) * size, size));
  kernel.sweep(at);
  for (int load = 0; load < loads; ++load) {
    kernel.find_displacements(load, displacement.subspan(to_index(load) * size, size));
  }
}

}  // namespace

Result<Sweep> make_sweep(const Structure& structure, const Tree& tree, double largest_s) {
  Result<detail::SweepProgram> program = detail::make_program(structure, tree, largest_s, false);
  // What seems to have neither inertia nor stiffness may have lost them to rounding.
  const detail::Precision precision =
      program ? detail::find_precision(structure, *program) : detail::Precision{true, 10 * kBoundSlack};
  const bool precise = precision.mixes || detail::is_long(structure);
  if (precise) program = detail::make_program(structure, tree, largest_s, true);
  ESPALIER_TRY(program);
  Sweep sweep;
  sweep.largest_s = largest_s;
  sweep.vertices = static_cast<int>(structure.vertices.size());
  for (const detail::Step& step : program->steps) {
    sweep.coordinates += step.d;
    for (const detail::Link& link : step.links) {
      sweep.coordinates += &link == &step.links.front() ? 0 : step.n;
      sweep.pieces += link.element < 0 ? 0 : (link.is_beam ? link.beam.pieces : 1);
    }
    sweep.open_rows = std::max(sweep.open_rows, step.closing + step.carried);
  }
  sweep.motions = program->motions;
  sweep.precise = precise;
  sweep.mixes = precision.mixes;
  sweep.slack = precision.slack;
  const std::vector<char> blurred = detail::find_blurred(*program);
  sweep.blurs = std::find(blurred.begin(), blurred.end(), 1) != blurred.end();
  sweep.program = std::make_shared<const detail::SweepProgram>(*std::move(program));
  return sweep;
}

Count count_below(const Sweep& sweep, double omega, SweepWorkspace& work, Bound bound) {
  SweepKernel<double>& kernel = work.memory->kernel(work.memory->count);
  kernel.sweep({0.0, -omega * omega}, blur_of(sweep, bound));
  return count_of(kernel.pivots());
}

Count count_precisely(const Sweep& sweep, double omega, SweepWorkspace& work, Bound bound) {
  SweepKernel<DoubleDouble>& kernel = work.memory->kernel(work.memory->precise_count);
  kernel.sweep({0.0, -(DoubleDouble(omega) * omega)}, blur_of(sweep, bound));
  return count_of(kernel.pivots());
}

Evaluation evaluate_precisely(const Sweep&, double omega, SweepWorkspace& work) {
  SweepKernel<Dual<DoubleDouble>>& kernel = work.memory->kernel(work.memory->precise_real);
  const DoubleDouble square = DoubleDouble(omega) * omega;
  kernel.sweep({Dual<DoubleDouble>(0.0), Dual<DoubleDouble>(-square, DoubleDouble(-2 * omega))});
  const detail::Pivots<Dual<DoubleDouble>>& pivots = kernel.pivots();
  const DoubleDouble slope = pivots.mantissa.slope / pivots.mantissa.value;
  return {{pivots.mantissa.value.high, pivots.exponent}, slope.high, count_of(pivots)};
}

Evaluation evaluate(const Sweep&, double omega, SweepWorkspace& work) {
  SweepKernel<Dual<double>>& kernel = work.memory->kernel(work.memory->real);
  kernel.sweep({Dual<double>(0.0), Dual<double>(-omega * omega, -2 * omega)});
  const detail::Pivots<Dual<double>>& pivots = kernel.pivots();
  return {scaled(pivots), pivots.mantissa.slope / pivots.mantissa.value, count_of(pivots)};
}

ComplexEvaluation evaluate(const Sweep&, Complex s, SweepWorkspace& work) {
  SweepKernel<Dual<Complex>>& kernel = work.memory->kernel(work.memory->complex);
  kernel.sweep({Dual<Complex>(s, 1.0), Dual<Complex>(s * s, 2.0 * s)});
  const detail::Pivots<Dual<Complex>>& pivots = kernel.pivots();
  return {scaled(pivots), pivots.mantissa.slope / pivots.mantissa.value};
}

void solve(const Sweep& sweep, double omega, std::span<const double> force, std::span<double> displacement) {
  solve_with<double>(sweep, {0.0, -omega * omega}, force, displacement);
}
void solve(const Sweep& sweep, Complex s, std::span<const Complex> force, std::span<Complex> displacement) {
  solve_with<Complex>(sweep, {s, s * s}, force, displacement);
}

}  // namespace espalier::modes
