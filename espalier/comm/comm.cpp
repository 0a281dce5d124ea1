#include "espalier/comm/comm.hpp"

namespace espalier::comm {

const char* word(Collective kind) {
  switch (kind) {
    case Collective::kBarrier:
      return "barrier";
    case Collective::kBroadcast:
      return "broadcast";
    case Collective::kGather:
      return "gather";
    case Collective::kAllGather:
      return "all_gather";
    case Collective::kAllToAll:
      return "all_to_all";
    case Collective::kExchange:
      return "exchange";
    case Collective::kReduce:
      return "reduce";
    case Collective::kAgree:
      return "agree";
  }
  return "unknown";
}

Traffic::Count Traffic::total() const {
  Count sum;
  for (const Count& count : counts) {
    sum.rounds += count.rounds;
    sum.messages += count.messages;
    sum.bytes += count.bytes;
  }
  return sum;
}

}  // namespace espalier::comm
