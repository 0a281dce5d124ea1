#pragma once

// Mechanisms by rule, as large as one likes: for tests, benchmarks and first tries. Same arguments, same model, bit for
// bit. Every drawn pose is assembled: joints are placed in the world (`at`), at points both bodies share.
//   Planar mechanisms stand in the x-z plane; their axes are -y, so that angles run from x towards z.
//   Bodies weigh what their shapes weigh. Gravity is -z. O(bodies + joints); 10^5 bodies take well under a second.

#include <cstdint>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model {

// The most bodies a generated model may have.
inline constexpr int kMostGenerated = 1'000'000;

enum class LadderKind {
  kPlanar,   // all joints revolute
  kSpatial,  // revolute, universal, spherical; neighbouring cranks swing in different planes
};

// Four-bars side by side, [Gonzalez06] problem A02 hung upside down: 2 loops + 1 bodies. Crank k = 0 .. loops hangs
// from the ground, coupler k = 1 .. loops joins the tips of cranks k-1 and k. One degree of freedom;
// each loop of the planar one has 3 redundant equations, the spatial one has none. All planar cranks stay parallel: the
// ladder swings as one pendulum,
//   L [(N+1) m/3 + N M] a'' = -g [(N+1) m/2 + N M] sin a,  N loops, crank length L and mass m, coupler mass M,
// but for the cranks' moments about their own axis, which the bar's width adds.
Result<ModelSpec> generate_ladder(int loops, LadderKind kind = LadderKind::kPlanar);

// `bodies` bars in a row, the first on the ground, revolute joints about -y and x by turns. Hangs slanted.
Result<ModelSpec> generate_chain(int bodies);

// A binary tree of 2^levels - 1 bars, revolute joints about -y and x by turns of the level; the root is on the ground.
Result<ModelSpec> generate_tree(int levels);

// rows x columns plates in a vertical grid, each joined to its neighbours; the corner (0, 0) hangs on the ground.
// 2 rows columns - rows - columns + 1 joints, (rows - 1)(columns - 1) loops. Joint frames: z is -y of the world, x is
// x.
Result<ModelSpec> generate_lattice(int rows, int columns, JointType joint = JointType::kSpherical);

// A connected graph without parallel joints on the ground and `bodies` balls at random places: a random tree, then
// random pairs until there are `joints`. Joint types are drawn from the eight movable ones, joint frames stand halfway
// between the bodies and are turned at random. joints - bodies loops. A graph to plan for, seldom a machine that moves.
Result<ModelSpec> generate_random(int bodies, int joints, std::uint64_t seed);

// Theo Jansen's walking linkage on a stand: 2 legs a pair, mirrored, on one crankshaft whose pins are spread evenly
// over the turn. The frame is the ground. Each leg has 6 bodies, 9 joints and 3 loops, so that 6 pairs make 73 bodies,
// 109 revolute joints and 36 loops. One degree of freedom, 3 redundant equations a loop.
Result<ModelSpec> generate_strandbeest(int pairs = 6);

// Scenes with contact by rule. Same arguments, same scene, bit for bit. Gravity is -z, the ground is the half space
// z <= 0. Stone: 2000 kg/m^3.

enum class Grain { kSphere, kBox, kMixed };
constexpr Words<Grain, 3> words(Grain) {
  return {{{"sphere", Grain::kSphere}, {"box", Grain::kBox}, {"mixed", Grain::kMixed}}};
}

// `bodies` grains of some 0.1 m, a little unlike each other, in loose layers over a tray with four walls that is about
// as wide as the heap will be high.
Result<ModelSpec> generate_pile(int bodies, Grain grain, std::uint64_t seed);

// Bricks on top of each other, 1 x 1 x 0.5 m.
Result<ModelSpec> generate_stack(int bodies);

// Half a circle of equal voussoirs, of thickness `ratio` times the mean radius 10 m, between two blocks that stand.
// With dry joints it stands from ratio 0.1075 on, the classical limit of Milankovitch.
Result<ModelSpec> generate_arch(int blocks, double ratio);

// Beads on ball joints, hung up at one end and lifted aside.
Result<ModelSpec> generate_beads(int bodies);

// Grains over a funnel of planks.
Result<ModelSpec> generate_silo(int bodies, std::uint64_t seed);

}  // namespace espalier::model
