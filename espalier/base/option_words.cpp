#include "espalier/base/text.hpp"

#include <algorithm>

namespace espalier {
namespace {

bool is_field_name(std::string_view text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string word_options(std::string_view text, const OptionWord& word) {
  std::string worded;
  while (true) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == text.npos ? text.npos : text.find('`', open + 1);
    // A backtick without a partner is text.
    if (close == text.npos) return worded.append(text);
    worded.append(text.substr(0, open));
    const std::string_view name = text.substr(open + 1, close - open - 1);
    if (is_field_name(name)) {
      worded += word(name);
      text.remove_prefix(close + 1);
    } else {
      // The second backtick may open a name of its own.
      worded.append(text.substr(open, close - open));
      text.remove_prefix(close);
    }
  }
}

std::string dashed_option(std::string_view name) {
  std::string option = "--";
  for (const char c : name) option += c == '_' ? '-' : c;
  return option;
}

}  // namespace espalier
