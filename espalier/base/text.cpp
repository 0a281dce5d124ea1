#include "espalier/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace espalier {
namespace {

// Letters to insert, drop, change or swap with their neighbour (optimal string alignment), on three rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
      // Two letters in the wrong order are one mistake: the row before the previous one knows the cost without them.
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  // from_chars takes no plus sign, YAML and XML do.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Anything left over makes it no number: `1.5m` is not 1.5.
  if (end != text.data() + text.size()) return std::nullopt;
  // Out of range: strtod tells too small (read as zero, which is what the writer meant) from too large (refused).
  if (problem == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  if (problem == std::errc::invalid_argument || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Without the sign of zero: the same model must not be written in two ways.
std::string number_text(double value) { return fmt::format("{}", value == 0 ? 0.0 : value); }

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates) {
  // Past this length a name is not a typing mistake, and the distance would cost its square.
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return std::nullopt;
  const std::string* best = nullptr;
  // One letter of a short word, a third of a long one.
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // Of equally near names the first one stays: the answer does not depend on how far the list goes on.
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> near = nearest_name(word, candidates);
  return near ? fmt::format("; did you mean {}?", in_quotes(*near)) : "";
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kLongest = 60;
  std::string text = "'";
  while (!word.empty()) {
    // Between characters: a message that ends within one would not be valid UTF-8.
    if (text.size() > kLongest) {
      text += "...";
      break;
    }
    const Character next = front_character(word);
    // A byte that begins no character is passed over alone.
    const std::size_t length = std::max<std::size_t>(next.length, 1);
    text += next.length == 0 || is_control(next.code) ? "?" : word.substr(0, length);
    word.remove_prefix(length);
  }
  return text + "'";
}

std::string counted(std::size_t count, std::string_view singular) {
  return counted(count, singular, fmt::format("{}s", singular));
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

}  // namespace espalier
