#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {

// Puts the value of a typed word of enumeration T into `value`, which stays as it is where none was typed. The error
// names the words there are and the nearest one.
template <class T, class Value>
Result<void> read_word(const char* option, const std::optional<std::string>& typed, Value& value) {
  if (!typed) return {};
  if (const std::optional<T> found = find_word<T>(*typed)) return value = *found, Result<void>();
  std::vector<std::string> known;
  for (const Word<T>& word : words(T())) known.emplace_back(word.text);
  return make_option_error(option, fmt::format("`{}` {} is unknown; it is one of {}{}", option, in_quotes(*typed),
                                               all_words<T>(), did_you_mean(*typed, known)));
}

// Of options that have an empty word where they are not given.
template <class T, class Value>
Result<void> read_word(const char* option, const std::string& typed, Value& value) {
  return read_word<T>(option, typed.empty() ? std::nullopt : std::optional(typed), value);
}

}  // namespace espalier::app
