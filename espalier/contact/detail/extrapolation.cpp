#include "espalier/contact/detail/extrapolation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace espalier::contact::detail {
namespace {

constexpr int kMemory = Extrapolation::kMemory;
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMemory, kMemory>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1>;

// The column that the difference of sweeps number `recorded` and the one before is kept in.
int newest(const Extrapolation& memory) { return (memory.recorded - 2) % kMemory; }
int columns(const Extrapolation& memory) { return std::clamp(memory.recorded - 1, 0, kMemory); }

void keep_difference(Extrapolation& memory, std::span<const Eigen::Vector3d> before,
                     std::span<const Eigen::Vector3d> R) {
  auto& df = memory.df[newest(memory)];
  auto& dg = memory.dg[newest(memory)];
  for (std::size_t i = 0; i < memory.f.size(); ++i) {
    // In single precision: differences only steer, and G itself says what the answer is.
    df[i] = (R[i] - before[i] - memory.f[i]).cast<float>();
    dg[i] = (R[i] - memory.g[i]).cast<float>();
  }
}

}  // namespace

Extrapolation make_extrapolation(std::vector<double> weight) {
  Extrapolation memory;
  const std::size_t rows = weight.size();
  // Energies: impulses squared times inverse masses.
  memory.weight = std::move(weight);
  memory.f.resize(rows);
  memory.g.resize(rows);
  memory.df.assign(kMemory, std::vector<Eigen::Vector3f>(rows));
  memory.dg = memory.df;
  return memory;
}

void record(Extrapolation& memory, std::span<const Eigen::Vector3d> before, std::span<const Eigen::Vector3d> R) {
  ++memory.recorded;
  if (memory.recorded > 1) keep_difference(memory, before, R);
  std::fill(memory.sums.begin(), memory.sums.end(), ExactSum());
  const int count = columns(memory);
  // Inner products of the newest difference with all others: those among older ones are known.
  for (std::size_t i = 0; i < memory.f.size(); ++i) {
    memory.f[i] = R[i] - before[i];
    memory.g[i] = R[i];
    const Eigen::Vector3d f = memory.weight[i] * memory.f[i];
    memory.sums[0].add(f.dot(memory.f[i]));
    if (count == 0) continue;
    const Eigen::Vector3d difference = memory.weight[i] * memory.df[newest(memory)][i].cast<double>();
    memory.sums[1].add(difference.dot(memory.f[i]));
    for (int c = 0; c < count; ++c) memory.sums[2 + c].add(difference.dot(memory.df[c][i].cast<double>()));
  }
}

void extrapolate(Extrapolation& memory, std::span<Eigen::Vector3d> R) {
  const double size = memory.sums[0].value();
  const int count = columns(memory), last = newest(memory);
  // Twice the change: the combination led astray, over a contact that changes its state.
  if (memory.recorded > 1 && size > 4 * memory.least) {
    for (std::size_t i = 0; i < memory.g.size(); ++i) R[i] = memory.g[i] - memory.dg[last][i].cast<double>();
    memory.recorded = 0;
    return;
  }
  memory.least = memory.recorded == 1 ? size : std::min(size, memory.least);
  if (count == 0) return;
  // The new f is the old one and the newest difference, so are its products with the others.
  for (int c = 0; c < count; ++c) {
    memory.products(last, c) = memory.products(c, last) = memory.sums[2 + c].value();
    memory.towards(c) += memory.products(last, c);
  }
  memory.towards(last) = memory.sums[1].value();
  // (C10): normal equations of the least change, with a little more on the diagonal where differences are nearly
  // parallel.
  const SmallVector right = memory.towards.head(count);
  Small products = memory.products.topLeftCorner(count, count);
  products.diagonal() *= 1 + 1e-12;
  const SmallVector share = products.ldlt().solve(right);
  // No combination is better than a wild one.
  if (!share.allFinite()) return;
  for (std::size_t i = 0; i < memory.g.size(); ++i) {
    Eigen::Vector3d sum = memory.g[i];
    for (int c = 0; c < count; ++c) sum -= share(c) * memory.dg[c][i].cast<double>();
    R[i] = sum;
  }
}

}  // namespace espalier::contact::detail
