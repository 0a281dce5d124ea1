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
  // No enumerator comes here: the compiler names one that the switch has not.
  return "unknown";
}

Traffic::Count Traffic::total() const {
  Count sum;
  // Rounds cost latency and bytes cost bandwidth: the sum keeps them apart too.
  for (const Count& count : counts) {
    sum.rounds += count.rounds;
    sum.messages += count.messages;
    sum.bytes += count.bytes;
  }
  return sum;
}

}  // namespace espalier::comm
