#pragma once

// The words that options of the verbs take, for doors whose users type them: from a word to its value, and lists to
// choose from.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

namespace espalier::study {

// All words of enumeration T.
template <class T>
std::vector<std::string> word_list() {
  std::vector<std::string> list;
  for (const Word<T>& word : words(T())) list.emplace_back(word.text);
  return list;
}

// Puts the value of a typed word of enumeration T into `value`, which stays as it is where none was typed. The error
// names the words there are and the nearest one.
template <class T, class Value>
Result<void> read_word(const char* option, const std::optional<std::string>& typed, Value& value) {
  if (!typed) return {};
  if (const std::optional<T> found = find_word<T>(*typed)) return value = *found, Result<void>();
  const std::vector<std::string> known = word_list<T>();
  return make_option_error(option, fmt::format("`{}` {} is unknown; it is one of {}{}", option, in_quotes(*typed),
                                               all_words<T>(), did_you_mean(*typed, known)));
}

// Of options that have an empty word where they are not given.
template <class T, class Value>
Result<void> read_word(const char* option, const std::string& typed, Value& value) {
  return read_word<T>(option, typed.empty() ? std::nullopt : std::optional(typed), value);
}

// Words that an option takes, by verb and field: option_words("plan", "objective"). Empty where it takes anything.
std::vector<std::string> option_words(std::string_view verb, std::string_view option);

}  // namespace espalier::study
