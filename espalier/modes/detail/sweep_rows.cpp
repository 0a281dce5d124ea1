#include "espalier/modes/detail/sweep_rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/modes/detail/sweep_kernel.hpp"

namespace espalier::modes::detail {
namespace {

class Settler {
 public:
  Settler(const Structure& structure, double largest_s, SweepProgram program)
      : structure_(structure), largest_s_(largest_s), program_(std::move(program)) {
    for (CutRow& row : program_.rows) row.closes = meeting(row.sides[0].step, row.sides[1].step);
  }

  // Rows that cannot be eliminated where they meet wait for the next vertex; what is still singular at a root is
  // implied by others and left out.
  Result<SweepProgram> settle() {
    while (true) {
      place_rows();
      const std::vector<Margins> margins = test_margins();
      bool changed = false;
      for (CutRow& row : program_.rows) {
        const int s = row.closes;
        const int parent = program_.steps[static_cast<std::size_t>(s)].parent;
        if (parent < 0 || margins[static_cast<std::size_t>(s)].closing > kZeroPivot) continue;
        row.closes = parent;
        changed = true;
      }
      if (changed) continue;
      const int bad = first_singular(margins);
      if (bad < 0) return std::move(program_);
      if (!drop_row(bad)) return tl::unexpected(singular_error(bad));
    }
  }

 private:
  // Places of the rows in the fronts.
  void place_rows() {
    std::vector<std::vector<int>> closing(program_.steps.size()), carried(program_.steps.size());
    for (int r = 0; r < static_cast<int>(program_.rows.size()); ++r) {
      const CutRow& row = program_.rows[static_cast<std::size_t>(r)];
      closing[static_cast<std::size_t>(row.closes)].push_back(r);
      std::vector<int> way;
      for (const CutRow::Side& side : row.sides) {
        for (int s = side.step; s != row.closes; s = program_.steps[static_cast<std::size_t>(s)].parent)
          way.push_back(s);
      }
      std::sort(way.begin(), way.end());
      way.erase(std::unique(way.begin(), way.end()), way.end());
      for (const int s : way) carried[static_cast<std::size_t>(s)].push_back(r);
    }
    const auto place = [&](int s, int r) {
      const std::vector<int>& first = closing[static_cast<std::size_t>(s)];
      const std::vector<int>& then = carried[static_cast<std::size_t>(s)];
      const auto at = std::lower_bound(first.begin(), first.end(), r);
      if (at != first.end() && *at == r) return static_cast<int>(at - first.begin());
      return static_cast<int>(first.size() + (std::lower_bound(then.begin(), then.end(), r) - then.begin()));
    };
    for (int s = 0; s < static_cast<int>(program_.steps.size()); ++s) {
      Step& step = program_.steps[static_cast<std::size_t>(s)];
      step.closing = static_cast<int>(closing[static_cast<std::size_t>(s)].size());
      step.carried = static_cast<int>(carried[static_cast<std::size_t>(s)].size());
      step.row_place.clear();
      for (const int r : carried[static_cast<std::size_t>(s)]) step.row_place.push_back(place(step.parent, r));
    }
    for (int r = 0; r < static_cast<int>(program_.rows.size()); ++r) {
      for (CutRow::Side& side : program_.rows[static_cast<std::size_t>(r)].sides) side.place = place(side.step, r);
    }
  }

  std::vector<Margins> test_margins() const {
    std::vector<Margins> best(program_.steps.size(), {0, 0, std::numeric_limits<int>::max()});
    SweepKernel<double> kernel(program_, 0);
    for (const double part : {0.318309886, 0.7390851332}) {
      const double omega = part * largest_s_;
      kernel.sweep({0.0, -omega * omega});
      for (std::size_t s = 0; s < best.size(); ++s) {
        best[s].closing = std::max(best[s].closing, kernel.margins()[s].closing);
        best[s].own = std::max(best[s].own, kernel.margins()[s].own);
        best[s].zeros = std::min(best[s].zeros, kernel.margins()[s].zeros);
      }
    }
    return best;
  }

  int first_singular(const std::vector<Margins>& margins) const {
    for (std::size_t s = 0; s < margins.size(); ++s) {
      if (!(margins[s].own > kZeroPivot)) return static_cast<int>(s);
    }
    return -1;
  }

  // A rigid row without which fewer pivots vanish: the last such one.
  bool drop_row(int root) {
    const auto zeros = [&] { return test_margins()[static_cast<std::size_t>(root)].zeros; };
    const int before = zeros();
    for (std::size_t r = program_.rows.size(); r-- > 0;) {
      if (program_.rows[r].closes != root || !program_.rows[r].rigid) continue;
      const CutRow row = program_.rows[r];
      const auto at = program_.rows.begin() + static_cast<std::ptrdiff_t>(r);
      program_.rows.erase(at);
      place_rows();
      if (zeros() < before) return true;
      program_.rows.insert(at, row);
    }
    return false;
  }

  Error singular_error(int s) const {
    const Step& step = program_.steps[static_cast<std::size_t>(s)];
    const std::string name = step.vertex >= 0 ? structure_.vertices[static_cast<std::size_t>(step.vertex)].name
                                              : std::string("the middle of a beam");
    return {ErrorCode::kValue,
            fmt::format("{} can move in a direction in which it has neither inertia nor stiffness: hold it, give it "
                        "mass, or take that direction out of `active`",
                        in_quotes(name)),
            {}};
  }

  // Parents come later, so the lower of the two goes up.
  int meeting(int a, int b) const {
    while (a != b) {
      int& lower = a < b ? a : b;
      lower = program_.steps[static_cast<std::size_t>(lower)].parent;
    }
    return a;
  }

  const Structure& structure_;
  double largest_s_;
  SweepProgram program_;
};

}  // namespace

Result<SweepProgram> settle_rows(const Structure& structure, double largest_s, SweepProgram program) {
  return Settler(structure, largest_s, std::move(program)).settle();
}

}  // namespace espalier::modes::detail
