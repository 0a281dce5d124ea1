#include "espalier/modes/detail/pass_program.hpp"

#include "espalier/base/result.hpp"

namespace espalier::modes::detail {

std::vector<math::DoubleDouble> precise_constants(const PassProgram& program) {
  ESPALIER_CHECK(program.constants_low.size() == program.constants.size(), "a program without precise constants");
  std::vector<math::DoubleDouble> constants(program.constants.size());
  for (std::size_t k = 0; k < constants.size(); ++k) constants[k] = {program.constants[k], program.constants_low[k]};
  return constants;
}

}  // namespace espalier::modes::detail
