#include "espalier/formats/detail/native_constants.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/native_fields.hpp"

namespace espalier::formats::detail {
namespace {

using Kind = YamlNode::Kind;

// Each name of each formula is sought among them one by one.
constexpr std::size_t kMostConstants = 1000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// A piece of a formula: a name, or anything else.
struct Token {
  std::string_view text;
  bool name = false;
};

// Where the coordinate q(JOINT) or rate v(JOINT) ends whose letter ends at `end`; there, if it is none.
std::size_t end_of_input(std::string_view text, std::size_t end) {
  const std::size_t open = text.find_first_not_of(" \t", end);
  if (open == std::string_view::npos || text[open] != '(') return end;
  const std::size_t name = text.find_first_not_of(" \t", open + 1);
  // The name of a joint may hold any character between quotes, a closing bracket too.
  const bool quoted = name != std::string_view::npos && (text[name] == '\'' || text[name] == '"');
  const std::size_t last = quoted ? text.find(text[name], name + 1) : open;
  const std::size_t close = last == std::string_view::npos ? last : text.find(')', last);
  return close == std::string_view::npos ? end : close + 1;
}

// Names are told from the exponents of numbers (1e4), from words with a point in them (pin.rate) and from the names of
// joints, q(pin): a joint may be called as a constant is.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    const bool name = is_letter(text[at]);
    bool dotted = false;
    if (name) {
      while (end < text.size() && (is_name_part(text[end]) || text[end] == '.')) dotted |= text[end++] == '.';
      const std::string_view word = text.substr(at, end - at);
      const std::size_t input = word == "q" || word == "v" ? end_of_input(text, end) : end;
      dotted |= input != end;
      end = input;
    } else if (is_digit(text[at]) || text[at] == '.') {
      double value = 0;
      const auto [stop, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
      // 1e400 is a number as well, though none that fits: its letters are no name.
      if (problem != std::errc::invalid_argument) end = to_index(stop - text.data());
    }
    tokens.push_back({text.substr(at, end - at), name && !dotted});
    at = end;
  }
  return tokens;
}

const model::NamedNumber* find_name(const std::vector<model::NamedNumber>& names, std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.name == name; });
  return found == names.end() ? nullptr : &*found;
}

// A formula, or a misspelt one: something is computed, or a name stands there and the file has constants.
bool looks_like_formula(const Constants& constants, std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text);
  const bool names = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.name; });
  // Words stand in many places of a file; with constants, one that is read as a number must be a name.
  if (names && !constants.names.empty()) return true;
  // A word of two parts is no difference: only numbers are.
  const std::string_view operations = names ? "+*/^(" : "+-*/^(";
  return tokens.size() > 1 && std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
           return operations.find(token.text[0]) != std::string_view::npos;
         });
}

// The first name in `text` that stands for nothing.
std::optional<std::string> unknown_name(const Constants& constants, std::string_view text) {
  for (const Token& token : tokens_of(text)) {
    if (!token.name || model::is_expression_word(token.text)) continue;
    if (find_name(constants.names, token.text) == nullptr) return std::string(token.text);
  }
  return std::nullopt;
}

std::string advice(const Constants& constants, const std::string& name) {
  if (constants.names.empty()) return fmt::format("; give it a value: `constants: {{{}: ...}}`", name);
  const std::string near = did_you_mean(name, constants.known());
  return near.empty() ? fmt::format("; there is {}", in_quotes(constants.names.front().name)) : near;
}

// The value of a formula, or a failure on record.
std::optional<double> evaluate_formula(NativeContext& context, const YamlNode& node, std::string_view what) {
  const std::string& text = node.scalar;
  if (const std::optional<std::string> name = unknown_name(context.constants, text)) {
    context.fail(ErrorCode::kName, node,
                 fmt::format("{}: {} in {} is no constant{}", what, in_quotes(*name), in_quotes(text),
                             advice(context.constants, *name)));
    return std::nullopt;
  }
  const Result<model::Expression> formula = model::parse_expression(text, context.where(node), context.constants.names);
  if (!formula) {
    context.fail(formula.error());
    return std::nullopt;
  }
  const double value = model::evaluate(*formula, 0);
  if (!std::isfinite(value)) {
    context.fail(ErrorCode::kValue, node,
                 fmt::format("{}: {} is {}; it must be a finite number", what, in_quotes(text), value));
    return std::nullopt;
  }
  // A constant that nothing uses is told of.
  context.constants.use(text);
  return value;
}

