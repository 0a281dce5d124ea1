#define ESPALIER_INSTRUCTIONS plain
#include "espalier/dynamics/detail/kernel_passes.inc"

namespace espalier::dynamics::detail {

extern const KernelTable kSingle_plain = plain::Passes<double>::table("plain");
extern const KernelTable kBatch_plain = plain::Passes<plain::Pack>::table("plain");

}  // namespace espalier::dynamics::detail
