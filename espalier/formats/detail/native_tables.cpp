#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/native_parts.hpp"

namespace espalier::formats::detail {
namespace {

namespace fs = std::filesystem;
using model::Table;
using model::TableSpec;
using Kind = YamlNode::Kind;

constexpr std::size_t kMostTables = 1000;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{128} << 20;

// A unit of a column: SI, and the powers of the file's length and angle in it.
struct Unit {
  const char* word;
  double value;
  Dimension dimension;
};
constexpr double kTurn = 2 * std::numbers::pi;
constexpr Unit kUnits[] = {{"s", 1, {}},
                           {"ms", 1e-3, {}},
                           {"min", 60, {}},
                           {"m", 1, {1, 0}},
                           {"cm", 0.01, {1, 0}},
                           {"mm", 0.001, {1, 0}},
                           {"km", 1000, {1, 0}},
                           {"in", 0.0254, {1, 0}},
                           {"ft", 0.3048, {1, 0}},
                           {"m/s", 1, {1, 0}},
                           {"mm/s", 0.001, {1, 0}},
                           {"rad", 1, {0, 1}},
                           {"deg", kTurn / 360, {0, 1}},
                           {"turn", kTurn, {0, 1}},
                           {"rad/s", 1, {0, 1}},
                           {"deg/s", kTurn / 360, {0, 1}},
                           {"rpm", kTurn / 60, {0, 1}},
                           {"N", 1, {}},
                           {"kN", 1000, {}},
                           {"N m", 1, {1, 0}},
                           {"Nm", 1, {1, 0}},
                           {"kN m", 1000, {1, 0}},
                           {"N mm", 0.001, {1, 0}},
                           {"1", 1, {}}};

const Unit* find_unit(std::string_view word) {
  const auto found =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& unit) { return word == unit.word; });
  return found == std::end(kUnits) ? nullptr : found;
}

// "angle [deg]" is the column `angle` in degrees.
struct Heading {
  std::string name, unit;
};
Heading heading_of(const std::string& text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string::npos || open == 0 || text.back() != ']') return {text, ""};
  // The name goes without the spaces in front of its unit.
  const std::size_t end = text.find_last_not_of(' ', open - 1);
  return {end == std::string::npos ? "" : text.substr(0, end + 1), text.substr(open + 1, text.size() - open - 2)};
}

// What the model says of one of the two columns.
struct Wanted {
  std::string& name;  // empty: the column of this place
  std::size_t place;
  const char* key;
  const YamlNode* unit;
  double& scale;
  std::string& word;
};

class TableReader {
 public:
  TableReader(NativeContext& context, const YamlEntry& entry)
      : context_(context), fields_(context, entry.value, fmt::format("table {}", in_quotes(entry.key))) {
    table_.name = entry.key;
    table_.where = {context.file, entry.line, 0};
  }

  TableSpec read() {
    // Left out, both columns have their places in the file: the first and the second.
    table_.file = fields_.require("file") == nullptr ? "" : fields_.text("file", "");
    table_.argument = fields_.text("argument", "");
    table_.value = fields_.text("value", "");
    Wanted argument{table_.argument,          0, "argument", fields_.find("argument_unit"), table_.argument_unit,
                    table_.argument_unit_word};
    Wanted value{table_.value, 1, "value", fields_.find("value_unit"), table_.value_unit, table_.value_unit_word};
    between_ = word<Table::Between>("between", between_);
    outside_ = word<Table::Outside>("outside", outside_);
    fields_.done();
    for (Wanted* wanted : {&argument, &value}) read_unit(*wanted);
    if (context_.failed()) return table_;
    // Before the file is opened: a sweep of a million runs reads it once.
    if (const TableSpec* known = find_known()) return *known;
    // Beside the model and not where the program was started: the folder can be moved as a whole.
    table_.path = (fs::path(context_.file).parent_path() / table_.file).string();
    const Result<std::string> text = read_file();
    if (text) read_rows(*text, argument, value);
    return table_;
  }

 private:
  template <class T>
  T word(const char* key, T otherwise) {
    const YamlNode* node = fields_.find(key);
    if (node == nullptr) return otherwise;
    const std::string text = context_.text(*node, fmt::format("{}: `{}`", fields_.what(), key));
    const std::optional<T> found = find_word<T>(text);
    if (!found) {
      context_.fail(ErrorCode::kValue, *node,
                    fmt::format("{}: `{}` is {}; there are {}", fields_.what(), key, in_quotes(text), all_words<T>()));
    }
    return found.value_or(otherwise);
  }

  // A word, or how many units of the file a number of the column is.
  void read_unit(Wanted& wanted) {
    if (wanted.unit == nullptr || context_.failed()) return;
    const std::string what = fmt::format("{}: `{}_unit`", fields_.what(), wanted.key);
    if (parse_number(wanted.unit->scalar)) {
      wanted.scale = context_.number(*wanted.unit, what, kNone);
      // The words would lose what the number says.
      wanted.word = wanted.unit->scalar;
      return;
    }
    wanted.word = context_.text(*wanted.unit, what);
    if (!context_.failed() && !take_unit(wanted)) {
      context_.fail(ErrorCode::kValue, *wanted.unit,
                    fmt::format("{}: unknown unit {}; I know {}, or give the number of units of this file", what,
                                in_quotes(wanted.word), known_units()));
    }
  }

