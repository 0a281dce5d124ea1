#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::files {
namespace {

constexpr std::size_t kMostColumns = 10'000;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Goes through a text line by line; fields in quotes may hold line ends.
class Lines {
 public:
  Lines(std::string_view text, std::size_t at, int line) : text_(text), at_(at), next_line_(line) {}

  // The next line with something in it that is no remark; false at the end.
  bool next() {
    while (at_ < text_.size()) {
      take();
      const std::string_view content = trimmed(line_);
      if (!content.empty() && content[0] != '#') return true;
    }
    return false;
  }

  std::string_view text() const { return line_; }
  int number() const { return number_; }
  std::size_t end() const { return at_; }
  int next_number() const { return next_line_; }

 private:
  void take() {
    number_ = next_line_;
    const std::size_t begin = at_;
    bool quoted = false;
    for (; at_ < text_.size() && (quoted || text_[at_] != '\n'); ++at_) {
      if (text_[at_] == '"') quoted = !quoted;
      if (text_[at_] == '\n') ++next_line_;
    }
    line_ = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    ++next_line_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
  }

  std::string_view text_, line_;
  std::size_t at_;
  int number_ = 0, next_line_;
};

// A field without its quotes, where it has them.
std::string unquoted(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  std::string text;
  for (std::size_t k = 1; k + 1 < field.size(); ++k) {
    // Two for one that belongs to the text.
    if (field[k] == '"' && k + 2 < field.size() && field[k + 1] == '"') ++k;
    text += field[k];
  }
  return text;
}

void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '"') quoted = !quoted;
    if (at < line.size() && (quoted || line[at] != separator)) continue;
    fields.push_back(trimmed(line.substr(begin, at - begin)));
    begin = at + 1;
  }
}

// Of comma, semicolon and tab the one that cuts the line into most fields; a comma where none does.
char separator_of(std::string_view line) {
  char best = ',';
  std::size_t most = 0;
  std::vector<std::string_view> fields;
  for (const char separator : {',', ';', '\t'}) {
    split(line, separator, fields);
    if (fields.size() <= most) continue;
    most = fields.size();
    best = separator;
  }
  return best;
}

Error problem_of(std::string_view field, const std::string& column, const Where& where) {
  const std::string start = fmt::format("column {}: ", in_quotes(column));
  if (field.empty()) return {ErrorCode::kType, start + "the field is empty; fill it, or remove the row", where};
  return {ErrorCode::kType,
          fmt::format("{}{} is no finite number", start, in_quotes(field)),
          where,
          {},
          "write numbers with a point, as in 0.5 or 1e-3, and remove rows without a value"};
}

}  // namespace

// RFC 4180: a field with a comma, a quote or an end of line stands in quotes, and a quote in it is doubled.
std::string csv_field(std::string_view text) {
  // A lone carriage return counts as well: some readers end a line there.
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

Result<CsvHead> read_csv_head(std::string_view text, const std::string& file) {
  // The byte order mark that some programs begin a table with.
  Lines lines(text, text.starts_with("\xEF\xBB\xBF") ? 3 : 0, 1);
  if (!lines.next()) {
    return make_error(ErrorCode::kFormat, {file, 1, 0},
                      "the table is empty; its first line names the columns, as in `time,angle`");
  }
  CsvHead head;
  head.separator = separator_of(lines.text());
  std::vector<std::string_view> fields;
  split(lines.text(), head.separator, fields);
  head.line = lines.number();
  head.end = lines.end();
  head.next_line = lines.next_number();
  if (fields.size() > kMostColumns) {
    return make_error(ErrorCode::kLimit, {file, head.line, 0},
                      fmt::format("{} columns; a table has at most {}", fields.size(), kMostColumns));
  }
  for (const std::string_view field : fields) head.names.push_back(unquoted(field));
  if (std::all_of(fields.begin(), fields.end(),
                  [](std::string_view field) { return parse_number(field).has_value(); })) {
    return make_error(ErrorCode::kFormat, {file, head.line, 0},
                      "numbers stand in the first line, where the names of the columns belong; put a line such as "
                      "`time,angle` above them");
  }
  return head;
}

Result<CsvRows> read_csv_rows(std::string_view text, const std::string& file, const CsvHead& head,
                              std::span<const std::size_t> columns) {
  CsvRows rows;
  rows.columns.resize(columns.size());
  Lines lines(text, head.end, head.next_line);
  std::vector<std::string_view> fields;
  while (lines.next()) {
    const Where where{file, lines.number(), 0};
    split(lines.text(), head.separator, fields);
    if (fields.size() != head.names.size()) {
      return make_error(ErrorCode::kType, where,
                        fmt::format("the row has {}, and line {} names {}; give each row one number per column",
                                    counted(fields.size(), "field"), head.line, counted(head.names.size(), "column")));
    }
    rows.line.push_back(lines.number());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::string field = unquoted(fields[columns[k]]);
      const std::optional<double> number = parse_number(field);
      if (!number) return tl::unexpected(problem_of(field, head.names[columns[k]], where));
      rows.columns[k].push_back(*number);
    }
  }
  return rows;
}

}  // namespace espalier::files
