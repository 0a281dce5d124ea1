#include "espalier/files/text_file.hpp"

namespace espalier::files {

// RFC 4180: a field with a comma, a quote or an end of line stands in quotes, and a quote in it is doubled.
std::string csv_field(std::string_view text) {
  // A lone carriage return counts as well: some readers end a line there.
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace espalier::files
