#pragma once

// The evaluation of evaluation.hpp for eight states of one System at once, a state in each lane of the machine's
// vectors: for runs that march side by side, and for finite differences.
//   In:    System, and the times, positions and velocities of eight states, number by number
//   Out:   accelerations and multipliers in a BatchWorkspace; every lane has the bits that evaluate() gives
//   Cost   O(n) on a tree; with AVX-512 the eight take as long as two or three (bench/batch.md), with narrower vectors
//          as long as eight

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

namespace detail {
struct BatchData;
}

inline constexpr int kBatch = 8;  // states at once

// One number of all states, as the machine's vectors want it to lie.
struct alignas(64) Lanes {
  std::array<double, kBatch> of{};
};

// One state out of a batch, and into it.
void get_lane(std::span<const Lanes> batch, int lane, std::span<double> state);
void set_lane(std::span<const double> state, int lane, std::span<Lanes> batch);

// Memory of all lanes. Used with the System that it was made for, by one thread at a time.
class BatchWorkspace {
 public:
  // `dropped`: rows to leave out, Workspace::dropped() of a Workspace that has chosen. All lanes share them.
  BatchWorkspace(const System& system, const std::vector<bool>& dropped);
  BatchWorkspace(BatchWorkspace&& other) noexcept;
  BatchWorkspace& operator=(BatchWorkspace&& other) noexcept;
  ~BatchWorkspace();

  std::span<Lanes> input();  // by coordinate: efforts that the caller applies, 0 at first [N m] or [N]

  // Results of the last evaluate_batch, as in Workspace.
  std::span<const Lanes> effort() const;
  std::span<const Lanes> qdd() const;
  std::span<const Lanes> lambda() const;

  // What the files of this room work on: detail/batch_data.hpp.
  const detail::BatchData* operator->() const { return data_.get(); }
  detail::BatchData* operator->() { return data_.get(); }

 private:
  std::unique_ptr<detail::BatchData> data_;
};

// position_size and velocity_size numbers of all states, each at its own time. False where a mass matrix is singular.
// Where fewer than eight are asked for, the lanes behind hold any states, and nothing of what comes out of them counts:
// they are spared the force laws.
bool evaluate_batch(const System& system, const Lanes& time, std::span<const Lanes> q, std::span<const Lanes> v,
                    BatchWorkspace& work, int lanes = kBatch);

}  // namespace espalier::dynamics
