#pragma once

// JSON of strangers before it becomes a tree of values: that takes some 100 bytes a value, and copying or writing it
// recurses once a level.

#include <string>
#include <string_view>

#include "espalier/base/result.hpp"

namespace espalier::files {

inline constexpr std::size_t kDeepestJson = 64;
inline constexpr std::size_t kMostJsonValues = 5'000'000;

// The error of a text with more levels or values than that, with its line. What else is wrong is its parser's to say.
Result<void> check_json_text(std::string_view text, const std::string& file);

}  // namespace espalier::files
