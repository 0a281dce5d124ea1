#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/expression.hpp"

namespace espalier::model {
namespace {

using Between = Table::Between;
using Outside = Table::Outside;

// A period closes where its ends differ by less than rounding of what wrote them, as a share of the whole range.
constexpr double kRounding = 1e-9;

// One equation of the slopes: below s[k-1] + centre s[k] + above s[k+1] = right.
struct Row {
  double below = 0, centre = 1, above = 0, right = 0;
};

// Elimination downwards and substitution upwards; no pivots are needed, since each centre is larger than its sides.
std::vector<double> solve(std::vector<Row> rows) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const double factor = rows[k].below / rows[k - 1].centre;
    rows[k].centre -= factor * rows[k - 1].above;
    rows[k].right -= factor * rows[k - 1].right;
  }
  std::vector<double> x(rows.size());
  for (std::size_t k = rows.size(); k-- > 0;) {
    const double above = k + 1 < rows.size() ? rows[k].above * x[k + 1] : 0;
    x[k] = (rows[k].right - above) / rows[k].centre;
  }
  return x;
}

double width(const Table& table, std::size_t k) { return table.argument[k + 1] - table.argument[k]; }
double secant(const Table& table, std::size_t k) { return (table.value[k + 1] - table.value[k]) / width(table, k); }

// The curvature behind a row is that in front of it: of a cubic with slopes s and the secant d over the width h,
// 2 (3 d - 2 s[k] - s[k+1]) / h behind row k equals 2 (s[k-1] + 2 s[k] - 3 d') / h' in front of it.
Row smooth_row(const Table& table, std::size_t before, std::size_t behind) {
  const double a = 1 / width(table, before), b = 1 / width(table, behind);
  return {a, 2 * (a + b), b, 3 * (a * secant(table, before) + b * secant(table, behind))};
}

// The last slope is the first one: a cyclic system, with its last unknown z taken out as x = p - z r.
std::vector<double> periodic_slopes(const Table& table) {
  const std::size_t pieces = table.value.size() - 1;
  // One cubic from a row to itself.
  if (pieces == 1) return {0, 0};
  std::vector<Row> rows;
  for (std::size_t k = 0; k < pieces; ++k) rows.push_back(smooth_row(table, k == 0 ? pieces - 1 : k - 1, k));
  const Row last = rows.back();
  rows.pop_back();
  std::vector<Row> of_last = rows;
  for (Row& row : of_last) row.right = 0;
  of_last.front().right += rows.front().below;
  of_last.back().right += rows.back().above;
  const std::vector<double> p = solve(rows), r = solve(of_last);
  const double z = (last.right - last.below * p.back() - last.above * p.front()) /
                   (last.centre - last.below * r.back() - last.above * r.front());
  std::vector<double> slopes;
  for (std::size_t k = 0; k < p.size(); ++k) slopes.push_back(p[k] - z * r[k]);
  slopes.push_back(z);
  slopes.push_back(slopes.front());
  return slopes;
}

// What holds its value outside arrives there at rest; what continues straight has no curvature there.
std::vector<double> cubic_slopes(const Table& table) {
  if (table.outside == Outside::kRepeat) return periodic_slopes(table);
  const std::size_t last = table.value.size() - 1;
  const bool straight = table.outside == Outside::kStraight;
  std::vector<Row> rows;
  rows.push_back(straight ? Row{0, 2, 1, 3 * secant(table, 0)} : Row{});
  for (std::size_t k = 1; k < last; ++k) rows.push_back(smooth_row(table, k - 1, k));
  rows.push_back(straight ? Row{1, 2, 0, 3 * secant(table, last - 1)} : Row{});
  return solve(rows);
}

bool is_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

// The ends of a period are one row.
bool close_period(Table& table) {
  const auto [low, high] = std::minmax_element(table.value.begin(), table.value.end());
  if (!(std::abs(table.value.back() - table.value.front()) <= kRounding * (*high - *low))) return false;
  table.value.back() = table.value.front();
  return true;
}

double end_slope(const Table& table, bool at_end) {
  if (table.outside != Outside::kStraight) return 0;
  if (!table.slope.empty()) return at_end ? table.slope.back() : table.slope.front();
  return secant(table, at_end ? table.value.size() - 2 : 0);
}

// Past an end, at the distance x from it.
std::array<double, 3> outside_at(const Table& table, bool at_end, double x) {
  const double slope = end_slope(table, at_end);
  const double value = at_end ? table.value.back() : table.value.front();
  return {slope == 0 ? value : value + slope * x, slope, 0};
}

// At the distance x behind row k.
std::array<double, 3> inside_at(const Table& table, std::size_t k, double x) {
  const double h = width(table, k), d = secant(table, k);
  if (table.slope.empty()) return {table.value[k] + d * x, d, 0};
  // y = y0 + x (s0 + x (c2 + x c3)), with both slopes and the other end's value.
  const double s0 = table.slope[k], s1 = table.slope[k + 1];
  const double c2 = (3 * d - 2 * s0 - s1) / h, c3 = (s0 + s1 - 2 * d) / (h * h);
  return {table.value[k] + x * (s0 + x * (c2 + x * c3)), s0 + x * (2 * c2 + 3 * x * c3), 2 * c2 + 6 * x * c3};
}

}  // namespace

Result<Table> make_table(std::vector<double> argument, std::vector<double> value, Between between, Outside outside,
                         const Where& where) {
  if (argument.size() < 2 || value.size() != argument.size())
    return make_error(ErrorCode::kValue, where, "a table needs two rows at least");
  if (!is_finite(argument) || !is_finite(value))
    return make_error(ErrorCode::kValue, where, "the numbers of a table must be finite");
  if (std::adjacent_find(argument.begin(), argument.end(), [](double a, double b) { return !(a < b); }) !=
      argument.end())
    return make_error(ErrorCode::kValue, where, "the argument of a table must ascend from row to row");
  Table table{std::move(argument), std::move(value), {}, between, outside};
  if (outside == Outside::kRepeat && !close_period(table)) {
    return make_error(ErrorCode::kValue, where,
                      fmt::format("a table that repeats must end with the value it begins with, not {} and {}; add the "
                                  "row that closes the period, or write `outside: hold`",
                                  number_text(table.value.front()), number_text(table.value.back())));
  }
  if (between == Between::kCubic) table.slope = cubic_slopes(table);
  // What lies between rows is made when asked for: whether it can be shows in the middle of two.
  bool steep = !is_finite(table.slope);
  for (std::size_t k = 0; k + 1 < table.value.size(); ++k) {
    for (const double number : inside_at(table, k, width(table, k) / 2)) steep = steep || !std::isfinite(number);
  }
  if (steep)
    return make_error(ErrorCode::kValue, where, "the rows of a table lie too close for the change of its value");
  return table;
}

std::array<double, 3> table_at(const Table& table, double x) {
  // Comparisons with it would all say no, and a row would be found.
  if (std::isnan(x)) return {x, x, x};
  const double first = table.argument.front(), last = table.argument.back();
  if (table.outside == Outside::kRepeat) {
    const double period = last - first;
    // Rounding may put the end of a period for the start of the next.
    x = std::clamp(x - period * std::floor((x - first) / period), first, last);
    if (std::isnan(x)) return {x, x, x};
  } else if (x < first || x >= last) {
    return outside_at(table, x >= last, x - (x >= last ? last : first));
  }
  const auto behind = std::upper_bound(table.argument.begin(), table.argument.end() - 1, x);
  const std::size_t row = to_index(behind - table.argument.begin()) - 1;
  return inside_at(table, row, x - table.argument[row]);
}

}  // namespace espalier::model
