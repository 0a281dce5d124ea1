#include "espalier/io/detail/formats.hpp"

namespace espalier::io::detail {

WrittenModel write_native(const model::ModelSpec&) { return {}; }

}  // namespace espalier::io::detail
