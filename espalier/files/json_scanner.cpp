#include "espalier/files/json.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::files {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// By character: 1 where it may be part of a number or a word.
constexpr std::array<char, 256> kWordCharacters = [] {
  std::array<char, 256> table{};
  // From 0x80 on bytes are parts of letters in UTF-8, which a word of a wrong file may hold.
  for (int c = 0x21; c < 256; ++c) table[c] = 1;
  for (const char c : {',', ':', '[', ']', '{', '}', '"'}) table[static_cast<unsigned char>(c)] = 0;
  return table;
}();

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

JsonScanner::JsonScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {
  // Some editors on Windows begin a text with it; JSON has no place for it.
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

void JsonScanner::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

char JsonScanner::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScanner::at_end() {
  skip_space();
  return at_ == text_.size();
}

bool JsonScanner::take(char c) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string_view JsonScanner::word() {
  skip_space();
  const std::size_t begin = at_;
  while (at_ < text_.size() && kWordCharacters[static_cast<unsigned char>(text_[at_])]) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<std::string_view> JsonScanner::string() {
  if (!take('"')) {
    expected("a text in quotes");
    return std::nullopt;
  }
  const std::size_t begin = at_;
  // A text ends on its line by JSON's rules, so that a missing quote is found where it is missing.
  for (std::size_t end = begin; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == '\\') {
      // Whatever follows a backslash is part of the text, a quote above all.
      ++end;
    } else if (text_[end] == '"') {
      at_ = end + 1;
      return text_.substr(begin, end - begin);
    }
  }
  fail(ErrorCode::kSyntax, begin - 1, "broken JSON: the text that opens here is not closed on its line; add a quote");
  return std::nullopt;
}

bool JsonScanner::skip_key() {
  if (peek() != '"') return expected("a key in quotes");
  if (!string()) return false;
  return take(':') || expected("a colon after the key");
}

bool JsonScanner::skip_atom() {
  if (peek() == '"') return string().has_value();
  return !word().empty() || expected("a value");
}

// After a value: either a comma, and the next value is before us, or the end of a list or map.
JsonScanner::Next JsonScanner::close_or_go_on(std::string& open) {
  const char closing = open.back() == '[' ? ']' : '}';
  if (take(closing)) {
    open.pop_back();
    return Next::kCommaOrEnd;
  }
  if (!take(',')) {
    expected(closing == ']' ? "a comma or ]" : "a comma or }");
    return Next::kBroken;
  }
  return open.back() == '[' || skip_key() ? Next::kValue : Next::kBroken;
}

// With a stack of its own instead of recursion: a file of a million brackets is skipped like any other.
bool JsonScanner::skip(std::size_t* items) {
  // The brackets that are open; one byte for each level.
  std::string open;
  std::size_t count = 0;
  Next next = Next::kValue;
  do {
    if (next == Next::kCommaOrEnd) {
      next = close_or_go_on(open);
      if (next == Next::kBroken) return false;
      continue;
    }
    const char first = peek();
    // Values directly inside the outermost bracket.
    count += open.size() == 1 ? 1 : 0;
    next = Next::kCommaOrEnd;
    if (first != '[' && first != '{') {
      if (!skip_atom()) return false;
      continue;
    }
    ++at_;
    // An empty list or map has no value before its end.
    if (take(first == '[' ? ']' : '}')) continue;
    open += first;
    next = Next::kValue;
    if (first == '{' && !skip_key()) return false;
  } while (!open.empty());
  if (items != nullptr) *items = count;
  return true;
}

bool JsonScanner::fail(ErrorCode code, std::size_t position, std::string message) {
  // The first failure is the cause; what follows it is confusion.
  if (error_) return false;
  const std::string_view before = text_.substr(0, position);
  // rfind gives npos in the first line, and npos + 1 is 0.
  const std::size_t line_begin = before.rfind('\n') + 1;
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  error_ =
      Error{code, std::move(message), {file_, static_cast<int>(line), static_cast<int>(position - line_begin) + 1}};
  return false;
}

std::string JsonScanner::found_at(std::size_t position) const {
  if (position >= text_.size()) return "the end of the file";
  const std::string_view rest = text_.substr(position, 80);
  const char first = rest[0];
  // As much of the file as tells the reader where he is: a list to its first end, a word to its own.
  const std::string_view last = first == '[' || first == '{' ? "]}\n" : first == '"' ? "\"\n" : " \t\r\n,:[]{}\"";
  const std::size_t end = rest.find_first_of(last, 1);
  const bool includes_last = end < rest.size() && (last[0] == ']' || last[0] == '"') && rest[end] != '\n';
  return in_quotes(rest.substr(0, includes_last ? end + 1 : end));
}

bool JsonScanner::expected(std::string_view what) {
  skip_space();
  return fail(ErrorCode::kSyntax, at_, fmt::format("broken JSON: expected {}, found {}", what, found_at(at_)));
}

}  // namespace espalier::files
