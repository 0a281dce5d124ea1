#pragma once

// JSON read in place, for files too large for a tree of values: a cursor that skips values or is led through them.
//   Numbers and words may be anything without brackets, quotes and commas: what is skipped need not make sense, what is
//   read is checked by its reader.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::files {

class JsonScanner {
 public:
  JsonScanner(std::string_view text, const std::string& file);

  // All of these begin by skipping white space. A false or empty answer of take, word, string, skip leaves an error
  // only where the text is broken JSON at that place; `expected` writes it.

  // The next character, or '\0' at the end of the text.
  char peek();
  // Steps over `c` if it is next.
  bool take(char c);
  // A run without white space, commas, colons, brackets and quotes; may be empty.
  std::string_view word();
  // What stands between quotes, escapes as they are written. Nothing, with an error, where the quotes do not close.
  std::optional<std::string_view> string();
  // Steps over one value, however deeply nested, and counts the items of a list or map. False with an error.
  bool skip(std::size_t* items = nullptr);

  std::string_view text() const { return text_; }
  std::size_t position() const { return at_; }
  bool at_end();
  void go_to(std::size_t position) { at_ = position; }

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  // Keeps the first error only. Always false.
  bool fail(ErrorCode code, std::size_t position, std::string message);
  // "broken JSON: expected a comma, found 'x'".
  bool expected(std::string_view what);
  // The word, text or innermost list at `position`, in quotes and cut where it is long, for a message.
  std::string found_at(std::size_t position) const;

 private:
  void skip_space();
  bool skip_key();
  bool skip_atom();
  enum class Next { kValue, kCommaOrEnd, kBroken };
  Next close_or_go_on(std::string& open);

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

// JSON of strangers before it becomes a tree of values: that takes some 100 bytes a value, and copying or writing it
// recurses once a level.

inline constexpr std::size_t kDeepestJson = 64;
inline constexpr std::size_t kMostJsonValues = 5'000'000;

// The error of a text with more levels or values than that, with its line. What else is wrong is its parser's to say.
Result<void> check_json_text(std::string_view text, const std::string& file);

}  // namespace espalier::files
