#include "espalier/dynamics/detail/world_parts.hpp"

#include <algorithm>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/plan/task_tree.hpp"

namespace espalier::dynamics::detail {
namespace {

// Groups are made where more loops than this close at the world, and are not divided below so many links.
constexpr std::size_t kManyLoops = 64;
constexpr int kPart = 4 * plan::kTaskGrain;
// Loops that may pass from one group to the next.
constexpr int kMostCrossing = 8;

class Divider {
 public:
  Divider(std::span<const int> parent, const std::vector<std::vector<int>>& ends) {
    parts_.part_of.assign(parent.size(), -1);
    branch_of_.assign(parent.size(), -1);
    for (std::size_t i = 1; i < parent.size(); ++i) {
      if (parent[i] == 0) {
        first_.push_back(static_cast<int>(i));
        // Branches of the world are numbered as their first links: neighbours in number are near each other.
        branch_of_[i] = static_cast<int>(first_.size()) - 1;
      } else {
        branch_of_[i] = branch_of_[to_index(parent[i])];
      }
    }
    first_.push_back(static_cast<int>(parent.size()));
    for (const std::vector<int>& loop : ends) add_span(loop);
  }

  WorldParts run() {
    const int branches = static_cast<int>(first_.size()) - 1;
    // Few loops couple little: one world is enough for them.
    const int middle = spans_.size() >= kManyLoops && size(0, branches) > kPart ? best_cut(0, branches) : -1;
    if (middle >= 0) {
      add_part(0, middle, -1);
      add_part(middle, branches, -1);
    }
    return std::move(parts_);
  }

 private:
  // The first and last branch a loop has an end in, where it closes at the world.
  void add_span(const std::vector<int>& loop) {
    std::pair<int, int> span(static_cast<int>(first_.size()), -1);
    bool at_world = false;
    for (const int link : loop) {
      at_world = at_world || link == 0;
      if (link == 0) continue;
      span.first = std::min(span.first, branch_of_[to_index(link)]);
      span.second = std::max(span.second, branch_of_[to_index(link)]);
    }
    if (span.second >= 0 && (at_world || span.first < span.second)) spans_.push_back(span);
  }

  // Branches [begin, end) become a part, divided again as long as it is large.
  void add_part(int begin, int end, int above) {
    // Nested dissection: a part stands on the one it was cut from.
    const int part = static_cast<int>(parts_.parent.size());
    parts_.parent.push_back(above);
    const int middle = size(begin, end) > kPart ? best_cut(begin, end) : -1;
    if (middle >= 0) {
      add_part(begin, middle, part);
      add_part(middle, end, part);
      return;
    }
    for (int i = first_[to_index(begin)]; i < first_[to_index(end)]; ++i)
      parts_.part_of[to_index(i)] = part;
  }

  int size(int begin, int end) const {
    return first_[to_index(end)] - first_[to_index(begin)];
  }

  // The branch in the middle half before which the fewest loops cross; -1 where there are too many.
  int best_cut(int begin, int end) const {
    std::vector<int> change(to_index(end - begin) + 2, 0);
    for (const auto& [low, high] : spans_) {
      // Loops that leave these branches are open here whatever the cut.
      if (low < begin || high >= end) continue;
      // A loop is open between its first and its last branch: +1 behind the one, -1 behind the other, summed up below.
      ++change[to_index(low - begin) + 1];
      --change[to_index(high - begin) + 1];
    }
    int best = -1;
    int crossing = 0;
    int fewest = kMostCrossing + 1;
    const int quarter = size(begin, end) / 4;
    for (int cut = begin + 1; cut < end; ++cut) {
      crossing += change[to_index(cut - begin)];
      // Halves of very different size would leave the larger one as deep as before.
      if (size(begin, cut) < quarter || size(cut, end) < quarter) continue;
      if (crossing < fewest) best = cut, fewest = crossing;
    }
    return best;
  }

  WorldParts parts_;
  std::vector<int> first_;      // first link of each branch of the world, and the end
  std::vector<int> branch_of_;  // by link
  std::vector<std::pair<int, int>> spans_;
};

}  // namespace

WorldParts divide_world(std::span<const int> parent, const std::vector<std::vector<int>>& ends) {
  return Divider(parent, ends).run();
}

}  // namespace espalier::dynamics::detail
