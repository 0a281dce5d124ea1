#include "espalier/base/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/index.hpp"

namespace espalier {
namespace {

// A name fills a cell, not a line of its own.
std::vector<std::vector<std::string>> on_one_line(std::vector<std::vector<std::string>> rows) {
  for (std::vector<std::string>& row : rows) {
    for (std::string& cell : row) cell = printable_name(cell);
  }
  return rows;
}

}  // namespace

std::string wrapped(std::string_view first, std::string_view text, int width) {
  const std::string lead(first.size(), ' ');
  std::string result(first);
  std::size_t column = first.size();
  bool line_is_empty = true;
  for (const std::string_view word : split_words(text)) {
    // A word longer than a line stays whole: a path that was cut could not be copied.
    if (!line_is_empty && column + 1 + word.size() > to_index(width)) {
      result += "\n" + lead;
      column = lead.size();
      line_is_empty = true;
    }
    if (!line_is_empty) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    line_is_empty = false;
  }
  return result + "\n";
}

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& cells,
                  int width) {
  const std::vector<std::vector<std::string>> rows = on_one_line(cells);
  std::vector<std::size_t> widths(heads.size());
  for (std::size_t c = 0; c < heads.size(); ++c) {
    // In bytes: a column with letters beyond ASCII comes out wider than it needs, never too narrow.
    widths[c] = heads[c].size();
    for (const std::vector<std::string>& row : rows) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string lead = "  ";
    // The last column takes what is left of the line, wrapped under itself.
    for (std::size_t c = 0; c + 1 < row.size(); ++c) lead += fmt::format("{:<{}}  ", row[c], widths[c]);
    return wrapped(lead, row.back(), width);
  };
  std::string result = line(heads);
  for (const std::vector<std::string>& row : rows) result += line(row);
  return result;
}

}  // namespace espalier