// A way from `name` back to itself through constants that stand anywhere in the section; empty if there is none.
std::string cycle_from(const YamlNode& section, const std::string& name) {
  // Breadth does not matter: any way back to the name is the circle to tell.
  std::unordered_map<std::string, std::string> came_from;
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const std::string here = open.back();
    open.pop_back();
    const YamlNode* formula = section.find(here);
    if (formula == nullptr || formula->kind != Kind::kScalar) continue;
    for (const Token& token : tokens_of(formula->scalar)) {
      const std::string next(token.text);
      if (next == name) {
        std::string way = name;
        for (std::string step = here; step != name; step = came_from[step]) way = fmt::format("{} -> {}", step, way);
        return fmt::format("{} -> {}", name, way);
      }
      if (token.name && section.find(next) != nullptr && came_from.try_emplace(next, here).second) open.push_back(next);
    }
  }
  return "";
}

// A name that stands further down in the section is told as such.
bool refuse_order(NativeContext& context, const YamlNode& section, const YamlEntry& entry) {
  const std::optional<std::string> name =
      entry.value.kind == Kind::kScalar ? unknown_name(context.constants, entry.value.scalar) : std::nullopt;
  if (!name || section.find(*name) == nullptr) return false;
  const std::string cycle = cycle_from(section, entry.key);
  context.fail(ErrorCode::kName, entry.value,
               cycle.empty() ? fmt::format("constant {} uses {}, which stands below it; put {} first",
                                           in_quotes(entry.key), in_quotes(*name), in_quotes(*name))
                             : fmt::format("constants use each other in a circle: {}", cycle));
  return true;
}

bool refuse_name(NativeContext& context, const YamlEntry& entry) {
  const std::string& name = entry.key;
  const bool sound = is_formula_name(name);
  const bool taken = is_taken_name(name);
  if (sound && !taken) return false;
  context.fail({ErrorCode::kName,
                taken ? fmt::format("a constant cannot be called {}, which has a meaning of its own", in_quotes(name))
                      : fmt::format("a constant cannot be called {}; letters, digits and _ make a name, a letter first",
                                    in_quotes(name)),
                {context.file, entry.line, 0}});
  return true;
}

// Ways through a document to the nodes that formulas stand at.
class FormulaPaths {
 public:
  FormulaPaths(const std::vector<ReadFormula>& formulas, std::vector<model::FormulaSpec>& found) : found_(found) {
    for (const ReadFormula& formula : formulas) by_node_[formula.node] = &formula;
  }

  void walk(const YamlNode& node) {
    if (const auto formula = by_node_.find(&node); formula != by_node_.end()) {
      const ReadFormula& read = *formula->second;
      found_.push_back({path_, read.text, read.without, read.where});
    }
    for (const YamlEntry& entry : node.entries) step(entry.key, entry.value);
    for (std::size_t k = 0; k < node.items.size(); ++k) {
      const YamlNode* name = node.items[k].find("name");
      // Paths name items as `--vary` does, by their name where they have one.
      const bool named = name != nullptr && name->kind == Kind::kScalar;
      step(named ? name->scalar : std::to_string(k), node.items[k]);
    }
  }

 private:
  void step(const std::string& part, const YamlNode& node) {
    path_.push_back(part);
    walk(node);
    path_.pop_back();
  }

  std::unordered_map<const YamlNode*, const ReadFormula*> by_node_;
  std::vector<model::FormulaSpec>& found_;
  std::vector<std::string> path_;
};

// The node at a way through a document, or null. A list of two equal ends may be written as one number.
const YamlNode* node_at(const YamlNode& root, const std::vector<std::string>& path) {
  const YamlNode* node = &root;
  for (std::size_t k = 0; k < path.size() && node != nullptr; ++k) {
    const bool last = k + 1 == path.size();
    if (node->kind == Kind::kScalar && last && is_digit(path[k][0])) return node;
    const YamlNode* next = node->find(path[k]);
    for (std::size_t item = 0; item < node->items.size() && next == nullptr; ++item) {
      const YamlNode* name = node->items[item].find("name");
      if (name != nullptr ? name->scalar == path[k] : std::to_string(item) == path[k]) next = &node->items[item];
    }
    node = next;
  }
  return node != nullptr && node->kind == Kind::kScalar ? node : nullptr;
}

// A number by its value: writers may spell it otherwise.
bool stands_there(const YamlNode& node, const std::string& without) {
  const std::optional<double> there = parse_number(node.scalar);
  const std::optional<double> wanted = parse_number(without);
  return there && wanted ? *there == *wanted : node.scalar == without;
}

