#include "espalier/modes/baseline/spread.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::modes::baseline {
namespace {

constexpr std::size_t kChunk = 32;  // samples: some hundred microseconds of work

// What one rank computes by itself.
class Worker {
 public:
  Worker(const BatchFunction& f, const SpreadOptions& options, bool is_root)
      : f_(f), options_(options), tells_(is_root && options.watch) {}

  void evaluate(std::span<const Point> points, std::span<double> values) const {
    std::atomic<std::size_t> next = 0;
    const auto work = [&](bool tells) {
      for (std::size_t first = next.fetch_add(kChunk); first < points.size(); first = next.fetch_add(kChunk)) {
        const std::size_t end = std::min(first + kChunk, points.size());
        f_(points.subspan(first, end - first), values.subspan(first, end - first));
        // From the calling thread alone: who watches need not be safe for threads.
        if (tells) options_.watch(static_cast<std::int64_t>(end), static_cast<std::int64_t>(points.size()));
      }
    };
    const std::size_t chunks = (points.size() + kChunk - 1) / kChunk;
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < std::min(chunks, to_index(options_.threads)); ++t) {
      helpers.emplace_back(work, false);
    }
    work(tells_);
    for (std::thread& helper : helpers) helper.join();
  }

 private:
  const BatchFunction& f_;
  const SpreadOptions& options_;
  bool tells_;
};

// Chunk c of a level belongs to rank c modulo the number of ranks. All ranks know who has what, so that one exchange a
// level is enough.
class Rounds {
 public:
  Rounds(const comm::Comm& comm, const Worker& worker) : comm_(comm), worker_(worker) {}

  void evaluate(std::span<const Point> points, std::span<double> values) {
    if (comm_.size() == 1) return worker_.evaluate(points, values);
    mine_.clear();
    for_chunks(points.size(), [&](int rank, std::size_t first, std::size_t end) {
      if (rank == comm_.rank()) mine_.insert(mine_.end(), points.begin() + first, points.begin() + end);
    });
    // The first rank has most.
    const std::size_t rounds = (points.size() + round_size() - 1) / round_size();
    found_.resize(rounds * kChunk);
    worker_.evaluate(mine_, std::span(found_).first(mine_.size()));
    const std::vector<double> all = comm::all_gather(comm_, std::span<const double>(found_));
    for_chunks(points.size(), [&](int rank, std::size_t first, std::size_t end) {
      const std::size_t from = to_index(rank) * found_.size() + first / round_size() * kChunk;
      // Back to the order of the samples: values do not depend on who computed them.
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(from), end - first, values.begin() + first);
    });
  }

 private:
  // Samples of all ranks' next chunks.
  std::size_t round_size() const { return kChunk * to_index(comm_.size()); }

  template <class Visit>
  void for_chunks(std::size_t points, const Visit& visit) const {
    int rank = 0;
    for (std::size_t first = 0; first < points; first += kChunk) {
      visit(rank, first, std::min(first + kChunk, points));
      rank = (rank + 1) % comm_.size();
    }
  }

  const comm::Comm& comm_;
  const Worker& worker_;
  std::vector<Point> mine_;
  std::vector<double> found_;
};

RecursiveSearch within(const RecursiveSearch& search, const SearchRegion& region) {
  RecursiveSearch part = search;
  part.x.lower = region.lower.x;
  part.x.upper = region.upper.x;
  part.y.lower = region.lower.y;
  part.y.upper = region.upper.y;
  // The first level is done.
  part.max_levels = search.max_levels - 1;
  return part;
}

// The first level in shares of its samples. The root alone gets all values and finds the minima.
SearchResult first_level(const comm::Comm& comm, const Worker& worker, RecursiveSearch search) {
  search.max_levels = std::min(search.max_levels, 1);
  const auto shared = [&](std::span<const Point> points, std::span<double> values) {
    const auto items = static_cast<std::int64_t>(points.size());
    const Share longest = published_share(items, comm.size(), 0),
                share = published_share(items, comm.size(), comm.rank());
    const auto count = to_index(share.end - share.begin);
    std::vector<double> mine(to_index(longest.end), 0.0);
    worker.evaluate(points.subspan(to_index(share.begin), count), std::span(mine).first(count));
    // Shares are as long as the first or at the end, so that those of all ranks stand in the order of the samples.
    const std::vector<double> all = comm::gather(comm, std::span<const double>(mine));
    if (comm.is_root()) std::copy_n(all.begin(), points.size(), values.begin());
  };
  SearchResult result = find_minima(shared, search);
  result.roots = comm::broadcast(comm, std::move(result.roots));
  result.open = comm::broadcast(comm, std::move(result.open));
  result.complete = comm::broadcast(comm, result.complete);
  return result;
}

