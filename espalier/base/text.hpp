#pragma once

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

}  // namespace espalier
