#include "espalier/formats/detail/written.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::formats::detail {
namespace {

constexpr std::size_t kMostExamples = 3;
// Rounding of a few terms of size 1, and no length that anybody draws.
constexpr double kDust = 1e-15;

}  // namespace

// A writer has a dozen messages at most, so a search beats a map that would lose their order.
void Remarks::add(const std::string& message, const std::string& example) {
  auto found = std::find_if(remarks_.begin(), remarks_.end(), [&](const Remark& r) { return r.message == message; });
  if (found == remarks_.end()) found = remarks_.insert(remarks_.end(), {message, {}, 0});
  if (++found->count <= kMostExamples) found->examples.push_back(example);
}

std::vector<std::string> Remarks::notes() const {
  std::vector<std::string> notes;
  for (const Remark& remark : remarks_) {
    // Three names tell what is meant; three hundred would hide the other notes.
    const std::size_t others = remark.count - remark.examples.size();
    const std::string more = others > 0 ? fmt::format(" and {} more", others) : "";
    notes.push_back(fmt::format("{} ({}{})", remark.message, fmt::join(remark.examples, ", "), more));
  }
  return notes;
}

double tidy(double value) { return std::abs(value) < kDust ? 0 : value; }

double tidy_direction(double component) {
  // Only -1, 0 and 1 can be near: components of a unit vector are no larger.
  const double whole = std::round(component);
  // + 0.0 makes a positive zero of a negative one.
  return std::abs(component - whole) < kDust ? whole + 0.0 : component;
}

Eigen::Vector3d tidy(const Eigen::Vector3d& position) {
  return position.unaryExpr([](double x) { return tidy(x); });
}

Eigen::Vector3d tidy_direction(const Eigen::Vector3d& axis) {
  return axis.unaryExpr([](double x) { return tidy_direction(x); });
}

}  // namespace espalier::formats::detail
