#include "espalier/dynamics/detail/row_share.hpp"

#include <algorithm>

#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics::detail {

bool choose_better_rows(const System& system, double time, std::span<const double> q, double share, Workspace& work) {
  const std::vector<bool> old = work->dropped;
  choose_rows(system, time, q, work);
  // The kernel's choice at this state is the one that it has.
  if (work->dropped == old) return false;
  const auto left_out = [](const std::vector<bool>& rows) { return std::count(rows.begin(), rows.end(), true); };
  if (left_out(work->dropped) <= left_out(old) && (share == 0 || least_row_share(system, time, q, work) >= share))
    return true;
  // No better, or fewer rows: at a singular position every choice looks poor, and the old one is kept.
  set_dropped_rows(system, old, work);
  return false;
}

}  // namespace espalier::dynamics::detail
