#include "espalier/modes/baseline/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/detail/extent.hpp"
#include "espalier/modes/detail/shapes.hpp"
#include "espalier/modes/range.hpp"

namespace espalier::modes::baseline {
namespace {

using Complex = std::complex<double>;

constexpr double kResolution = 1e-6;  // of the height of the region, where none is asked for
constexpr double kPassBeyond = 1.01;
constexpr std::size_t kBatch = 64;  // samples on the stack

// Where to look, in case of an undamped structure on the axis.
struct Ground {
  Box box;
  std::int64_t counts = 0;
};

Result<Ground> choose_ground(const Structure& structure, const Tree& tree, const ModesOptions& options, bool damped) {
  // What the user says, else the same region as the search by counting would take.
  if (options.box) return Ground{*options.box, 0};
  if (damped) {
    const Result<detail::Extent> extent = detail::choose_extent(structure, tree, options);
    ESPALIER_TRY(extent);
    return Ground{{-extent->decay, 0, 0, extent->top}, extent->counts};
  }
  if (options.max_frequency > 0) return Ground{{0, 0, 0, options.max_frequency}, 0};
  const Result<Range> range = find_range(structure, tree, options.count);
  ESPALIER_TRY(range);
  return Ground{{0, 0, 0, range->upto}, range->counts};
}

RecursiveSearch make_search(const Box& box, const GridOptions& grid, bool damped) {
  const double resolution = grid.resolution > 0 ? grid.resolution : kResolution * (box.top - box.bottom);
  RecursiveSearch search;
  // Without damping all eigenvalues lie on the imaginary axis, and one direction is enough.
  if (damped) search.x = {box.left, box.right, grid.samples[0], resolution};
  search.y = {box.bottom, box.top, grid.samples[1], resolution};
  search.max_evaluations = grid.max_evaluations;
  return search;
}

SearchResult run_search(const comm::Comm& comm, const SearchFunction& function, const RecursiveSearch& search,
                        const ModesOptions& options) {
  if (options.method == Method::kBisection) {
    return find_sign_changes([&](double omega) { return function.sign(omega); }, search.y);
  }
  if (options.grid.spread.distribution == Distribution::kElements) {
    return find_minima(comm, function.in_parts(), search, options.grid.spread);
  }
  const BatchFunction sizes = [&](std::span<const Point> at, std::span<double> values) { function.sizes(at, values); };
  return find_minima(comm, sizes, search, options.grid.spread);
}

std::string baseline_text(const SearchResult& result, const RecursiveSearch& search, Method method) {
  std::string text =
      fmt::format("{} found by {}; whether any is missing, or is none, this method does not know", result.roots.size(),
                  method == Method::kRecursive ? "a recursive grid search" : "sign changes on a grid");
  if (!result.complete) {
    text += fmt::format("; it was stopped after {} evaluations with {} regions still open", result.evaluations,
                        result.open.size());
  }
  return text + fmt::format(" (resolution {:.3g} 1/s)", search.y.resolution);
}

// Shapes come from the same pass as those of other methods.
Result<void> add_shapes(const Structure& structure, const Tree& tree, const Box& box, ModeSet& set) {
  const double largest = elementary::hypot(std::max(std::abs(box.left), std::abs(box.right)), box.top);
  const Result<Pass> pass = make_pass(structure, tree, kPassBeyond * largest);
  ESPALIER_TRY(pass);
  for (Mode& mode : set.modes) {
    mode.shapes = set.damped ? detail::find_shapes(structure, *pass, mode.s, 1)
                             : detail::find_shapes(structure, *pass, mode.s.imag(), 1);
  }
  return {};
}

// A part of a chain as a 4 x 4 matrix.
PartedFunction parts_of(std::span<const BendingSegment> chain) {
  PartedFunction f;
  const auto slices = static_cast<std::int64_t>(chain.size());
  f.parts = static_cast<int>(std::min<std::int64_t>(slices, SearchFunction::kParts));
  f.numbers = 16;
  f.compute = [chain, slices, parts = f.parts](const Point& at, int part, std::span<Complex> numbers) {
    const Share share = published_share(slices, parts, part);
    Eigen::Map<BendingTransfer>(numbers.data()) =
        plain_product(chain.subspan(to_index(share.begin), to_index(share.end - share.begin)), {at.x, at.y});
  };
  f.join = [](const Point&, std::span<const Complex> numbers) {
    Eigen::Matrix<Complex, 4, 2> forces = Eigen::Matrix<Complex, 4, 2>::Zero();  // at the clamp: m, q
    // Moment and shear force at the clamp are unknown, displacement and rotation 0.
    forces(2, 0) = forces(3, 1) = 1;
    for (std::size_t first = 0; first < numbers.size(); first += 16) {
      forces = (Eigen::Map<const BendingTransfer>(numbers.data() + first) * forces).eval();
    }
    // At the free end both forces vanish.
    return std::abs(forces(2, 0) * forces(3, 1) - forces(2, 1) * forces(3, 0));
  };
  return f;
}

double logarithm(const Scaled<Complex>& value) {
  return elementary::log(std::abs(value.mantissa)) + std::numbers::ln2 * static_cast<double>(value.exponent);
}

PartedFunction parts_of(const OverallEquation& equation) {
  PartedFunction f;
  f.parts = static_cast<int>(equation.steps.size());
  f.numbers = Transfer::SizeAtCompileTime;
  f.compute = [&equation](const Point& at, int part, std::span<Complex> numbers) {
    Eigen::Map<Transfer>(numbers.data()) = step_transfer(equation.steps[to_index(part)], Complex(at.x, at.y));
  };
  f.join = [&equation](const Point& at, std::span<const Complex> numbers) {
    std::vector<Transfer> transfers(equation.steps.size());
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      transfers[k] = Eigen::Map<const Transfer>(numbers.data() + k * Transfer::SizeAtCompileTime);
    }
    // The logarithm has its minima where the determinant has, and does not leave the range of double.
    return logarithm(determinant(overall_matrix(equation, {at.x, at.y}, transfers)));
  };
  return f;
}

ModeSet make_set(const SearchResult& result, const RecursiveSearch& search, const Ground& ground, bool damped) {
  ModeSet set;
  set.damped = damped;
  for (const Point& root : result.roots) {
    Mode mode;
    mode.s = {root.x, root.y};
    mode.error = std::abs(mode.s) > 0 ? search.y.resolution / std::abs(mode.s) : 0;
    // A root above the axis stands for its pair.
    set.found += damped && root.y > 0 ? 2 : 1;
    set.modes.push_back(std::move(mode));
  }
  set.upto = ground.box.top;
  set.decay = damped ? -ground.box.left : 0;
  set.counts = ground.counts + result.evaluations;
  set.levels = result.levels;
  return set;
}

}  // namespace

