#pragma once

// The same evaluation for eight states of one System at once, a state in each lane of the machine's vectors: for
// ensembles that march in step, and for finite differences. Every lane gives the bits that evaluate() gives.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics {

inline constexpr int kBatch = 8;  // states at once

// One number of all states, as the machine's vectors want it to lie.
struct alignas(64) Lanes {
  std::array<double, kBatch> of{};
};

struct BatchWorkspace {
  // `dropped`: rows to leave out, Workspace::dropped of a Workspace that has chosen. All lanes share them.
  BatchWorkspace(const System& system, const std::vector<bool>& dropped);
  ~BatchWorkspace();

  std::vector<Lanes> input;   // efforts the caller applies, by coordinate
  std::vector<Lanes> effort;  // after evaluate_batch
  std::vector<Lanes> qdd;     // after evaluate_batch
  std::vector<Lanes> lambda;  // by row, after evaluate_batch

  std::vector<int> touched;
  std::vector<LinkArrays> links;           // by lane
  std::vector<double> q, v;                // of the lane in work
  Eigen::VectorXd lane_effort;             // the same
  std::vector<DriveRow> drives;            // by drive and lane
  std::unique_ptr<detail::Engine> engine;  // memory of all lanes
};

// position_size and velocity_size numbers of all states, each at its own time. False where a mass matrix is singular.
// Where fewer than eight are asked for, the lanes behind hold any states, and nothing of what comes out of them counts:
// they are spared the force laws.
bool evaluate_batch(const System& system, const Lanes& time, std::span<const Lanes> q, std::span<const Lanes> v,
                    BatchWorkspace& work, int lanes = kBatch);

// One state out of a batch, and into it.
void get_lane(std::span<const Lanes> batch, int lane, std::span<double> state);
void set_lane(std::span<const double> state, int lane, std::span<Lanes> batch);

}  // namespace espalier::dynamics
