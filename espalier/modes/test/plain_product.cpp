// How many modes of the literature's damped beam survive a plain product of transfer matrices, and how many the pass.
//   Run:     build/bench/bin/plain_product
//   Prints:  CSV: mode, |s|, relative error of the root of the plain product ("none": it leads nowhere) and of what
//            find_modes() finds, for 10, 50 and 200 segments. The exact roots are those of the compound determinant.

#include <array>
#include <cstdio>

#include "espalier/modes/test/beam_roots.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

constexpr int kModes = 40;
constexpr std::array<int, 3> kSegments = {10, 50, 200};

struct Column {
  std::vector<BendingSegment> segments;
  std::vector<std::complex<double>> exact;
  std::vector<std::optional<double>> found;
};

Column make_column(int segments) {
  Column out;
  out.segments = *find_bending_chain(stepped_beam(segments));
  out.exact = beam_roots(out.segments, kModes, {{-13, 10}, {-10, 70}, {-10, 176}});
  out.found = found_root_errors(stepped_beam(segments), out.exact);
  return out;
}

void print(const std::optional<double>& error) {
  if (error) {
    std::printf(",%.1e", *error);
  } else {
    std::printf(",none");
  }
}

void print_table() {
  std::vector<Column> columns;
  for (const int segments : kSegments) columns.push_back(make_column(segments));
  std::printf("mode,abs_s,plain_10,plain_50,plain_200,sweep_10,sweep_50,sweep_200\n");
  for (int k = 0; k < kModes; ++k) {
    std::printf("%d,%.1f", k + 1, std::abs(columns[1].exact.at(k)));
    for (const Column& column : columns) print(plain_root_error(column.segments, column.exact.at(k)));
    for (const Column& column : columns) print(column.found.at(k));
    std::printf("\n");
  }
}

}  // namespace
}  // namespace espalier::modes

int main() { espalier::modes::print_table(); }
