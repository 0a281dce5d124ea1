// Question: how does one evaluation of a structure's determinant grow with the number of its elements, and what does it
// take to find ten modes of it?
// Steel beams of random sections end to end, clamped at one end, in the plane and in space, 10 to 10^5 of them. Time of
// the processor, least of all passes. Reference: the plane product of 4 x 4 transfer matrices, which is the
// published way and wrong from about mode 10 on.
// Usage: modes_cost [CSV].

#include <cmath>
#include <cstdio>
#include <vector>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/base/random.hpp"
#include "espalier/modes/bending_chain.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/undamped.hpp"

namespace {

namespace modes = espalier::modes;

constexpr double kBudget = 0.5;  // [s] a case

modes::Structure make_chain(int elements, bool in_space) {
  espalier::Random random(1, static_cast<std::uint32_t>(elements));
  modes::Structure chain;
  chain.vertices.resize(static_cast<std::size_t>(elements) + 1);
  for (int k = 0; k <= elements; ++k) {
    modes::Vertex& vertex = chain.vertices[static_cast<std::size_t>(k)];
    vertex.point = {10.0 * k / elements, 0, 0};
    if (k > 0) vertex.moves = in_space ? modes::Directions{1, 1, 1, 1, 1, 1} : modes::Directions{0, 1, 0, 0, 0, 1};
  }
  for (int k = 0; k < elements; ++k) {
    const double side = 0.04 * random.uniform(0.7, 1.3), area = side * side, I = area * area / 12;
    modes::Beam beam;
    beam.length = 10.0 / elements;
    beam.EA = 2.1e11 * area, beam.GJ = 0.8e11 * 1.7 * I;
    beam.EIy = beam.EIz = 2.1e11 * I;
    beam.rho_A = 7850 * area, beam.rho_Ip = 7850 * 2 * I;
    beam.axial = beam.torsion = beam.bend_z = in_space;
    chain.elements.push_back({"beam", beam, {k, k + 1}, {modes::Matrix6::Identity(), modes::Matrix6::Identity()}});
  }
  return chain;
}

modes::Tree chain_tree(int elements) {
  modes::Tree tree{std::vector<int>(static_cast<std::size_t>(elements) + 1, -1),
                   std::vector<int>(static_cast<std::size_t>(elements) + 1, -1)};
  for (int k = 1; k < elements; ++k) {
    tree.parent[static_cast<std::size_t>(k)] = k + 1;
    tree.element[static_cast<std::size_t>(k)] = k;
  }
  return tree;
}

struct Row {
  double count = 0, evaluate = 0, product = 0, modes = 0;  // [s]
};

Row measure(int elements, bool in_space) {
  const modes::Structure chain = make_chain(elements, in_space);
  const modes::Tree tree = chain_tree(elements);
  const modes::Range range = bench::need(modes::find_range(chain, tree, 10));
  modes::SweepWorkspace work(range.sweep);
  const auto pieces = modes::find_bending_chain(chain);
  double sum = 0;
  const double omega = 0.77 * range.upto;
  std::vector<std::function<void(int)>> calls = {
      [&](int) { sum += modes::count_below(range.sweep, omega, work).below; },
      [&](int) { sum += modes::evaluate(range.sweep, omega, work).log_derivative; },
      {}};
  if (pieces) {
    calls[2] = [&](int) { sum += std::abs(modes::plain_determinant(*pieces, {0, omega})); };
  }
  const std::vector<bench::Times> times = bench::time_in_turns(calls, kBudget);
  const double start = bench::thread_seconds();
  modes::ModesOptions options;
  options.max_frequency = range.upto;
  options.shapes = false;
  bench::need(modes::find_modes(espalier::comm::Comm::serial(), chain, tree, options));
  return {times[0].least, times[1].least, times[2].least, bench::thread_seconds() - start};
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "chain,elements,count_us,evaluate_us,product_us,ten_modes_ms\n");
  std::printf("%-6s %8s %12s %12s %12s %14s %10s\n", "chain", "elements", "count [us]", "with slope", "product",
              "10 modes [ms]", "exponent");
  for (const bool in_space : {false, true}) {
    Row before;
    int fewer = 0;
    for (const int elements : {10, 100, 1000, 10'000, 100'000}) {
      const Row row = measure(elements, in_space);
      const double exponent = fewer > 0 ? std::log(row.count / before.count) / std::log(1.0 * elements / fewer) : 0;
      std::printf("%-6s %8d %12.3f %12.3f %12.3f %14.3f %10.2f\n", in_space ? "space" : "plane", elements,
                  1e6 * row.count, 1e6 * row.evaluate, 1e6 * row.product, 1e3 * row.modes, exponent);
      std::fflush(stdout);
      if (csv != nullptr) {
        std::fprintf(csv, "%s,%d,%.4f,%.4f,%.4f,%.4f\n", in_space ? "space" : "plane", elements, 1e6 * row.count,
                     1e6 * row.evaluate, 1e6 * row.product, 1e3 * row.modes);
      }
      before = row;
      fewer = elements;
    }
  }
  if (csv != nullptr) std::fclose(csv);
}
