#include "espalier/base/text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace espalier {
namespace {

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Character next = front_character(text);
    // One mark for each byte that begins no character, so that the text shows how much of it is broken.
    if (next.length == 0) {
      clean += '?';
    } else if (is_control(next.code) && kept.find(text[0]) == std::string_view::npos) {
      clean += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(next.code));
    } else {
      clean += text.substr(0, next.length);
    }
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
  }
  return clean;
}

}  // namespace

Character front_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead};
  // 0xC0 and 0xC1 could only begin a longer form than needed, and from 0xF5 on no code point is left.
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    code = code << 6 | (next & 0x3Fu);
  }
  // A character in more bytes than it needs, or half of a pair of UTF-16, is none: such bytes have been used to
  // smuggle.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < kLeast[length] || code > 0x10FFFF || surrogate ? Character{} : Character{length, code};
}

bool is_control(char32_t code) {
  // C0 and C1; marks that turn the direction of writing, which can make a message read as another one; no characters.
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

std::string printable(std::string_view text) { return without_controls(text, "\n\t"); }

std::string printable_name(std::string_view name) { return without_controls(name, ""); }

std::string shell_word(std::string_view word) {
  // What is safe is listed, not what is dangerous: shells differ in what they interpret.
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
  });
  if (plain && !word.empty()) return std::string(word);
  std::string quoted = "'";
  // Within single quotes everything is literal but the quote: it is closed, escaped and opened again.
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace espalier
