#pragma once

// The logarithmic derivative of the determinant at many points at a time, over all ranks, as long as the work lasts
// that a search may do. A number of evaluations and no time: a search ends alike on every machine.

#include <atomic>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes::detail {

class Slopes {
 public:
  // At most so many evaluations in all. `stop`: any rank's. `comm` and `pass` outlive it.
  Slopes(const comm::Comm& comm, const Pass& pass, std::int64_t most, const std::atomic<bool>* stop);
  Slopes(comm::Comm&&, const Pass&, std::int64_t, const std::atomic<bool>*) = delete;

  // Collective; the same points on every rank. Nothing where they would be too many, or where a stop is wished.
  std::vector<std::complex<double>> at(std::span<const std::complex<double>> points);
  // Collective. At points of the real axis: where the determinant is negative.
  std::vector<char> negative_at(std::span<const double> points);

  std::int64_t evaluations() const { return evaluations_; }
  bool is_over() const { return over_ || stopped_; }  // no more evaluations: the limit, or a stop
  bool is_stopped() const { return stopped_; }
  double largest_s() const { return pass_.largest_s; }

 private:
  bool may(std::size_t more);

  const comm::Comm& comm_;
  const Pass& pass_;
  PassWorkspace work_;
  std::int64_t most_, evaluations_ = 0;
  const std::atomic<bool>* stop_;
  bool over_ = false, stopped_ = false;
};

}  // namespace espalier::modes::detail
