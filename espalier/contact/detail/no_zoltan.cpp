#ifndef ESPALIER_ZOLTAN

#include "espalier/base/result.hpp"
#include "espalier/contact/detail/zoltan.hpp"

namespace espalier::contact::detail {

bool is_zoltan_built_in() { return false; }

Cells bisect_by_zoltan(const comm::Comm&, std::span<const WeightedPoint>, std::shared_ptr<Zoltan>) {
  check_failed("no Zoltan", "this build does not know Zoltan", __FILE__, __LINE__);
}

}  // namespace espalier::contact::detail

#endif