  bool take_unit(Wanted& wanted) const {
    const Unit* unit = find_unit(wanted.word);
    // Everything in the model is in the units of its file; what is read of a table joins it there.
    if (unit != nullptr) wanted.scale = unit->value / context_.factor(unit->dimension);
    return unit != nullptr;
  }

  static std::string known_units() {
    std::vector<const char*> words;
    for (const Unit& unit : kUnits) words.push_back(unit.word);
    return fmt::format("{}", fmt::join(words, ", "));
  }

  // Of the same file and columns, read before: variants of a model share its tables.
  const TableSpec* find_known() const {
    const auto same = [&](const TableSpec& other) {
      return other.name == table_.name && other.file == table_.file && other.rows->between == between_ &&
             other.rows->outside == outside_ && agrees(table_.argument, other.argument) &&
             agrees(table_.value, other.value) && agrees(table_.argument_unit_word, other.argument_unit_word) &&
             agrees(table_.value_unit_word, other.value_unit_word);
    };
    const auto found = std::find_if(context_.known_tables.begin(), context_.known_tables.end(), same);
    return found == context_.known_tables.end() ? nullptr : &*found;
  }
  // What the model leaves out, the file has said.
  static bool agrees(const std::string& given, const std::string& known) { return given.empty() || given == known; }

  Result<std::string> read_file() {
    const fs::path path(table_.path);
    std::error_code code;
    const bool there = fs::exists(path, code);
    // A pipe or a device could be read for ever.
    if (there && !fs::is_regular_file(path, code)) return cannot_read("it is not a file");
    if (there && fs::file_size(path, code) > kLargestFile) return cannot_read("larger than 128 MiB");
    Result<std::string> text = files::read_text_file(path);
    if (!text) return cannot_read(text.error().message + " (sought in the folder of the model)");
    return text;
  }

  tl::unexpected<Error> cannot_read(const std::string& why) {
    context_.fail({ErrorCode::kFile, fmt::format("{}: cannot read {}: {}", fields_.what(), in_quotes(table_.file), why),
                   table_.where});
    return tl::unexpected(*context_.error);
  }

  void read_rows(const std::string& text, Wanted& argument, Wanted& value) {
    const Result<files::CsvHead> head = files::read_csv_head(text, table_.path);
    if (!head) return context_.fail(head.error());
    std::size_t columns[2] = {};
    for (const auto& [wanted, column] : {std::pair(&argument, &columns[0]), std::pair(&value, &columns[1])}) {
      *column = find_column(*wanted, *head);
      if (context_.failed()) return;
    }
    Result<files::CsvRows> rows = files::read_csv_rows(text, table_.path, *head, columns);
    if (!rows) return context_.fail(rows.error());
    // In the numbers of the file, which the message can quote.
    check_order(*rows);
    if (context_.failed()) return;
    for (std::size_t k = 0; k < 2; ++k) {
      const double scale = k == 0 ? table_.argument_unit : table_.value_unit;
      // From here on in the units of the model.
      for (double& number : rows->columns[k]) number *= scale;
    }
    Result<Table> table =
        model::make_table(std::move(rows->columns[0]), std::move(rows->columns[1]), between_, outside_,
                          {table_.path, rows->line.empty() ? head->line : rows->line.front(), 0});
    if (!table) return context_.fail(table.error());
    note_ends(*table, rows->line.front());
    table_.rows = std::make_shared<const Table>(*std::move(table));
  }

  std::size_t find_column(Wanted& wanted, const files::CsvHead& head) {
    std::vector<std::string> names;
    for (const std::string& text : head.names) names.push_back(heading_of(text).name);
    const Where where{table_.path, head.line, 0};
    // Of two columns the second is meant; of more nobody can know.
    if (wanted.name.empty() && wanted.place == 1 && names.size() != 2) {
      context_.fail({ErrorCode::kName,
                     fmt::format("{}: {}; say by `value: ...` which of them is meant, {}", fields_.what(),
                                 counted(names.size(), "column"), fmt::join(names, ", ")),
                     table_.where});
      return 0;
    }
    // The words of the file may stand with or without their unit.
    std::size_t place = wanted.place;
    if (!wanted.name.empty()) {
      const auto is_it = [&](std::size_t k) { return names[k] == wanted.name || head.names[k] == wanted.name; };
      place = 0;
      while (place < names.size() && !is_it(place)) ++place;
    }
    if (place >= names.size()) {
      const std::string near = did_you_mean(wanted.name, names);
      context_.fail(
          {ErrorCode::kName,
           fmt::format("no column is called {}, which {} of the model asks for{}", in_quotes(wanted.name),
                       fields_.what(), near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near),
           where});
      return 0;
    }
    // Written back by its name, which holds when columns come to stand elsewhere.
    wanted.name = head.names[place];
    read_heading_unit(wanted, heading_of(head.names[place]), where);
    return place;
  }

