#pragma once

#include <string>
#include <vector>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// A friction problem in local form as text: `contacts N`, `blocks M`, then N lines `c i mu q0 q1 q2` and M lines
// `b i j a00 a01 .. a22`, row by row. Component 0 is the normal there; here it is the last. Stops on a file that is not
// like that. Blocks come out in ascending column.
LocalProblem read_friction_file(const std::string& path);

// Friction problems of others beside this repository, in order of their names; none where they are not there.
std::vector<std::string> friction_files();

}  // namespace espalier::contact
