#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// The whole of `text` as one decimal number (no hexadecimal, no NaN, no infinity), or nothing. Locale-free.
std::optional<double> parse_number(std::string_view text);

// Shortest text that reads back as the same double.
std::string number_text(double value);

// `text` cut at white space.
std::vector<std::string_view> split_words(std::string_view text);

// The candidate nearest to `word` (edit distance at most a third of its length), for "did you mean ...?".
std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'rocker'?" or "" where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// A user's word fit for a message: in quotes, control characters and invalid UTF-8 replaced, cut after 60 bytes.
std::string in_quotes(std::string_view word);

// "1 loop", "3 loops".
std::string counted(std::size_t count, std::string_view singular);
// The same for words whose plural is not made with an s: counted(2, "body", "bodies").
std::string counted(std::size_t count, std::string_view singular, std::string_view plural);

// Strangers' text on the way to a terminal or a shell.

// The character at the front of a text that is not empty.
struct Character {
  std::size_t length = 0;  // [bytes]; 0: no valid UTF-8
  char32_t code = 0;
};
Character front_character(std::string_view text);

// What a terminal obeys instead of showing it: C0 and C1 controls; embeddings, overrides and isolates of direction,
// which make a text read in another order than it is written; line and paragraph separators; no character at all.
bool is_control(char32_t code);

// A text fit for a terminal, whatever stands in it: control characters other than line ends and tabs as \u001b, invalid
// UTF-8 as ?. A JSON document stays the same document.
std::string printable(std::string_view text);
// The same for a name in a table: on one line.
std::string printable_name(std::string_view name);

// A word as a shell takes it for one: in quotes where it must be.
std::string shell_word(std::string_view word);

// Text in lines and columns, for reports.

// `text` in lines of at most `width`, the first led by `first`, the others by as many spaces.
std::string wrapped(std::string_view first, std::string_view text, int width);

// Left-aligned columns under their heads; the last column is wrapped at `width`.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows, int width);

// The words of an enumeration, as users type them and files hold them. One list beside the enumeration is all it takes:
//   enum class Order { kKeys, kRanks };
//   constexpr Words<Order, 2> words(Order) { return {{{"keys", Order::kKeys}, {"ranks", Order::kRanks}}}; }

template <class T>
struct Word {
  const char* text;
  T value;
};
template <class T, std::size_t count>
using Words = std::array<Word<T>, count>;

// "keys" of Order::kKeys; empty for a value that is not in the list.
template <class T>
constexpr const char* word_of(T value) {
  for (const Word<T>& word : words(T())) {
    if (word.value == value) return word.text;
  }
  return "";
}

// Order::kKeys of "keys"; nothing for any other text.
template <class T>
constexpr std::optional<T> find_word(std::string_view text) {
  for (const Word<T>& word : words(T())) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

// "keys, ranks", for messages.
template <class T>
std::string all_words() {
  std::string all;
  for (const Word<T>& word : words(T())) all.append(all.empty() ? "" : ", ").append(word.text);
  return all;
}

// Messages of the library name options as fields between backticks: "`max_length` is -1". Each door words them as its
// users write them: "--max-length is -1", "max_length= is -1".

// How a door writes the field `name`.
using OptionWord = std::function<std::string(std::string_view name)>;

// `text` with every `name` between backticks, letters in lower case, digits and _ alone, replaced by word(name). Other
// text between backticks, a user's say, stays as it is.
std::string word_options(std::string_view text, const OptionWord& word);

// "--max-length" for "max_length".
std::string dashed_option(std::string_view name);

}  // namespace espalier
