// Numbers of 256 bits: without optimisation minutes.
#pragma GCC optimize("O2")

// What is called proved is so: structures in space in which stiff and soft directions mix, in skew axes and with arms,
// and loops of rigid joints, against counts in 256 bits.

#include "espalier/modes/modes.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/test/exact_count.hpp"

namespace espalier::modes {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Number = ExactCount::Number;

enum Kind { kChain, kNet, kNearMiss, kRigidChain, kRigidLoop, kParallelLoop, kBeams, kFrames, kOrdinary, kKinds };
const std::array<const char*, kKinds> kWords = {"skew chains",  "skew nets",   "near misses",
                                                "rigid chains", "rigid loops", "parallel loops",
                                                "beams",        "frames",      "ordinary"};

double power_of_ten(Random& random, double low, double high) { return std::pow(10.0, random.uniform(low, high)); }
Vector3d place(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
Matrix3d skew_axes(Random& random) {
  return Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
      .normalized()
      .toRotationMatrix();
}

class SkewSystem {
 public:
  SkewSystem(Kind kind, Random& random) : random_(random) {
    structure.length_unit = 1;
    decades_ = kind == kOrdinary ? 2 : kind == kBeams ? 6 : kind == kFrames ? 3 : random.uniform(3, 13);
    const int bodies = 2 + random.below(3);
    switch (kind) {
      case kNearMiss:
        make_near_miss();
        break;
      case kBeams:
      case kFrames:
        make_beams(kind == kFrames ? 2 * bodies : bodies);
        break;
      case kRigidLoop:
      case kParallelLoop:
        make_loop(bodies, kind == kParallelLoop);
        break;
      default:
        make_chain(bodies, kind);
    }
  }

  Structure structure;

 private:
  int add_vertex(const Vector3d& point, bool moves) {
    Vertex vertex;
    vertex.name = std::to_string(structure.vertices.size());
    vertex.point = point;
    vertex.moves.fill(moves);
    structure.vertices.push_back(vertex);
    return static_cast<int>(structure.vertices.size()) - 1;
  }

  int add_body() {
    const int v = add_vertex(place(random_, 2), true);
    bodies_.push_back(v);
    const double mass = power_of_ten(random_, -1, 1);
    const Vector3d centre = place(random_, 0.4);
    const Matrix3d axes = skew_axes(random_);
    const Vector3d about =
        mass * Vector3d(random_.uniform(0.05, 0.1), random_.uniform(0.05, 0.1), random_.uniform(0.05, 0.1));
    Matrix6 shift = Matrix6::Identity(), own = Matrix6::Zero();
    shift.topRightCorner<3, 3>() = -math::skew(centre);
    own.topLeftCorner<3, 3>() = mass * Matrix3d::Identity();
    own.bottomRightCorner<3, 3>() = axes.transpose() * about.asDiagonal() * axes;
    const Matrix6 all = shift.transpose() * own * shift;
    structure.vertices[to_index(v)].mass = (all + all.transpose()) / 2;
    return v;
  }

  // Body -1 is the ground.
  int end_of(int body, const Vector3d& at) {
    return body < 0 ? add_vertex(at, false) : bodies_[to_index(body)];
  }

  Matrix6 map(int vertex, const Vector3d& at, const Matrix3d& axes) const {
    const Vector3d arm = at - structure.vertices[to_index(vertex)].point;
    Matrix6 local = Matrix6::Zero();
    local.topLeftCorner<3, 3>() = axes;
    local.topRightCorner<3, 3>() = -axes * math::skew(arm);
    local.bottomRightCorner<3, 3>() = axes;
    return local;
  }

  void add_hinge(int a, int b, const Hinge& hinge, const Vector3d& at, const Matrix3d& axes) {
    Element element;
    element.name = std::to_string(structure.elements.size());
    element.law = hinge;
    element.vertex = {end_of(a, at), end_of(b, at)};
    for (std::size_t end = 0; end < 2; ++end) element.to_local[end] = map(element.vertex[end], at, axes);
    structure.elements.push_back(element);
  }

  Hinge springs() {
    Hinge hinge;
    hinge.kind.fill(Hinge::Kind::kElastic);
    for (double& k : hinge.stiffness) k = 100 * power_of_ten(random_, 0, decades_);
    return hinge;
  }
  Hinge one_spring(double stiffness) {
    Hinge hinge;
    hinge.kind.fill(Hinge::Kind::kReleased);
    hinge.kind[0] = Hinge::Kind::kElastic;
    hinge.stiffness[0] = stiffness;
    return hinge;
  }
  // Free in one or two directions, some of them with a spring.
  Hinge rigid_joint() {
    Hinge hinge;
    hinge.kind.fill(Hinge::Kind::kRigid);
    const int first = random_.below(6);
    for (const int d : {first, random_.below(2) == 0 ? first : random_.below(6)}) {
      const auto k = to_index(d);
      hinge.kind[k] = random_.below(2) == 0 ? Hinge::Kind::kElastic : Hinge::Kind::kReleased;
      hinge.stiffness[k] = hinge.kind[k] == Hinge::Kind::kElastic ? 100 * power_of_ten(random_, 0, decades_ / 2) : 0;
    }
    return hinge;
  }

  void make_chain(int bodies, Kind kind) {
    for (int k = 0; k < bodies; ++k) add_body();
    for (int k = 0; k < bodies; ++k) {
      const bool rigid = k > 0 && kind == kRigidChain && random_.below(3) > 0;
      add_hinge(k - 1, k, rigid ? rigid_joint() : springs(), place(random_, 2), skew_axes(random_));
    }
    if (kind != kNet && kind != kOrdinary) return;
    add_hinge(0, bodies - 1, springs(), place(random_, 2), skew_axes(random_));
    add_hinge(-1, bodies - 1, springs(), place(random_, 2), skew_axes(random_));
  }

  // Three springs in a plane that all but meet, and stiff ones across it.
  void make_near_miss() {
    add_body();
    const double miss = power_of_ten(random_, -7, -2), stiffness = power_of_ten(random_, 2, 6);
    const Vector3d centre = place(random_, 1);
    const Matrix3d axes = skew_axes(random_);
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * M_PI * k / 3 + random_.uniform(-0.3, 0.3);
      Matrix3d along;
      along << std::cos(angle), std::sin(angle), 0, -std::sin(angle), std::cos(angle), 0, 0, 0, 1;
      const Matrix3d turned = along * axes;
      add_hinge(-1, 0, one_spring(stiffness), centre + (k == 0 ? miss : 0) * turned.row(1).transpose(), turned);
    }
    Hinge across;
    across.kind.fill(Hinge::Kind::kReleased);
    for (const std::size_t k : {2, 3, 4}) {
      across.kind[k] = Hinge::Kind::kElastic;
      across.stiffness[k] = stiffness;
    }
    add_hinge(-1, 0, across, centre, axes);
  }

  // Joints around a loop: skew, or hinges with parallel axes, of which three rows are implied. One body on springs.
  void make_loop(int n, bool parallel) {
    for (int k = 0; k < n; ++k) add_body();
    const Matrix3d axes = skew_axes(random_);
    Hinge revolute;
    revolute.kind.fill(Hinge::Kind::kRigid);
    revolute.kind[5] = Hinge::Kind::kReleased;
    for (int k = 0; k < n; ++k) {
      const int next = (k + 1) % n;
      if (next == k) continue;
      add_hinge(k, next, parallel ? revolute : rigid_joint(), place(random_, 2), parallel ? axes : skew_axes(random_));
    }
    decades_ = std::min(decades_, 6.0);
    for (int k = 0; k < n; ++k) add_hinge(-1, k, springs(), place(random_, 2), skew_axes(random_));
  }

  // Beams end to end at angles, with stiff springs in skew axes to the ground.
  void make_beams(int count) {
    Vector3d at = Vector3d::Zero();
    int before = add_vertex(at, false);
    for (int k = 0; k < count; ++k) {
      const Vector3d to = at + place(random_, 1) + Vector3d(1.5, 0, 0);
      const int next = add_vertex(to, true);
      bodies_.push_back(next);
      add_beam(before, next, at, to);
      if (random_.below(2) == 0) add_hinge(-1, k, springs(), to + place(random_, 0.5), skew_axes(random_));
      before = next;
      at = to;
    }
  }

  void add_beam(int a, int b, const Vector3d& from, const Vector3d& to) {
    const double radius = power_of_ten(random_, -2.3, -1.3), area = M_PI * radius * radius;
    const double inertia = area * radius * radius / 4, young = 2.1e11, shear = 8e10, density = 7850;
    Beam beam;
    beam.length = (to - from).norm();
    beam.EA = young * area;
    beam.GJ = shear * 2 * inertia;
    beam.EIy = beam.EIz = young * inertia;
    beam.rho_A = density * area;
    beam.rho_Ip = density * 2 * inertia;
    const Vector3d x = (to - from).normalized(), y = x.cross(Vector3d(0.1, 0.2, 1)).normalized();
    Matrix3d axes;
    axes << x.transpose(), y.transpose(), x.cross(y).transpose();
    Element element;
    element.name = "beam";
    element.law = beam;
    element.vertex = {a, b};
    element.to_local = {map(a, from, axes), map(b, to, axes)};
    structure.elements.push_back(element);
  }

  Random& random_;
  double decades_ = 3;
  std::vector<int> bodies_;  // their vertices
};

struct Tally {
  int systems = 0, proved = 0, refused = 0, false_proofs = 0;
};

bool holds(const Structure& structure, const ModeSet& set) {
  const ExactCount exact(structure);
  if (exact.below(set.upto) != set.counted) return false;
  int below = 0;
  for (const Mode& mode : set.modes) {
    if (mode.bracket[0] > 0 && exact.below(mode.bracket[0]) != below) return false;
    below += mode.multiplicity;
    if (exact.below(mode.bracket[1]) != below) return false;
  }
  return below == set.counted && (!set.complete || set.counted == exact.motions());
}

void try_system(Kind kind, std::uint32_t seed, Tally& tally) {
  Random random(41, static_cast<std::uint32_t>(kind), seed);
  const SkewSystem system(kind, random);
  const Result<Tree> tree = plan_tree(system.structure);
  ASSERT_TRUE(tree.has_value());
  ModesOptions options;
  options.shapes = false;
  options.count = 3 + random.below(4);
  ++tally.systems;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), system.structure, *tree, options);
  if (!set) {
    ++tally.refused;
    return;
  }
  if (set->certainty != Certainty::kProved) return;
  ++tally.proved;
  if (holds(system.structure, *set)) return;
  ++tally.false_proofs;
  ADD_FAILURE() << kWords[kind] << ", seed " << seed << ": " << set->certificate;
}

constexpr std::uint32_t kEach = 24;

TEST(SkewSystems, WhatIsProvedIsSo) {
  for (int kind = 0; kind < kKinds; ++kind) {
    Tally tally;
    for (std::uint32_t seed = 0; seed < kEach; ++seed) try_system(static_cast<Kind>(kind), seed, tally);
    std::printf("%-15s %4d systems, %4d proved, %d of them false, %d refused\n", kWords[to_index(kind)],
                tally.systems, tally.proved, tally.false_proofs, tally.refused);
    EXPECT_EQ(tally.false_proofs, 0);
    EXPECT_GE(tally.proved, 9 * tally.systems / 10) << "no loss of proofs";
    EXPECT_LE(tally.refused, tally.systems / 20);
  }
}

}  // namespace
}  // namespace espalier::modes