std::string in_double_quotes(const std::string& text) { return fmt::format("\"{}\"", text); }

// Plain where no YAML reader can take it for anything but this text.
std::string yaml_formula(const std::string& text) {
  // A bare word or a minus sign alone would be read as text.
  const bool computed = text.find_first_of("+*/^(") != std::string::npos;
  const bool plain = is_name_part(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
                       return is_name_part(c) || std::string_view("+-*/^(). ").find(c) != std::string_view::npos;
                     });
  return computed && plain ? text : in_double_quotes(text);
}

// A piece of a text and what stands there instead.
struct Change {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string text;
};

// The formula in place of the number at `node`; nothing where the text there is not the node's.
std::optional<Change> change_at(const std::string& text, const std::vector<std::size_t>& lines, const YamlNode& node,
                                const std::string& formula) {
  const std::size_t at = lines[to_index(node.line - 1)] + to_index(node.column - 1);
  const std::string there = node.quoted ? in_double_quotes(node.scalar) : node.scalar;
  // A number that YAML folded or escaped stands there in other characters.
  if (text.compare(at, there.size(), there) != 0) return std::nullopt;
  return Change{at, there.size(), node.quoted ? in_double_quotes(formula) : yaml_formula(formula)};
}

// Of a law that cannot be read: a name in it that is nearly, or not at all, one of the file's.
std::optional<Error> misspelt_name(const NativeContext& context, const YamlNode& node, std::string_view what) {
  const std::string& written = node.scalar;
  std::vector<std::string> tables;
  for (const model::NamedTable& table : context.tables) tables.push_back(table.name);
  Constants known = context.constants;
  for (const std::string& table : tables) known.names.push_back({table, 0});
  const std::optional<std::string> name = unknown_name(known, written);
  if (!name || *name == "t" || known.names.empty()) return std::nullopt;
  return Error{ErrorCode::kName,
               fmt::format("{}: {} in {} is no constant{}{}", what, in_quotes(*name), in_quotes(written),
                           tables.empty() ? "" : " and no table", advice(known, *name)),
               context.where(node)};
}

// `text` with the numbers of the constants in place of their names; `t` stays.
std::string with_numbers(const Constants& constants, std::string_view text) {
  std::string numbers;
  for (const Token& token : tokens_of(text)) {
    const model::NamedNumber* name = token.name && token.text != "t" ? find_name(constants.names, token.text) : nullptr;
    // In brackets: a negative number behind a minus sign, or under a power.
    numbers += name != nullptr ? fmt::format("({})", number_text(name->value)) : std::string(token.text);
  }
  return numbers;
}

}  // namespace

bool is_formula_name(const std::string& name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_name_part);
}

// A constant called pi or sin would change what formulas mean.
bool is_taken_name(const std::string& name) {
  return model::is_expression_word(name) || name == "nan" || name == "inf";
}

void Constants::use(std::string_view text, bool law) {
  for (const Token& token : tokens_of(text)) {
    if (!token.name || (law && token.text == "t")) continue;
    if (const model::NamedNumber* name = find_name(names, token.text)) used[to_index(name - names.data())] = true;
  }
}

std::vector<model::NamedNumber> Constants::of_laws() const {
  std::vector<model::NamedNumber> others = names;
  std::erase_if(others, [](const model::NamedNumber& name) { return name.name == "t"; });
  return others;
}

std::vector<std::string> Constants::known() const {
  std::vector<std::string> all;
  for (const model::NamedNumber& name : names) all.push_back(name.name);
  return all;
}

void read_constants(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  if (node.kind == Kind::kNull) return;
  if (node.kind != Kind::kMap) {
    context.fail(ErrorCode::kType, node,
                 fmt::format("`constants` must be a map {{name: number}}, not {}", describe(node)));
  }
  if (node.entries.size() > kMostConstants) {
    context.fail(ErrorCode::kLimit, node,
                 fmt::format("{} constants; a model has at most {}", node.entries.size(), kMostConstants));
  }
  for (const YamlEntry& entry : node.entries) {
    if (context.failed() || refuse_name(context, entry) || refuse_order(context, node, entry)) return;
    const bool plain = parse_number(entry.value.scalar).has_value();
    const double value = context.number(entry.value, fmt::format("constant {}", in_quotes(entry.key)), kNone);
    if (context.failed()) return;
    spec.constants.push_back({entry.key, plain ? "" : entry.value.scalar, value, {context.file, entry.line, 0}});
    context.constants.names.push_back({entry.key, value});
    context.constants.used.push_back(false);
  }
  // Constants are written back by themselves.
  context.constants.formulas.clear();
}

