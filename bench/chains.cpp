#include "bench/chains.hpp"

#include <cmath>

#include "espalier/base/numbers.hpp"

namespace bench {

namespace modes = espalier::modes;

modes::Structure make_chain(int elements, bool in_space, double viscous, double uneven) {
  espalier::Random random(1, static_cast<std::uint32_t>(elements));
  modes::Structure chain;
  chain.vertices.resize(static_cast<std::size_t>(elements) + 1);
  for (int k = 0; k <= elements; ++k) {
    modes::Vertex& vertex = chain.vertices[static_cast<std::size_t>(k)];
    vertex.point = {10.0 * k / elements, 0, 0};
    if (k > 0) vertex.moves = in_space ? modes::Directions{1, 1, 1, 1, 1, 1} : modes::Directions{0, 1, 0, 0, 0, 1};
  }
  for (int k = 0; k < elements; ++k) {
    const double side = 0.04 * random.uniform(1 - uneven, 1 + uneven), area = side * side, I = area * area / 12;
    modes::Beam beam;
    beam.length = 10.0 / elements;
    beam.EA = 2.1e11 * area, beam.GJ = 0.8e11 * 1.7 * I;
    beam.EIy = beam.EIz = 2.1e11 * I;
    beam.rho_A = 7850 * area, beam.rho_Ip = 7850 * 2 * I;
    beam.viscous = viscous;
    beam.axial = beam.torsion = beam.bend_z = in_space;
    chain.elements.push_back({"beam", beam, {k, k + 1}, {modes::Matrix6::Identity(), modes::Matrix6::Identity()}});
  }
  return chain;
}

std::vector<double> even_frequencies() {
  // cos z cosh z = -1.
  constexpr double kRoots[] = {1.8751040687119612, 4.694091132974174, 7.854757438237613, 10.995540734875467,
                               14.13716839104647};
  std::vector<double> frequencies;
  for (const double z : kRoots) frequencies.push_back(z * z / 100 * std::sqrt(2.1e11 * 0.04 * 0.04 / 12 / 7850));
  return frequencies;
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

}  // namespace bench
