#include "espalier/modes/detail/pass_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/detail/pass_kernel.hpp"

namespace espalier::modes::detail {
namespace {

// A row of which less is left beside the others is implied by them: what files lose is more than rounding and less than
// any tilt that is meant.
constexpr double kImplied = 1e-9;
// Rows close where more than this of each is independent, with the vertex held where they meet; else they wait.
constexpr double kCloses = 1e-5;
// Pivots below this, relative, are 0: in double and in double-double.
constexpr double kZeroPivot = 1e-11, kZeroPrecise = 1e-24;

class Settler {
 public:
  Settler(const Structure& structure, double largest_s, PassProgram program, std::vector<RowMotions> motions)
      : structure_(structure), largest_s_(largest_s), program_(std::move(program)), motions_(std::move(motions)) {}

  Result<PassProgram> settle() {
    // A redundant row would be a zero pivot at every frequency, wherever it closed.
    drop_implied();
    // As early as can be: an open row is carried along as one more column of every frame.
    for (CutRow& row : program_.rows) row.closes = meeting(row.sides[0].step, row.sides[1].step);
    while (send_on()) {
    }
    place_rows();
    // Asked once for all frequencies, so that no search meets a pivot that is always zero.
    const int bad = first_singular();
    if (bad >= 0) return tl::unexpected(singular_error(bad));
    return std::move(program_);
  }

 private:
  // Places of the rows in the fronts.
  void place_rows() {
    std::vector<std::vector<int>> closing(program_.steps.size()), carried(program_.steps.size());
    for (int r = 0; r < static_cast<int>(program_.rows.size()); ++r) {
      const CutRow& row = program_.rows[to_index(r)];
      closing[to_index(row.closes)].push_back(r);
      std::vector<int> way;
      for (const CutRow::Side& side : row.sides) {
        for (int s = side.step; s != row.closes; s = program_.steps[to_index(s)].parent) way.push_back(s);
      }
      std::sort(way.begin(), way.end());
      way.erase(std::unique(way.begin(), way.end()), way.end());
      for (const int s : way) carried[to_index(s)].push_back(r);
    }
    const auto place = [&](int s, int r) {
      const std::vector<int>& first = closing[to_index(s)];
      const std::vector<int>& then = carried[to_index(s)];
      const auto at = std::lower_bound(first.begin(), first.end(), r);
      if (at != first.end() && *at == r) return static_cast<int>(at - first.begin());
      return static_cast<int>(first.size() + (std::lower_bound(then.begin(), then.end(), r) - then.begin()));
    };
    for (int s = 0; s < static_cast<int>(program_.steps.size()); ++s) {
      Step& step = program_.steps[to_index(s)];
      step.closing = static_cast<int>(closing[to_index(s)].size());
      step.carried = static_cast<int>(carried[to_index(s)].size());
      step.row_place.clear();
      for (const int r : carried[to_index(s)]) step.row_place.push_back(place(step.parent, r));
    }
    for (int r = 0; r < static_cast<int>(program_.rows.size()); ++r) {
      for (CutRow::Side& side : program_.rows[to_index(r)].sides) side.place = place(side.step, r);
    }
  }

  // Of rows that depend on each other the last ones.
  void drop_implied() {
    const std::vector<char> all(program_.steps.size(), 1);
    IndependentRows independent;
    std::vector<CutRow> rows;
    std::vector<RowMotions> motions;
    for (std::size_t r = 0; r < program_.rows.size(); ++r) {
      if (!motions_[r].empty() && !independent.accept(motions_[r], all, kImplied)) continue;
      rows.push_back(program_.rows[r]);
      motions.push_back(std::move(motions_[r]));
      program_.motions -= rows.back().rigid ? 1 : 0;
    }
    program_.rows = std::move(rows);
    motions_ = std::move(motions);
  }

  // Rows that nothing below the vertex where they meet can close wait for the next. True where some do.
  bool send_on() {
    std::vector<std::vector<std::size_t>> closing(program_.steps.size());
    for (std::size_t r = 0; r < program_.rows.size(); ++r) {
      if (!motions_[r].empty()) closing[to_index(program_.rows[r].closes)].push_back(r);
    }
    bool any = false;
    for (std::size_t s = 0; s < closing.size(); ++s) {
      const int parent = program_.steps[s].parent;
      if (parent < 0 || closing[s].empty()) continue;
      std::vector<char> below(program_.steps.size(), 0);
      // With the vertex held, only motions of what is below it can open the row.
      std::fill_n(below.begin(), s, 1);  // children come before parents
      IndependentRows independent;
      for (const std::size_t r : closing[s]) {
        if (independent.accept(motions_[r], below, kCloses)) continue;
        program_.rows[r].closes = parent;
        any = true;
      }
    }
    return any;
  }

  int first_singular() const {
    return program_.constants_low.empty() ? first_singular<double>(kZeroPivot)
                                          : first_singular<math::DoubleDouble>(kZeroPrecise);
  }

  // A step that has a pivot 0 at each of some frequencies.
  template <class T>
  int first_singular(double zero) const {
    std::vector<char> singular(program_.steps.size(), 1);
    PassKernel<T> kernel(program_, 0);
    // At a few frequencies without relation to each other: no structure resonates at all of them by chance.
    for (const double part : {0.318309886, 0.7390851332, 2.236e-2, 1.414e-4}) {
      const T omega(part * largest_s_);
      kernel.run({T(0.0), -omega * omega});
      for (std::size_t s = 0; s < singular.size(); ++s) {
        if (kernel.margins()[s] > zero) singular[s] = 0;
      }
      const auto bad = std::find(singular.begin(), singular.end(), 1);
      if (bad == singular.end()) return -1;
    }
    return static_cast<int>(std::find(singular.begin(), singular.end(), 1) - singular.begin());
  }

  Error singular_error(int s) const {
    const Step& step = program_.steps[to_index(s)];
    const std::string name =
        step.vertex >= 0 ? structure_.vertices[to_index(step.vertex)].name : std::string("the middle of a beam");
    return {ErrorCode::kValue,
            fmt::format("{} can move in a direction in which it has neither inertia nor stiffness: hold it, give it "
                        "mass, or take that direction out of `active`",
                        in_quotes(name)),
            {}};
  }

  // Parents come later, so the lower of the two goes up.
  int meeting(int a, int b) const {
    // Both ways go up until they are one.
    while (a != b) {
      int& lower = a < b ? a : b;
      lower = program_.steps[to_index(lower)].parent;
    }
    return a;
  }

  const Structure& structure_;
  double largest_s_;
  PassProgram program_;
  std::vector<RowMotions> motions_;
};

}  // namespace

Result<PassProgram> settle_rows(const Structure& structure, double largest_s, PassProgram program,
                                std::vector<RowMotions> motions) {
  return Settler(structure, largest_s, std::move(program), std::move(motions)).settle();
}

}  // namespace espalier::modes::detail