std::optional<double> read_formula(NativeContext& context, const YamlNode& node, std::string_view what) {
  const bool number = parse_number(node.scalar).has_value();
  if (node.kind != Kind::kScalar || number || !looks_like_formula(context.constants, node.scalar)) return std::nullopt;
  return evaluate_formula(context, node, what);
}

void keep_formula(NativeContext& context, const YamlNode& node, double value, double scale) {
  const std::string text = scale == 1 ? node.scalar : fmt::format("({})*{}", node.scalar, number_text(scale));
  // The brackets may be one level too deep.
  if (scale != 1 && !model::parse_expression(text, {}, context.constants.names)) return;
  context.constants.formulas.push_back({&node, text, number_text(value * scale), context.where(node)});
}

model::Expression read_law(NativeContext& context, const YamlNode& node, std::string_view what, double scale) {
  const std::string& written = node.scalar;
  Constants& constants = context.constants;
  const auto scaled = [scale](const std::string& text) {
    return scale == 1 ? text : fmt::format("({})*{}", text, number_text(scale));
  };
  // The user's own text first: its columns are the ones to report.
  Result<model::Expression> value =
      model::parse_expression(written, context.where(node), constants.of_laws(), context.tables);
  const std::string numbers = with_numbers(constants, written);
  // The scaled text is parsed again, so that a law holds its unit in the expression and has no factor beside it.
  if (value && scaled(numbers) != written)
    value = model::parse_expression(scaled(numbers), context.where(node), {}, context.tables);
  if (!value) {
    const std::optional<Error> misspelt = misspelt_name(context, node, what);
    context.fail(misspelt.value_or(value.error()));
    return {};
  }
  constants.law_uses_time = constants.law_uses_time || !model::is_constant(*value);
  constants.use(written, true);
  if (numbers != written) constants.formulas.push_back({&node, scaled(written), scaled(numbers), context.where(node)});
  return *std::move(value);
}

void finish_constants(const NativeContext& context, const YamlNode& root, model::ModelSpec& spec) {
  const Constants& constants = context.constants;
  if (!constants.formulas.empty()) FormulaPaths(constants.formulas, spec.formulas).walk(root);
  for (std::size_t k = 0; k < constants.names.size(); ++k) {
    const model::ConstantSpec& constant = spec.constants[k];
    if (constant.name == "t" && constants.law_uses_time) {
      spec.notes.push_back(
          {"`t` is the time in forces and motions, and the constant 't' everywhere else; call the "
           "constant otherwise to use it there",
           constant.where});
    }
    if (constants.used[k]) continue;
    spec.notes.push_back({fmt::format("constant {} is used by no number", in_quotes(constant.name)), constant.where});
  }
}

std::optional<double> number_in(const YamlNode& root, const YamlNode& node) {
  if (node.kind != Kind::kScalar) return std::nullopt;
  if (!node.quoted) {
    if (const std::optional<double> plain = parse_number(node.scalar)) return plain;
  }
  NativeContext context;
  model::ModelSpec spec;
  if (const YamlNode* constants = root.find("constants")) read_constants(context, *constants, spec);
  const std::optional<double> value = context.failed() ? std::nullopt : read_formula(context, node, "");
  return context.failed() ? std::nullopt : value;
}

std::string put_formulas(std::string text, const std::vector<model::FormulaSpec>& formulas) {
  if (formulas.empty()) return text;
  const Result<YamlNode> root = parse_yaml(text, "");
  if (!root) return text;
  std::vector<std::size_t> lines = {0};
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\n') lines.push_back(k + 1);
  }
  std::vector<Change> changes;
  for (const model::FormulaSpec& formula : formulas) {
    const YamlNode* node = node_at(*root, formula.path);
    if (node == nullptr || !stands_there(*node, formula.without)) continue;
    if (std::optional<Change> change = change_at(text, lines, *node, formula.text)) changes.push_back(*change);
  }
  // From the end to the start, so that places further up stay where the parser saw them.
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at > b.at; });
  // Both ends of a beam may be one number: the first formula says it.
  const auto same = [](const Change& a, const Change& b) { return a.at == b.at; };
  changes.erase(std::unique(changes.begin(), changes.end(), same), changes.end());
  for (const Change& change : changes) text.replace(change.at, change.length, change.text);
  return text;
}

}  // namespace espalier::formats::detail
