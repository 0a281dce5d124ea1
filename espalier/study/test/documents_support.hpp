#pragma once

// JSON documents as texts: what a test asks of them without a parser.

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::study {

// Without line ends and what indents the lines: {"name": "a","numbers": [1,2]}.
inline std::string on_one_line(const std::string& document) {
  std::string line;
  bool indenting = false;
  for (const char c : document) {
    indenting = c == '\n' || (indenting && c == ' ');
    if (!indenting) line += c;
  }
  return line;
}

inline void expect_parts(const std::string& document, std::initializer_list<const char*> parts) {
  const std::string line = on_one_line(document);
  for (const char* part : parts) EXPECT_NE(line.find(part), std::string::npos) << part << " is not in\n" << line;
}

inline void expect_no_part(const std::string& document, const std::string& part) {
  EXPECT_EQ(on_one_line(document).find(part), std::string::npos) << part;
}

// The numbers behind all keys of this name, in the order of the document.
inline std::vector<double> numbers_of(const std::string& document, const std::string& key) {
  const std::string sought = "\"" + key + "\": ";
  std::vector<double> numbers;
  for (std::size_t at = document.find(sought); at != std::string::npos; at = document.find(sought, at + 1)) {
    numbers.push_back(std::strtod(document.c_str() + at + sought.size(), nullptr));
  }
  return numbers;
}

}  // namespace espalier::study
