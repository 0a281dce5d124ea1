#include "espalier/plan/generate.hpp"

#include <array>
#include <numeric>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"

namespace espalier::plan {
namespace {

// Streams of one seed.
enum Stream : std::uint32_t { kShape, kWeight, kLength };

// Streams of their own: who asks for lengths of their own gets the shape and the weights of who does not.
void draw_numbers(Network& network, const GenerateOptions& options) {
  Random weight(options.seed, kWeight);
  Random length(options.seed, kLength);
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    network.weight.push_back(1 + weight.below(options.most_weight));
    network.length.push_back(options.own_length ? 1 + length.below(options.most_weight) : network.weight.back());
  }
}

// Fisher and Yates, by our own random numbers: std::shuffle differs between libraries.
std::vector<int> shuffled(int n, Random& random) {
  std::vector<int> numbers(to_index(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int k = n - 1; k > 0; --k) std::swap(numbers[k], numbers[random.below(k + 1)]);
  return numbers;
}

}  // namespace

Network generate_random(int vertices, int edges, const GenerateOptions& options) {
  ESPALIER_CHECK(vertices >= 1 && edges >= vertices - 1, "a connected graph has at least vertices - 1 edges");
  ESPALIER_CHECK(vertices > 1 || edges == 0, "one vertex has no edges");
  Random random(options.seed, kShape);
  Network network;
  network.graph.vertices = vertices;
  network.graph.edges.reserve(to_index(edges));
  // A tree first, so that the network is connected; without the shuffle low numbers would lie near its root.
  const std::vector<int> number = shuffled(vertices, random);
  for (int v = 1; v < vertices; ++v) network.graph.edges.push_back({number[random.below(v)], number[v]});
  while (static_cast<int>(network.graph.edges.size()) < edges) {
    const int a = random.below(vertices);
    // One of the others: no edge joins a vertex to itself.
    const int b = random.below(vertices - 1);
    network.graph.edges.push_back({a, b < a ? b : b + 1});
  }
  draw_numbers(network, options);
  return network;
}

Network generate_grid(int rows, int columns, const GenerateOptions& options) {
  ESPALIER_CHECK(rows >= 1 && columns >= 1, "a grid has rows and columns");
  Network network;
  network.graph.vertices = rows * columns;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int v = row * columns + column;
      if (column + 1 < columns) network.graph.edges.push_back({v, v + 1});
      if (row + 1 < rows) network.graph.edges.push_back({v, v + columns});
    }
  }
  draw_numbers(network, options);
  return network;
}

Network generate_ladder(int rungs, const GenerateOptions& options) { return generate_grid(rungs + 1, 2, options); }

// Vertices from 1, as in the paper; lengths are weights. The order counts: it decides ties of A2 and A3.
Network liu99_fig2a() {
  constexpr std::array<std::array<int, 3>, 32> kEdges = {
      {{1, 9, 15},  {2, 15, 11},  {5, 8, 8},    {3, 11, 2},  {4, 12, 1},   {2, 10, 11},  {1, 2, 4},    {1, 3, 13},
       {1, 4, 14},  {1, 5, 7},    {1, 6, 14},   {2, 6, 14},  {2, 7, 11},   {2, 14, 14},  {3, 4, 13},   {3, 6, 8},
       {4, 9, 10},  {5, 9, 15},   {5, 13, 11},  {5, 18, 16}, {7, 16, 9},   {8, 13, 10},  {9, 18, 11},  {10, 14, 8},
       {10, 15, 5}, {11, 19, 16}, {12, 18, 11}, {13, 17, 3}, {14, 19, 11}, {16, 20, 16}, {17, 18, 11}, {17, 20, 14}}};
  Network network;
  network.graph.vertices = 20;
  for (const auto& [a, b, weight] : kEdges) {
    network.graph.edges.push_back({a - 1, b - 1});
    network.weight.push_back(weight);
  }
  network.length = network.weight;
  return network;
}

Network liu99_table3(int vertices, std::uint64_t seed) {
  return generate_random(vertices, 2 * vertices, {.most_weight = 10, .own_length = false, .seed = seed});
}

Network generate_multibody(int vertices, const GenerateOptions& options) {
  ESPALIER_CHECK(vertices >= 1, "a mechanism has a body");
  constexpr double kChain = 0.7;  // how often a body goes on with the chain instead of starting a branch
  constexpr int kShortest = 3;    // joints between the ends of a cut one
  constexpr int kLongest = 8;
  Random random(options.seed, kShape);
  Network network;
  network.graph.vertices = vertices;
  std::vector<int> parent(to_index(vertices), -1);
  for (int v = 1; v < vertices; ++v) {
    parent[v] = random.uniform() < kChain ? v - 1 : random.below(v);
    network.graph.edges.push_back({parent[v], v});
  }
  // Loops close over a few joints, as those of real mechanisms do. The tries end: a tree too shallow for such loops
  // gets fewer of them.
  for (int loops = vertices / 10, tries = 0; loops > 0 && tries < 2 * vertices; ++tries) {
    const int low = random.below(vertices);
    int high = low;
    // Some joints up from a random body; where that passes the root another body is tried.
    int up = kShortest + random.below(kLongest - kShortest + 1);
    for (; up > 0 && parent[high] >= 0; --up) high = parent[high];
    if (up > 0) continue;
    network.graph.edges.push_back({high, low});
    --loops;
  }
  draw_numbers(network, options);
  return network;
}

}  // namespace espalier::plan
