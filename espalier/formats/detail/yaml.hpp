#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::formats::detail {

struct YamlEntry;

// A YAML (or JSON) value with its place. Made from yaml-cpp's events instead of its own node tree: duplicate keys and
// deep nesting get an error with a line, and a value takes about 100 bytes instead of 2 kB.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  bool quoted = false;  // a scalar in quotes: a text, never a number
  std::string scalar;
  std::vector<YamlNode> items;     // list
  std::vector<YamlEntry> entries;  // map, in file order; keys are unique
  int line = 0;                    // from 1
  int column = 0;

  // The value of a key of a map, or null.
  const YamlNode* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  int line = 0;
  YamlNode value;
};

// "a list", "a map", "'text'", ...: what a node is, for messages.
std::string describe(const YamlNode& node);

// The one document in `text`. Aliases are expanded, to 100 MiB at most.
Result<YamlNode> parse_yaml(std::string_view text, const std::string& file);

}  // namespace espalier::formats::detail
