#include "espalier/base/text.hpp"

#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace espalier {
namespace {

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("line\n\tnext\r"), "line\n\tnext\\u000d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");  // CSI as one character of UTF-8
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj"),
            "\\u202egpj");  // writes from right to left
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
  EXPECT_EQ(printable_name("two\nlines"), "two\\u000alines");
}

TEST(Printable, InvalidUtf8BecomesAQuestionMark) {
  EXPECT_EQ(printable("\xff.\xc3"), "?.?");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");  // half of a surrogate pair
  EXPECT_EQ(printable("\xe0\x80\x80"), "???");  // longer than it needs to be
  EXPECT_EQ(in_quotes("\xc2\x9b\xe2\x80\xae"),
            "'?"
            "?'");
}

RC_GTEST_PROP(Printable, NoBytesGiveAControlCharacter, (const std::string& bytes)) {
  const std::string clean = printable_name(bytes);
  for (std::string_view rest = clean; !rest.empty();) {
    const Character next = front_character(rest);
    RC_ASSERT(next.length > 0);
    RC_ASSERT(!is_control(next.code));
    rest.remove_prefix(next.length);
  }
}

// What the shell itself makes of the word.
std::string through_shell(const std::string& word) {
  const std::string command = "printf %s " + shell_word(word);
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

TEST(ShellWord, IsOneWordOfTheShell) {
  EXPECT_EQ(shell_word("models/four_bar.yaml"), "models/four_bar.yaml");
  EXPECT_EQ(shell_word(""), "''");
  for (const char* word : {"two words", "it's", "$(touch x)", "a;b", "`x`", "*", "a\\b", "~", "!1", "a\nb"}) {
    EXPECT_EQ(through_shell(word), word);
  }
}

}  // namespace
}  // namespace espalier
