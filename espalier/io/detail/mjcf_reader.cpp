#include "espalier/io/detail/formats.hpp"

namespace espalier::io::detail {

Result<model::ModelSpec> read_mjcf(std::string_view, const std::string& name) {
  return make_error(ErrorCode::kUnsupported, {name, 0, 0}, "MJCF is not read yet");
}

}  // namespace espalier::io::detail