  // What the model says counts; a unit that nobody can read must not pass for none.
  void read_heading_unit(Wanted& wanted, const Heading& heading, const Where& where) {
    if (wanted.unit != nullptr || heading.unit.empty()) return;
    wanted.word = heading.unit;
    if (take_unit(wanted)) return;
    context_.fail({ErrorCode::kValue,
                   fmt::format("column {} is in {}, a unit that is not known; I know {}; or say in the model, by "
                               "`{}_unit: ...`, how many units of the model one of it is",
                               in_quotes(heading.name), in_quotes(heading.unit), known_units(), wanted.key),
                   where});
  }

  void check_order(const files::CsvRows& rows) {
    const std::vector<double>& x = rows.columns[0];
    for (std::size_t k = 1; k < x.size(); ++k) {
      // Between two rows at one place no law can say what is meant.
      if (x[k] > x[k - 1]) continue;
      return context_.fail({ErrorCode::kValue,
                            fmt::format("column {}: {} follows {}; sort the rows, and keep one of those that are equal",
                                        in_quotes(table_.argument), number_text(x[k]), number_text(x[k - 1])),
                            {table_.path, rows.line[k], 0}});
    }
  }

  // A drive that is under way where the table begins, and has to stand still before it, is hardly meant.
  void note_ends(const Table& table, int line) {
    if (table.outside != Table::Outside::kHold || table.between != Table::Between::kCubic || table.value.size() < 3)
      return;
    const auto slope = [&](std::size_t k) {
      return (table.value[k + 1] - table.value[k]) / (table.argument[k + 1] - table.argument[k]);
    };
    const double first = slope(0), second = slope(1);
    // Steady: from rest the first would be about a third of the second.
    if (second == 0 || std::abs(first / second - 1) > 0.3) return;
    context_.notes.push_back(
        {fmt::format("{}: the value changes from the first row on ({} per unit of its argument), and "
                     "`outside: hold` lets it stand still before: write `outside: straight` if it "
                     "is under way there",
                     fields_.what(), number_text(first)),
         {table_.path, line, 0}});
  }

  NativeContext& context_;
  Fields fields_;
  TableSpec table_;
  Table::Between between_ = Table::Between::kCubic;
  Table::Outside outside_ = Table::Outside::kHold;
};

// Formulas know tables and constants by their names alone.
bool refuse_name(NativeContext& context, const YamlEntry& entry) {
  const std::vector<std::string> constants = context.constants.known();
  const bool twice = std::find(constants.begin(), constants.end(), entry.key) != constants.end();
  // A table is called like a function: these words mean something else in front of a bracket.
  const bool taken = entry.key == "t" || entry.key == "q" || entry.key == "v" || is_taken_name(entry.key);
  if (is_formula_name(entry.key) && !taken && !twice) return false;
  context.fail({ErrorCode::kName,
                fmt::format("a table cannot be called {}{}", in_quotes(entry.key),
                            twice   ? ", as a constant is"
                            : taken ? ", which has a meaning of its own"
                                    : "; letters, digits and _ make a name, a letter first"),
                {context.file, entry.line, 0}});
  return true;
}

}  // namespace

void read_tables(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  if (node.kind != Kind::kMap) {
    return context.fail(ErrorCode::kType, node,
                        fmt::format("`tables` must be a map {{name: {{file: ...}}}}, not {}", describe(node)));
  }
  if (node.entries.size() > kMostTables) {
    return context.fail(ErrorCode::kLimit, node,
                        fmt::format("{} tables; a model has at most {}", node.entries.size(), kMostTables));
  }
  for (const YamlEntry& entry : node.entries) {
    if (refuse_name(context, entry)) return;
    TableSpec table = TableReader(context, entry).read();
    if (context.failed()) return;
    context.tables.push_back({table.name, table.rows});
    spec.tables.push_back(std::move(table));
  }
}

void note_unused_tables(model::ModelSpec& spec) {
  std::set<std::string> used;
  const auto use = [&](const model::Expression& formula) {
    for (const model::NamedTable& table : formula.tables) used.insert(table.name);
  };
  // Formulas stand in loads, motions and keyframes alone.
  for (const model::ForceSpec& force : spec.forces) {
    if (const auto* load = std::get_if<model::LoadSpec>(&force.law))
      std::for_each(load->value.begin(), load->value.end(), use);
    if (const auto* motion = std::get_if<model::MotionSpec>(&force.law)) use(motion->value);
  }
  for (const model::KeyframeSpec& keyframe : spec.keyframes) {
    for (const auto& [force, value] : keyframe.loads) std::for_each(value.begin(), value.end(), use);
  }
  for (const TableSpec& table : spec.tables) {
    if (used.count(table.name) == 0)
      spec.notes.push_back({fmt::format("table {} is used by no formula", in_quotes(table.name)), table.where});
  }
}

std::optional<double> unit_value(const std::string& word) {
  const Unit* unit = find_unit(word);
  return unit == nullptr ? std::nullopt : std::optional(unit->value);
}

}  // namespace espalier::formats::detail