Result<SearchFunction> make_search_function(const Structure& structure, const Tree& tree) {
  SearchFunction function;
  function.chain = find_bending_chain(structure);
  function.slices = static_cast<int>(structure.elements.size());
  if (function.chain) return function;
  Result<OverallEquation> equation = make_overall(structure, tree);
  ESPALIER_TRY(equation);
  function.equation = *std::move(equation);
  return function;
}

double SearchFunction::size(Complex s) const {
  if (chain) return std::abs(plain_determinant(*chain, s));
  return logarithm(determinant(overall_matrix(equation, s)));
}

void SearchFunction::sizes(std::span<const Point> at, std::span<double> values) const {
  if (!chain) {
    for (std::size_t k = 0; k < at.size(); ++k) values[k] = size({at[k].x, at[k].y});
    return;
  }
  std::array<Complex, kBatch> s, found;
  for (std::size_t first = 0; first < at.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, at.size() - first);
    for (std::size_t k = 0; k < count; ++k) s[k] = {at[first + k].x, at[first + k].y};
    // Side by side in the lanes of the processor: several s at the price of one.
    plain_determinants(*chain, std::span(s).first(count), std::span(found).first(count));
    for (std::size_t k = 0; k < count; ++k) values[first + k] = std::abs(found[k]);
  }
}

PartedFunction SearchFunction::in_parts() const { return chain ? parts_of(*chain) : parts_of(equation); }

double SearchFunction::sign(double omega) const {
  const Complex s(0, omega);
  return chain ? plain_determinant(*chain, s).real() : determinant(overall_matrix(equation, s)).mantissa.real();
}

Result<ModeSet> search_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                             const ModesOptions& options) {
  const bool damped = is_damped(structure);
  if (damped && options.method == Method::kBisection) {
    return make_error(ErrorCode::kOption, {},
                      "bisection follows the sign of the determinant, which of a damped structure is complex; use the "
                      "recursive search or auto");
  }
  const Result<Ground> ground = choose_ground(structure, tree, options, damped);
  ESPALIER_TRY(ground);
  const Result<SearchFunction> function = make_search_function(structure, tree);
  ESPALIER_TRY(function);
  const RecursiveSearch search = make_search(ground->box, options.grid, damped);
  const SearchResult result = run_search(comm, *function, search, options);
  ModeSet set = make_set(result, search, *ground, damped);
  set.method = options.method;
  set.slices = function->slices;
  set.certificate = baseline_text(result, search, options.method);
  if (!options.shapes) return set;
  const Result<void> shapes = add_shapes(structure, tree, ground->box, set);
  ESPALIER_TRY(shapes);
  return set;
}

}  // namespace espalier::modes::baseline
