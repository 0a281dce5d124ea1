#include "espalier/modes/pass.hpp"

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
#include "espalier/modes/detail/pass_kernel.hpp"
#include "espalier/modes/detail/pass_program.hpp"

namespace espalier::modes {

using detail::Dual;
using detail::Frequency;
using detail::PassKernel;
using math::DoubleDouble;
using Complex = std::complex<double>;

struct PassWorkspace::Memory {
  explicit Memory(std::shared_ptr<const detail::PassProgram> p) : program(std::move(p)) {}

  // Made with the first evaluation of its kind.
  template <class T>
  PassKernel<T>& kernel(std::optional<PassKernel<T>>& of) {
    // Each kind takes memory of its own, and most searches need two of the five.
    if (!of) of.emplace(*program, 0);
    return *of;
  }

  std::shared_ptr<const detail::PassProgram> program;
  std::optional<PassKernel<double>> count;
  std::optional<PassKernel<Dual<double>>> real;
  std::optional<PassKernel<DoubleDouble>> precise_count;
  std::optional<PassKernel<Dual<DoubleDouble>>> precise_real;
  std::optional<PassKernel<Dual<Complex>>> complex;
};

PassWorkspace::PassWorkspace(const Pass& pass) : memory(std::make_unique<Memory>(pass.program)) {}
PassWorkspace::~PassWorkspace() = default;
PassWorkspace::PassWorkspace(PassWorkspace&&) noexcept = default;

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

int blur_of(const Pass& pass, Bound bound) {
  // An upper bound of the count comes from a softer structure, a lower one from a stiffer (M10).
  return bound == Bound::kNone || !pass.blurs ? 0 : bound == Bound::kLower ? 1 : -1;
}

template <class T>
void solve_with(const Pass& pass, const Frequency<T>& at, std::span<const T> force, std::span<T> displacement) {
  const std::size_t size = 6 * to_index(pass.vertices);
  const int loads = static_cast<int>(force.size() / size);
  PassKernel<T> kernel(*pass.program, loads);
  for (int load = 0; load < loads; ++load) kernel.set_load(load, force.subspan(to_index(load) * size, size));
  // Loads before the pass, which carries them along, and displacements after it.
  kernel.run(at);
  for (int load = 0; load < loads; ++load) {
    kernel.find_displacements(load, displacement.subspan(to_index(load) * size, size));
  }
}

}  // namespace

Result<Pass> make_pass(const Structure& structure, const Tree& tree, double largest_s) {
  Result<detail::PassProgram> program = detail::make_program(structure, tree, largest_s, false);
  // What seems to have neither inertia nor stiffness may have lost them to rounding.
  const detail::Precision precision =
      program ? detail::find_precision(structure, *program) : detail::Precision{true, 10 * kBoundSlack};
  const bool precise = precision.mixes || detail::is_long(structure);
  if (precise) program = detail::make_program(structure, tree, largest_s, true);
  ESPALIER_TRY(program);
  Pass pass;
  pass.largest_s = largest_s;
  pass.vertices = static_cast<int>(structure.vertices.size());
  for (const detail::Step& step : program->steps) {
    pass.coordinates += step.d;
    for (const detail::Hop& hop : step.hops) {
      // The first hop starts at the step's own vertex, which is counted already.
      pass.coordinates += &hop == &step.hops.front() ? 0 : step.n;
      pass.slices += hop.element < 0 ? 0 : (hop.is_beam ? hop.beam.slices : 1);
    }
    pass.open_rows = std::max(pass.open_rows, step.closing + step.carried);
  }
  pass.motions = program->motions;
  pass.precise = precise;
  // What is derived in double-double may still be counted in double, where nothing mixes.
  pass.mixes = precision.mixes;
  pass.slack = precision.slack;
  const std::vector<char> blurred = detail::find_blurred(*program);
  pass.blurs = std::find(blurred.begin(), blurred.end(), 1) != blurred.end();
  pass.program = std::make_shared<const detail::PassProgram>(*std::move(program));
  return pass;
}

Count count_below(const Pass& pass, double omega, PassWorkspace& work, Bound bound) {
  PassKernel<double>& kernel = work.memory->kernel(work.memory->count);
  kernel.run({0.0, -omega * omega}, blur_of(pass, bound));
  return count_of(kernel.pivots());
}

Count count_precisely(const Pass& pass, double omega, PassWorkspace& work, Bound bound) {
  PassKernel<DoubleDouble>& kernel = work.memory->kernel(work.memory->precise_count);
  kernel.run({0.0, -(DoubleDouble(omega) * omega)}, blur_of(pass, bound));
  return count_of(kernel.pivots());
}

Evaluation evaluate_precisely(const Pass&, double omega, PassWorkspace& work) {
  PassKernel<Dual<DoubleDouble>>& kernel = work.memory->kernel(work.memory->precise_real);
  const DoubleDouble square = DoubleDouble(omega) * omega;
  kernel.run({Dual<DoubleDouble>(0.0), Dual<DoubleDouble>(-square, DoubleDouble(-2 * omega))});
  const detail::Pivots<Dual<DoubleDouble>>& pivots = kernel.pivots();
  // D' / D from D and D' alone: the exponent is that of both.
  const DoubleDouble slope = pivots.mantissa.slope / pivots.mantissa.value;
  return {{pivots.mantissa.value.high, pivots.exponent}, slope.high, count_of(pivots)};
}

Evaluation evaluate(const Pass&, double omega, PassWorkspace& work) {
  PassKernel<Dual<double>>& kernel = work.memory->kernel(work.memory->real);
  kernel.run({Dual<double>(0.0), Dual<double>(-omega * omega, -2 * omega)});
  const detail::Pivots<Dual<double>>& pivots = kernel.pivots();
  return {scaled(pivots), pivots.mantissa.slope / pivots.mantissa.value, count_of(pivots)};
}

ComplexEvaluation evaluate(const Pass&, Complex s, PassWorkspace& work) {
  PassKernel<Dual<Complex>>& kernel = work.memory->kernel(work.memory->complex);
  kernel.run({Dual<Complex>(s, 1.0), Dual<Complex>(s * s, 2.0 * s)});
  const detail::Pivots<Dual<Complex>>& pivots = kernel.pivots();
  return {scaled(pivots), pivots.mantissa.slope / pivots.mantissa.value};
}

void solve(const Pass& pass, double omega, std::span<const double> force, std::span<double> displacement) {
  solve_with<double>(pass, {0.0, -omega * omega}, force, displacement);
}
void solve(const Pass& pass, Complex s, std::span<const Complex> force, std::span<Complex> displacement) {
  solve_with<Complex>(pass, {s, s * s}, force, displacement);
}

}  // namespace espalier::modes
