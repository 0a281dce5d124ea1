#pragma once

#include <string>
#include <string_view>

namespace espalier::files {

// A text as one field of a CSV table: quoted as RFC 4180 has it where it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);

}  // namespace espalier::files
