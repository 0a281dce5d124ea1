#include "apps/espalier/output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/espalier/commands.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

bool quiet = false;

}  // namespace

int terminal_width() {
  constexpr int kNarrowest = 40;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<int>(size.ws_col, kNarrowest);
  const char* columns = std::getenv("COLUMNS");
  const int asked = columns == nullptr ? 0 : std::atoi(columns);
  return asked > 0 ? std::clamp(asked, kNarrowest, 1000) : 80;
}

std::string wrapped(std::string_view first, std::string_view text, int width) {
  const std::string lead(first.size(), ' ');
  std::string result(first);
  std::size_t column = first.size();
  bool line_is_empty = true;
  for (const std::string_view word : split_words(text)) {
    if (!line_is_empty && column + 1 + word.size() > static_cast<std::size_t>(width)) {
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

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width(heads.size());
  for (std::size_t c = 0; c < heads.size(); ++c) {
    width[c] = heads[c].size();
    for (const std::vector<std::string>& row : rows) width[c] = std::max(width[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string lead = "  ";
    for (std::size_t c = 0; c + 1 < row.size(); ++c) lead += fmt::format("{:<{}}  ", row[c], width[c]);
    return wrapped(lead, row.back(), terminal_width());
  };
  std::string result = line(heads);
  for (const std::vector<std::string>& row : rows) result += line(row);
  return result;
}

int report(const Error& error, bool json) {
  std::fprintf(stderr, "espalier: %s\n", to_string(error).c_str());
  if (json) {
    const nlohmann::ordered_json document = {{"error",
                                              {{"code", to_string(error.code)},
                                               {"message", error.message},
                                               {"file", error.where.file},
                                               {"line", error.where.line}}}};
    print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  return kBadInput;
}

bool print(std::string_view text) {
  if (quiet) return true;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return std::fflush(stdout) == 0 && written;
}

int print_result(std::string_view text) {
  if (print(text)) return kDone;
  return report({ErrorCode::kFile, "cannot write to standard output: the disk is full or the reader is gone", {}},
                false);
}

void set_quiet(bool value) { quiet = value; }

}  // namespace espalier::app
