#pragma once

// Messages of the library name options as fields between backticks: "`max_length` is -1". Each door words them as its
// users write them: "--max-length is -1", "max_length= is -1".

#include <functional>
#include <string>
#include <string_view>

namespace espalier {

// How a door writes the field `name`.
using OptionWord = std::function<std::string(std::string_view name)>;

// `text` with every `name` between backticks, letters in lower case, digits and _ alone, replaced by word(name). Other
// text between backticks, a user's say, stays as it is.
std::string word_options(std::string_view text, const OptionWord& word);

// "--max-length" for "max_length".
std::string dashed_option(std::string_view name);

}  // namespace espalier
