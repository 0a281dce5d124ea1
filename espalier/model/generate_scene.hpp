#pragma once

// Scenes with contact by rule. Same arguments, same scene, bit for bit. Gravity is -z, the ground is the half space
// z <= 0. Stone: 2000 kg/m^3.

#include <cstdint>

#include "espalier/base/result.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model {

enum class Grain { kSphere, kBox, kMixed };

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
