// Question: how does one evaluation of a structure's determinant grow with the number of its elements, and what does it
// take to find ten modes of it?
// Steel beams of random sections end to end, clamped at one end, in the plane and in space, 10 to 10^5 of them, and
// with viscous damping, 10 to 10^4. Time of the processor, least of all passes. Reference: the plain product of 4 x 4
// transfer matrices, which is the published way and wrong from about mode 10 on. It ends with an error where the ten
// are not found, not proved, or not those of the closed form where all sections are the same. Usage: modes_cost [CSV].

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/chains.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/range.hpp"
#include "espalier/modes/transfer.hpp"

namespace {

namespace modes = espalier::modes;

constexpr double kBudget = 0.5;  // [s] a case

struct Row {
  double count = 0, evaluate = 0, product = 0, modes = 0;  // [s]
};

struct Kind {
  const char* name;
  bool in_space;
  double viscous;  // [N s/m^2]
  int most;        // elements
};
constexpr Kind kKinds[] = {{"plane", false, 0, 100'000}, {"space", true, 0, 100'000}, {"damped", false, 20, 10'000}};

void claim(bool holds, const char* what, int elements) {
  if (holds) return;
  std::fprintf(stderr, "modes_cost: %d elements: %s\n", elements, what);
  std::exit(1);
}

// Ten modes: undamped by inertia, damped by samples around a region, both with their count.
double find_ten(const modes::Structure& chain, const modes::Tree& tree, double upto, int elements) {
  const double start = bench::thread_seconds();
  modes::ModesOptions options;
  options.max_frequency = upto;
  options.shapes = false;
  const modes::ModeSet set = bench::need(modes::find_modes(espalier::comm::Comm::serial(), chain, tree, options));
  const double seconds = bench::thread_seconds() - start;
  claim(set.certainty == modes::Certainty::kProved, "the ten modes are not proved", elements);
  claim(set.found >= 10, "not ten modes found", elements);
  return seconds;
}

// As many elements that are one beam.
void check_even(int elements, bool in_space) {
  const modes::Structure chain = bench::make_chain(elements, in_space, 0, 0);
  const std::vector<double> exact = bench::even_frequencies();
  modes::ModesOptions options;
  options.max_frequency = 1.01 * exact.back();
  options.shapes = false;
  const modes::ModeSet set =
      bench::need(modes::find_modes(espalier::comm::Comm::serial(), chain, bench::chain_tree(elements), options));
  claim(set.certainty == modes::Certainty::kProved, "the modes of one beam are not proved", elements);
  claim(set.modes.size() == exact.size(), "so many modes one beam has not", elements);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    claim(std::abs(set.modes[k].s.imag() / exact[k] - 1) < 1e-8, "off the closed form of one beam", elements);
    claim(set.modes[k].multiplicity == (in_space ? 2 : 1), "of another multiplicity", elements);
  }
}

// A damped structure has no count; its evaluation is complex and has the slope.
Row measure(int elements, const Kind& kind) {
  const modes::Structure chain = bench::make_chain(elements, kind.in_space, kind.viscous);
  const modes::Tree tree = bench::chain_tree(elements);
  const modes::Range range = bench::need(modes::find_range(modes::without_damping(chain), tree, 10));
  const modes::Pass pass = bench::need(modes::make_pass(chain, tree, range.pass.largest_s));
  modes::PassWorkspace work(pass);
  const auto segments = modes::find_bending_chain(chain);
  double sum = 0;
  const double omega = 0.77 * range.upto;
  std::vector<std::function<void(int)>> calls(3);
  if (kind.viscous == 0) {
    calls[0] = [&](int) { sum += modes::count_below(pass, omega, work).below; };
    calls[1] = [&](int) { sum += modes::evaluate(pass, omega, work).log_derivative; };
  } else {
    calls[1] = [&](int) { sum += modes::evaluate(pass, {-1, omega}, work).log_derivative.real(); };
  }
  if (segments) {
    calls[2] = [&](int) { sum += std::abs(modes::plain_determinant(*segments, {0, omega})); };
  }
  const std::vector<bench::Times> times = bench::time_in_turns(calls, kBudget);
  return {times[0].least, times[1].least, times[2].least, find_ten(chain, tree, range.upto, elements)};
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "chain,elements,count_us,evaluate_us,product_us,ten_modes_ms\n");
  std::printf("%-6s %8s %12s %12s %12s %14s %10s\n", "chain", "elements", "count [us]", "with slope", "product",
              "10 modes [ms]", "exponent");
  for (const Kind& kind : kKinds) {
    Row before;
    for (int elements = 10; elements <= kind.most; elements *= 10) {
      if (kind.viscous == 0) check_even(elements, kind.in_space);
      const Row row = measure(elements, kind);
      const double exponent = elements > 10 ? std::log10(row.evaluate / before.evaluate) : 0;
      std::printf("%-6s %8d %12.3f %12.3f %12.3f %14.3f %10.2f\n", kind.name, elements, 1e6 * row.count,
                  1e6 * row.evaluate, 1e6 * row.product, 1e3 * row.modes, exponent);
      std::fflush(stdout);
      if (csv != nullptr) {
        std::fprintf(csv, "%s,%d,%.4f,%.4f,%.4f,%.4f\n", kind.name, elements, 1e6 * row.count, 1e6 * row.evaluate,
                     1e6 * row.product, 1e3 * row.modes);
      }
      before = row;
    }
  }
  if (csv != nullptr) std::fclose(csv);
}