SearchResult search_as_published(const comm::Comm& comm, const Worker& worker, const RecursiveSearch& search) {
  SearchResult result = first_level(comm, worker, search);
  if (result.complete || result.levels == 0) return result;
  const BatchFunction batch = [&](std::span<const Point> points, std::span<double> values) {
    worker.evaluate(points, values);
  };
  const std::vector<SearchRegion> intervals = std::move(result.open);
  // By the same rule as the samples.
  const Share share = published_share(static_cast<std::int64_t>(intervals.size()), comm.size(), comm.rank());
  SearchResult mine;
  for (std::int64_t k = share.begin; k < share.end; ++k) {
    const SearchResult part = find_minima(batch, within(search, intervals[to_index(k)]));
    mine.roots.insert(mine.roots.end(), part.roots.begin(), part.roots.end());
    mine.open.insert(mine.open.end(), part.open.begin(), part.open.end());
    mine.evaluations += part.evaluations;
    mine.levels = std::max(mine.levels, part.levels);
    mine.complete = mine.complete && part.complete;
  }
  const std::vector<Point> roots = comm::all_gather_v(comm, std::span<const Point>(mine.roots)).values;
  result.roots.insert(result.roots.end(), roots.begin(), roots.end());
  // In an order that does not tell which rank found them.
  sort_roots(result.roots);
  result.open = comm::all_gather_v(comm, std::span<const SearchRegion>(mine.open)).values;
  result.evaluations += comm::sum(comm, mine.evaluations);
  result.levels += comm::max(comm, mine.levels);
  result.complete = comm::all_of(comm, mine.complete);
  return result;
}

// One sample at a time, by all ranks. Values are those of the root alone.
void evaluate_together(const comm::Comm& comm, const PartedFunction& f, std::span<const Point> points,
                       std::span<double> values) {
  const Share longest = published_share(f.parts, comm.size(), 0),
              share = published_share(f.parts, comm.size(), comm.rank());
  const auto numbers = to_index(f.numbers);
  std::vector<std::complex<double>> mine(to_index(longest.end) * numbers);
  for (std::size_t k = 0; k < points.size(); ++k) {
    for (std::int64_t part = share.begin; part < share.end; ++part) {
      const auto at = to_index(part - share.begin) * numbers;
      f.compute(points[k], static_cast<int>(part), std::span(mine).subspan(at, numbers));
    }
    // As in first_level(): those of all ranks stand in order.
    const std::vector<std::complex<double>> all = comm::gather(comm, std::span<const std::complex<double>>(mine));
    if (!comm.is_root()) continue;
    values[k] = f.join(points[k], std::span(all).first(to_index(f.parts) * numbers));
  }
}

}  // namespace

Share published_share(std::int64_t items, int ranks, int rank) {
  const std::int64_t longest = (items + ranks - 1) / ranks;
  // As published, the last share is negative for 9 items on 8 ranks: here shares end where the items do.
  return {std::min(items, rank * longest), std::min(items, (rank + 1) * longest)};
}

SearchResult find_minima(const comm::Comm& comm, const BatchFunction& f, const RecursiveSearch& search,
                         const SpreadOptions& options) {
  ESPALIER_CHECK(options.threads >= 1, "a search needs a thread");
  const Worker worker(f, options, comm.is_root());
  if (options.distribution == Distribution::kPaper) return search_as_published(comm, worker, search);
  Rounds rounds(comm, worker);
  return find_minima([&](std::span<const Point> points, std::span<double> values) { rounds.evaluate(points, values); },
                     search);
}

SearchResult find_minima(const comm::Comm& comm, const PartedFunction& f, const RecursiveSearch& search,
                         const SpreadOptions& options) {
  return find_minima(
      [&](std::span<const Point> points, std::span<double> values) {
        for (std::size_t first = 0; first < points.size(); first += kChunk) {
          const std::size_t end = std::min(first + kChunk, points.size());
          evaluate_together(comm, f, points.subspan(first, end - first), values.subspan(first, end - first));
          if (comm.is_root() && options.watch) {
            options.watch(static_cast<std::int64_t>(end), static_cast<std::int64_t>(points.size()));
          }
        }
        comm::broadcast(comm, values);
      },
      search);
}

}  // namespace espalier::modes::baseline
