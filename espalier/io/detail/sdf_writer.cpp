#include "espalier/io/detail/formats.hpp"

namespace espalier::io::detail {

WrittenModel write_sdf(const model::Model&) { return {}; }

}  // namespace espalier::io::detail
