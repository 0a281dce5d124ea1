#include "espalier/modes/tracking.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "espalier/base/numbers.hpp"
#include "espalier/modes/baseline/search.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

struct Height {
  double log10_size = 0;
  int sign = 0;
};
using HeightAt = std::function<Height(Complex)>;

template <class T>
Height height_of(const Scaled<T>& value) {
  return {elementary::log10(std::abs(value.mantissa)) +
              static_cast<double>(value.exponent) * std::numbers::ln2 / std::numbers::ln10,
          std::real(value.mantissa) > 0   ? 1
          : std::real(value.mantissa) < 0 ? -1
                                          : 0};
}

HeightAt of_pass(Pass pass, bool on_axis) {
  const auto work = std::make_shared<PassWorkspace>(pass);
  return [pass = std::move(pass), work, on_axis](Complex s) {
    // On the axis all numbers are real and the sign means something.
    return on_axis ? height_of(evaluate(pass, s.imag(), *work).determinant)
                   : height_of(evaluate(pass, s, *work).determinant);
  };
}

HeightAt of_products(baseline::SearchFunction function) {
  return [function = std::move(function)](Complex s) {
    if (!function.chain) return height_of(determinant(overall_matrix(function.equation, s)));
    // What the searches of the literature see, with the digits that they have left.
    const Complex value = plain_determinant(*function.chain, s);
    return Height{elementary::log10(std::abs(value)), value.real() > 0 ? 1 : value.real() < 0 ? -1 : 0};
  };
}

Result<HeightAt> make_height(const Structure& structure, const Tree& tree, Method method, const Box& box,
                             bool on_axis) {
  if (method == Method::kAuto) {
    const double far = elementary::hypot(std::max(std::abs(box.left), std::abs(box.right)), box.top);
    Result<Pass> pass = make_pass(structure, tree, 1.01 * far);
    ESPALIER_TRY(pass);
    return of_pass(*std::move(pass), on_axis);
  }
  Result<baseline::SearchFunction> function = baseline::make_search_function(structure, tree);
  ESPALIER_TRY(function);
  return of_products(*std::move(function));
}

}  // namespace

Result<Landscape> sample_landscape(const Structure& structure, const Tree& tree, Method method, const Box& box,
                                   int columns, int rows) {
  const bool on_axis = box.left == box.right;
  const Result<HeightAt> height = make_height(structure, tree, method, box, on_axis);
  ESPALIER_TRY(height);
  Landscape land{box, on_axis ? 1 : columns, rows, {}, {}};
  for (int row = 0; row < land.rows; ++row) {
    // Cells are sampled in their middles, a line from end to end.
    const double part = on_axis ? static_cast<double>(row) / (rows - 1) : (row + 0.5) / rows;
    double y = box.bottom + part * (box.top - box.bottom);
    // At 0 itself the free motions make every determinant 0.
    if (on_axis && !(y > 0)) y = 1e-6 * box.top;
    for (int column = 0; column < land.columns; ++column) {
      const double x = on_axis ? 0 : box.left + (column + 0.5) / columns * (box.right - box.left);
      const Height found = (*height)({x, y});
      land.log10_size.push_back(found.log10_size);
      if (on_axis) land.sign.push_back(found.sign);
    }
  }
  return land;
}

}  // namespace espalier::modes
