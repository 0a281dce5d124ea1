#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "espalier/base/result.hpp"

namespace espalier::formats::detail {

enum class UsdaKind { kEnd, kWord, kNumber, kString, kAsset, kPath, kSign };

struct UsdaToken {
  UsdaKind kind = UsdaKind::kEnd;
  std::string text;   // without quotes, @ or <>; a sign is one character
  double number = 0;  // kNumber
  int line = 1;
};

// The words of a usda text, one by one. White space, line ends and comments only separate them.
class UsdaLexer {
 public:
  UsdaLexer(std::string_view text, std::string file);

  // The word in front; kEnd behind the last one and behind an error.
  const UsdaToken& peek() const { return token_; }
  UsdaToken take();

  // Only the first failure is kept.
  void fail(ErrorCode code, int line, std::string message);
  const std::optional<Error>& error() const { return error_; }

 private:
  void skip_space();
  bool skip_to(std::string_view end, const char* what);
  void read_word();
  void read_number();
  void read_string();
  void read_asset();
  void read_path();
  void advance();

  std::string_view rest_;
  std::string file_;
  int line_ = 1;
  UsdaToken token_;
  std::optional<Error> error_;
};

}  // namespace espalier::formats::detail
