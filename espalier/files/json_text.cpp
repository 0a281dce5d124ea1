#include "espalier/files/json.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace espalier::files {
namespace {

// Past a text in quotes that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return at;
}

}  // namespace

Result<void> check_json_text(std::string_view text, const std::string& file) {
  // Counted before a parser sees the text: parsers recurse, and a tree of values takes many times the file's size.
  std::size_t depth = 0, values = 1;
  const auto failed = [&](std::size_t at, std::string message) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return make_error(ErrorCode::kLimit, {file, static_cast<int>(line), 0}, std::move(message));
  };
  // Brackets and commas outside of texts are all that depth and number need; whether it is JSON the parser says.
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = end_of_string(text, at);
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    values += c == ',' || c == '[' || c == '{' ? 1 : 0;
    if (depth > kDeepestJson) return failed(at, fmt::format("nested more than {} levels deep", kDeepestJson));
    if (values > kMostJsonValues) return failed(at, fmt::format("holds more than {} values", kMostJsonValues));
  }
  return {};
}

}  // namespace espalier::files
