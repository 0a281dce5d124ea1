#include "espalier/modes/detail/slopes.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

// One to each rank after the other, and all answers on every rank.
template <class T, class Of>
std::vector<T> spread(const comm::Comm& comm, std::size_t count, const Of& of) {
  std::vector<T> mine;
  const auto ranks = to_index(comm.size());
  for (std::size_t k = to_index(comm.rank()); k < count; k += ranks) mine.push_back(of(k));
  const comm::PerRank<T> all = comm::all_gather_v(comm, std::span<const T>(mine));
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = all.of(static_cast<int>(k % ranks))[k / ranks];
  return values;
}

// Between two looks at whether a stop is wished.
constexpr std::size_t kBatch = 64;

}  // namespace

Slopes::Slopes(const comm::Comm& comm, const Pass& pass, std::int64_t most, const std::atomic<bool>* stop)
    : comm_(comm), pass_(pass), work_(pass), most_(most), stop_(stop) {}

bool Slopes::may(std::size_t more) {
  // All ranks ask together: a rank that stopped alone would leave the others waiting.
  stopped_ = stopped_ || comm::any_of(comm_, stop_ != nullptr && stop_->load());
  over_ = over_ || evaluations_ + static_cast<std::int64_t>(more) > most_;
  if (is_over()) return false;
  evaluations_ += static_cast<std::int64_t>(more);
  return true;
}

std::vector<Complex> Slopes::at(std::span<const Complex> points) {
  std::vector<Complex> all;
  for (std::size_t first = 0; first < points.size(); first += kBatch) {
    const auto batch = points.subspan(first, std::min(kBatch, points.size() - first));
    // Half a list would be no answer to what was asked.
    if (!may(batch.size())) return {};
    const auto slope = [&](std::size_t k) { return evaluate(pass_, batch[k], work_).log_derivative; };
    const std::vector<Complex> values = spread<Complex>(comm_, batch.size(), slope);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

std::vector<char> Slopes::negative_at(std::span<const double> points) {
  if (!may(points.size())) return {};
  return spread<char>(comm_, points.size(), [&](std::size_t k) -> char {
    return evaluate(pass_, Complex(points[k], 0), work_).determinant.mantissa.real() < 0 ? 1 : 0;
  });
}

}  // namespace espalier::modes::detail
