#include "espalier/io/detail/formats.hpp"

namespace espalier::io::detail {

WrittenModel write_mjcf(const model::Model&) { return {}; }

}  // namespace espalier::io::detail
