#pragma once

namespace espalier::comm::detail {

// For handlers of SIGTERM while a LostRank lives: does not come back where a rank is gone.
void leave_if_rank_is_lost();

}  // namespace espalier::comm::detail
