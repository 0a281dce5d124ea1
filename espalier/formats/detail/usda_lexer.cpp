#include "espalier/formats/detail/usda_lexer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::formats::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Names may hold letters of any script, and `:` between the parts of a property's name.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::string_view kSigns = "()[]{}=,;.";

}  // namespace

UsdaLexer::UsdaLexer(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) { advance(); }

UsdaToken UsdaLexer::take() {
  // One token ahead is all that the grammar asks for.
  UsdaToken token = std::move(token_);
  advance();
  return token;
}

void UsdaLexer::fail(ErrorCode code, int line, std::string message) {
  if (!error_) error_ = Error{code, std::move(message), {file_, line, 0}};
  // Nothing is read behind an error, so that every loop over tokens ends.
  rest_ = {};
  token_ = {UsdaKind::kEnd, "", 0, line};
}

// Past `end`, counting lines.
bool UsdaLexer::skip_to(std::string_view end, const char* what) {
  const std::size_t at = rest_.find(end);
  // The message stands where it began: its end may be the end of the file.
  if (at == std::string_view::npos) {
    fail(ErrorCode::kSyntax, line_, fmt::format("{} that begins here is not closed; close it with {}", what, end));
    return false;
  }
  line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  rest_.remove_prefix(at + end.size());
  return true;
}

void UsdaLexer::skip_space() {
  while (!rest_.empty()) {
    // The first line, #usda 1.0, goes the same way: detect_format() has read it.
    if (rest_[0] == '#' || rest_.starts_with("//")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      rest_.remove_prefix(2);
      if (!skip_to("*/", "a comment")) return;
    } else if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r' || rest_[0] == '\n') {
      line_ += rest_[0] == '\n' ? 1 : 0;
      rest_.remove_prefix(1);
    } else {
      return;
    }
  }
}

void UsdaLexer::read_word() {
  const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_word);
  token_ = {UsdaKind::kWord, std::string(rest_.begin(), end), 0, line_};
  rest_.remove_prefix(token_.text.size());
}

void UsdaLexer::read_number() {
  // A + or - belongs to the number in front of a digit, and behind an e.
  std::size_t length = rest_[0] == '-' || rest_[0] == '+' ? 1 : 0;
  const bool negative = rest_[0] == '-';
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [word, value] : {std::pair("inf", kInfinity), std::pair("nan", kInfinity - kInfinity)}) {
    // Both have three letters, a sign in front or none.
    if (!rest_.substr(length).starts_with(word)) continue;
    token_ = {UsdaKind::kNumber, std::string(rest_.substr(0, length + 3)), negative ? -value : value, line_};
    rest_.remove_prefix(length + 3);
    return;
  }
  while (length < rest_.size()) {
    const char c = rest_[length];
    const bool sign = (c == '-' || c == '+') && (rest_[length - 1] == 'e' || rest_[length - 1] == 'E');
    if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
    ++length;
  }
  const std::string_view text = rest_.substr(0, length);
  // from_chars(), which reads it, knows no plus sign.
  const std::optional<double> value = parse_number(text.starts_with('+') ? text.substr(1) : text);
  if (!value) {
    return fail(ErrorCode::kSyntax, line_, fmt::format("{} is not a number that I can hold", in_quotes(text)));
  }
  token_ = {UsdaKind::kNumber, std::string(text), *value, line_};
  rest_.remove_prefix(length);
}

void UsdaLexer::read_string() {
  const char quote = rest_[0];
  const std::string three(3, quote);
  const bool lines = rest_.starts_with(three);
  const std::string end = lines ? three : std::string(1, quote);
  UsdaToken token{UsdaKind::kString, "", 0, line_};
  rest_.remove_prefix(end.size());
  while (!rest_.starts_with(end)) {
    if (rest_.empty() || (rest_[0] == '\n' && !lines)) {
      return fail(ErrorCode::kSyntax, token.line,
                  fmt::format("a string that begins here is not closed; close it with {}", end));
    }
    // Of the escapes only the line end is another character than the one that stands there.
    const bool escape = rest_[0] == '\\' && rest_.size() > 1;
    const char c = escape ? rest_[1] : rest_[0];
    line_ += c == '\n' ? 1 : 0;
    token.text += escape && c == 'n' ? '\n' : c;
    rest_.remove_prefix(escape ? 2 : 1);
  }
  rest_.remove_prefix(end.size());
  token_ = std::move(token);
}

void UsdaLexer::read_asset() {
  // Three of them where the name itself holds one.
  const std::string_view end = rest_.starts_with("@@@") ? "@@@" : "@";
  const int line = line_;
  rest_.remove_prefix(end.size());
  const std::string_view whole = rest_;
  if (!skip_to(end, "a file name")) return;
  token_ = {UsdaKind::kAsset, std::string(whole.substr(0, whole.size() - rest_.size() - end.size())), 0, line};
}

void UsdaLexer::read_path() {
  const int line = line_;
  rest_.remove_prefix(1);
  const std::string_view whole = rest_;
  if (!skip_to(">", "a path")) return;
  token_ = {UsdaKind::kPath, std::string(whole.substr(0, whole.size() - rest_.size() - 1)), 0, line};
}

void UsdaLexer::advance() {
  skip_space();
  if (error_ || rest_.empty()) {
    token_ = {UsdaKind::kEnd, "", 0, line_};
    return;
  }
  const char c = rest_[0];
  const char next = rest_.size() > 1 ? rest_[1] : ' ';
  if (is_digit(c) || c == '-' || c == '+' || (c == '.' && is_digit(next))) return read_number();
  // `inf` alone is a number; a longer word that begins so is a name.
  if ((rest_.starts_with("inf") || rest_.starts_with("nan")) && (rest_.size() == 3 || !is_word(rest_[3]))) {
    return read_number();
  }
  if (is_word(c)) return read_word();
  if (c == '"' || c == '\'') return read_string();
  if (c == '@') return read_asset();
  if (c == '<') return read_path();
  if (kSigns.find(c) == std::string_view::npos) {
    return fail(ErrorCode::kSyntax, line_, fmt::format("{} has no meaning in usda", in_quotes(rest_.substr(0, 1))));
  }
  token_ = {UsdaKind::kSign, std::string(1, c), 0, line_};
  rest_.remove_prefix(1);
}

}  // namespace espalier::formats::detail
