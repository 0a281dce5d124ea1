#pragma once

// Strangers' text on the way to a terminal or a shell.

#include <string>
#include <string_view>

namespace espalier {

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

}  // namespace espalier
