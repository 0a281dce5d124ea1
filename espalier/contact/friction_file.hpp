#pragma once

#include <string>
#include <string_view>

#include "espalier/base/result.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// A friction problem in local form as text: `contacts N`, `blocks M`, then N lines `c i mu q0 q1 q2` and M lines
// `b i j a00 a01 .. a22`, row by row, as the collections of such problems have them: component 0 is the normal there,
// here it is the last. Blocks come out in ascending column. An error names `where` and the line.
Result<LocalProblem> parse_friction_problem(std::string_view text, const std::string& where);

}  // namespace espalier::contact
