#include "espalier/io/detail/formats.hpp"

namespace espalier::io::detail {

Result<model::ModelSpec> read_urdf(std::string_view, const std::string& name, const ReadOptions&) {
  return make_error(ErrorCode::kUnsupported, {name, 0, 0}, "URDF is not read yet");
}

}  // namespace espalier::io::detail
