#pragma once

// Ordinary damped structures at random, for tests: a tree of beams in space with bodies on it, in oil, of rubber or
// both, with dashpots to the ground and a motor on mounts.

#include <cmath>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {

class DampedStructures {
 public:
  explicit DampedStructures(int number) : random_(77, static_cast<std::uint32_t>(number), 1) {}

  Structure make() {
    Structure structure;
    structure.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
    const int beams = 1 + random_.below(6), kind = random_.below(5);
    for (int k = 0; k < beams; ++k) add_beam_with_body(structure, kind);
    if (kind == 2 || kind == 3 || random_.uniform() < 0.3) add_dashpots(structure, beams);
    if (random_.uniform() < 0.4) add_motor(structure, 1 + random_.below(beams));
    if (!is_damped(structure)) structure.vertices.back().damping(0, 0) = 10;
    return structure;
  }

 private:
  Eigen::Vector3d any() { return {random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)}; }
  double between(double low, double high) { return low * std::pow(high / low, random_.uniform()); }

  void add_beam_with_body(Structure& structure, int kind) {
    const int to = static_cast<int>(structure.vertices.size()), from = to == 1 ? 0 : random_.below(to);
    const Eigen::Vector3d base = structure.vertices[to_index(from)].point;
    structure.vertices.push_back(vertex_at(base + 1.2 * any() + Eigen::Vector3d(0.3, 0, 0), kAll));
    if (random_.uniform() < 0.6) {
      structure.vertices.back().mass =
          rigid_mass(between(0.1, 30), Eigen::Vector3d::Zero(), Eigen::Vector3d(0.01, 0.02, 0.02).asDiagonal());
    }
    const double a = between(0.008, 0.03), square = a * a * a * a / 12;
    const bool steel = random_.uniform() < 0.5;
    const SectionOf section{a * a,
                            square * random_.uniform(0.7, 1.3),
                            square,
                            1.7 * square,
                            steel ? 2.1e11 : 6.9e10,
                            steel ? 8.1e10 : 2.6e10,
                            steel ? 7850.0 : 2730.0};
    const Eigen::Vector3d y = any();
    add_beam(structure, from, to, section, y);
    Beam& beam = std::get<Beam>(structure.elements.back().law);
    if (kind == 0 || kind == 3) beam.viscous = between(0.3, 50);
    if (kind == 1 || kind == 3) beam.kelvin_voigt = between(3e-6, 1e-4);
    if (kind == 4) beam.viscous = 5 * beam.rho_A, beam.kelvin_voigt = 2e-5;
  }

  void add_dashpots(Structure& structure, int beams) {
    const int count = 1 + random_.below(3);
    for (int k = 0; k < count; ++k) {
      Vertex& vertex = structure.vertices[to_index(1 + random_.below(beams))];
      for (int i = 0; i < 3; ++i) vertex.damping(i, i) += between(1, 500);
      if (random_.uniform() < 0.5) continue;
      for (int i = 0; i < 3; ++i) vertex.stiffness(i, i) += between(1e3, 1e6);
    }
  }

  void add_motor(Structure& structure, int on) {
    const Eigen::Vector3d up(0, 0, 0.1);
    structure.vertices.push_back(vertex_at(structure.vertices[to_index(on)].point + up, kAll));
    structure.vertices.back().mass = rigid_mass(between(1, 40), up / 2, Eigen::Vector3d(0.1, 0.2, 0.2).asDiagonal());
    Hinge mount;
    mount.kind.fill(Hinge::Kind::kElastic);
    for (std::size_t i = 0; i < 6; ++i) {
      mount.stiffness[i] = between(1e3, 1e6) * (i < 3 ? 1 : 0.05);
      mount.damping[i] = mount.stiffness[i] * between(1e-4, 3e-3);
    }
    const Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    structure.elements.push_back({"mount",
                                  mount,
                                  {on, static_cast<int>(structure.vertices.size()) - 1},
                                  {port(axes, Eigen::Vector3d::Zero()), port(axes, -up)}});
  }

  Random random_;
};

}  // namespace espalier::modes
