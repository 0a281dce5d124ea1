#include "espalier/formats/detail/usda_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/usda_lexer.hpp"

namespace espalier::formats::detail {
namespace {

// Prims in prims, and brackets in brackets: each is one level of recursion.
constexpr int kDeepest = 200;
constexpr std::size_t kLongestName = 1000;

constexpr std::array<std::string_view, 5> kListWords = {"prepend", "append", "add", "delete", "reorder"};

bool is_list_word(std::string_view word) {
  return std::find(kListWords.begin(), kListWords.end(), word) != kListWords.end();
}

std::optional<UsdSpecifier> find_specifier(std::string_view word) {
  if (word == "def") return UsdSpecifier::kDef;
  if (word == "over") return UsdSpecifier::kOver;
  if (word == "class") return UsdSpecifier::kClass;
  return std::nullopt;
}

class UsdaParser {
 public:
  UsdaParser(std::string_view text, const std::string& file) : lexer_(text, file) {}

  Result<std::unique_ptr<UsdPrim>> parse() {
    auto root = std::make_unique<UsdPrim>();
    root->line = 1;
    if (at_sign('(')) metadata(*root);
    // The file itself is a body of prims without braces.
    while (lexer_.peek().kind != UsdaKind::kEnd) statement(*root, 0);
    if (lexer_.error()) return tl::unexpected(*lexer_.error());
    return root;
  }

 private:
  bool failed() const { return lexer_.error().has_value(); }
  bool at_sign(char sign) const { return lexer_.peek().kind == UsdaKind::kSign && lexer_.peek().text[0] == sign; }
  bool take_sign(char sign) {
    if (!at_sign(sign)) return false;
    lexer_.take();
    return true;
  }

  void expected(std::string_view what) {
    const UsdaToken& found = lexer_.peek();
    const std::string word = found.kind == UsdaKind::kEnd ? "the end of the file" : in_quotes(found.text);
    lexer_.fail(ErrorCode::kSyntax, found.line, fmt::format("{} is expected here, not {}", what, word));
  }
  void expect_sign(char sign) {
    if (!take_sign(sign)) expected(fmt::format("'{}'", sign));
  }
  UsdaToken expect(UsdaKind kind, std::string_view what) {
    if (lexer_.peek().kind != kind) expected(what);
    return lexer_.take();
  }

  bool too_deep(int depth) {
    if (depth <= kDeepest) return false;
    lexer_.fail(ErrorCode::kLimit, lexer_.peek().line,
                fmt::format("nested deeper than {} levels; flatten the file", kDeepest));
    return true;
  }

  // What stands in the braces of a prim.
  void statement(UsdPrim& prim, int depth) {
    const UsdaToken& front = lexer_.peek();
    if (front.kind != UsdaKind::kWord) return expected("a prim or an attribute");
    if (find_specifier(front.text)) return child(prim, depth + 1);
    // Kept as metadata, so that the stage can refuse it with its line.
    if (front.text == "variantSet") return variants(prim);
    if (front.text == "reorder") return reorder();
    // The layer itself has prims and no attributes.
    if (prim.parent == nullptr && prim.name.empty()) return expected("`def`, `over` or `class`");
    property(prim);
    // Line ends separate statements as well, and are no words here.
    while (take_sign(';')) continue;
  }

  void child(UsdPrim& parent, int depth) {
    if (too_deep(depth)) return;
    auto prim = std::make_unique<UsdPrim>();
    prim->parent = &parent;
    prim->line = lexer_.peek().line;
    prim->specifier = *find_specifier(lexer_.take().text);
    if (lexer_.peek().kind == UsdaKind::kWord) prim->type = lexer_.take().text;
    prim->name = expect(UsdaKind::kString, "the name of a prim in quotes").text;
    if (failed() || !check_name(parent, *prim)) return;
    if (at_sign('(')) metadata(*prim);
    // Now, and not where it is asked for: readers of bodies, shapes and joints all look for schemas.
    prim->apis = apply_schemas(prim->metadata);
    expect_sign('{');
    while (!failed() && !take_sign('}')) statement(*prim, depth);
    parent.by_name.emplace(prim->name, prim.get());
    parent.children.push_back(std::move(prim));
  }

  bool check_name(const UsdPrim& parent, const UsdPrim& prim) {
    const auto wrong = [&](ErrorCode code, std::string message) {
      lexer_.fail(code, prim.line, std::move(message));
      return false;
    };
    // Paths are made of names, so that none may hold a slash.
    if (prim.name.empty() || prim.name.find('/') != std::string::npos) {
      return wrong(ErrorCode::kName, fmt::format("{} is no name for a prim", in_quotes(prim.name)));
    }
    if (prim.name.size() > kLongestName) {
      return wrong(ErrorCode::kLimit, fmt::format("the name of this prim is longer than {} bytes", kLongestName));
    }
    const auto twin = parent.by_name.find(prim.name);
    if (twin == parent.by_name.end()) return true;
    return wrong(ErrorCode::kName, fmt::format("a prim {} stands beside this one already, in line {}; rename one",
                                               in_quotes(prim.name), twin->second->line));
  }

  // List operations leave their lists behind each other; what is deleted is not there.
  static std::vector<std::string> apply_schemas(const std::map<std::string, UsdProperty, std::less<>>& metadata) {
    std::vector<std::string> all;
    for (const char* key : {"apiSchemas", "prepend apiSchemas", "add apiSchemas", "append apiSchemas"}) {
      const auto found = metadata.find(std::string_view(key));
      if (found == metadata.end()) continue;
      all.insert(all.end(), found->second.value.texts.begin(), found->second.value.texts.end());
    }
    return all;
  }

  // ( key = value ... ), with a comment in quotes at will.
  void metadata(UsdPrim& prim) {
    expect_sign('(');
    while (!failed() && !take_sign(')')) {
      if (lexer_.peek().kind == UsdaKind::kString) {
        lexer_.take();
        continue;
      }
      if (take_sign(';') || take_sign(',')) continue;
      const UsdaToken front = expect(UsdaKind::kWord, "a key of metadata or ')'");
      std::string key = front.text;
      // `prepend references` and `delete references` say opposite things of one key.
      if (is_list_word(key)) key += " " + expect(UsdaKind::kWord, "a key of metadata").text;
      expect_sign('=');
      UsdProperty entry;
      entry.line = front.line;
      entry.given = true;
      value(entry.value, 1, true);
      prim.metadata.insert_or_assign(std::move(key), std::move(entry));
    }
  }

  // Metadata of an attribute: how it is shown, and nothing of mechanics.
  void skip_metadata() {
    if (!at_sign('(')) return;
    UsdPrim nobody;
    metadata(nobody);
  }

  // `arc`: a file name may have a path in it and an offset in time behind it.
  void value(UsdValue& into, int depth, bool arc) {
    if (too_deep(depth)) return;
    if (at_sign('{')) return skip_braces();
    if (at_sign('(') || at_sign('[')) return values(into, depth, arc);
    const UsdaToken token = lexer_.take();
    switch (token.kind) {
      case UsdaKind::kNumber:
        into.numbers.push_back(token.number);
        break;
      case UsdaKind::kWord:
        // Blocked: as if nothing had been written here, nor in a layer below.
        if (token.text == "None") {
          into.blocked = true;
          break;
        }
        [[fallthrough]];
      case UsdaKind::kString:
      case UsdaKind::kAsset:
      case UsdaKind::kPath:
        into.texts.push_back(token.text);
        if (!arc || (token.kind != UsdaKind::kAsset && token.kind != UsdaKind::kPath)) break;
        if (lexer_.peek().kind == UsdaKind::kPath) lexer_.take();
        skip_metadata();
        break;
      case UsdaKind::kEnd:
      case UsdaKind::kSign:
        lexer_.fail(ErrorCode::kSyntax, token.line, "a value is expected here");
    }
  }

  void values(UsdValue& into, int depth, bool arc) {
    const char end = lexer_.take().text == "(" ? ')' : ']';
    while (!failed() && !take_sign(end)) {
      value(into, depth + 1, arc);
      // A comma may stand behind the last value.
      if (!take_sign(',') && !at_sign(end)) return expected(fmt::format("',' or '{}'", end));
    }
  }

  // Dictionaries and values over time: their words are read and forgotten.
  void skip_braces() {
    const int line = lexer_.peek().line;
    int open = 0;
    do {
      if (lexer_.peek().kind == UsdaKind::kEnd) {
        return lexer_.fail(ErrorCode::kSyntax, line, "a '{' that stands here is not closed; close it with '}'");
      }
      // Counted and not recursed into: a dictionary may be as deep as it likes.
      open += at_sign('{') ? 1 : at_sign('}') ? -1 : 0;
      lexer_.take();
    } while (open > 0);
  }

  void variants(UsdPrim& prim) {
    UsdProperty entry;
    entry.line = lexer_.take().line;
    entry.given = true;
    entry.value.texts.push_back(expect(UsdaKind::kString, "the name of a variant set in quotes").text);
    expect_sign('=');
    if (!failed() && !at_sign('{')) return expected("'{'");
    if (!failed()) skip_braces();
    prim.metadata.insert_or_assign("variantSet", std::move(entry));
  }

  // An order to show things in.
  void reorder() {
    lexer_.take();
    expect(UsdaKind::kWord, "a list");
    expect_sign('=');
    UsdValue nothing;
    value(nothing, 1, false);
  }

  // [list word] [custom] [uniform] type name[.part] [= value] [(metadata)]
  void property(UsdPrim& prim) {
    UsdaToken type = lexer_.take();
    const bool deletes = type.text == "delete";
    // In the order of the grammar, each at most once.
    for (const std::string_view word : {"", "custom", "uniform", "varying", "config"}) {
      if (word.empty() ? is_list_word(type.text) : type.text == word) type = expect(UsdaKind::kWord, "a type");
    }
    if (take_sign('[')) {
      expect_sign(']');
      type.text += "[]";
    }
    const UsdaToken name = expect(UsdaKind::kWord, "the name of an attribute");
    const std::string part = take_sign('.') ? expect(UsdaKind::kWord, "a part of an attribute").text : "";
    UsdProperty read;
    if (take_sign('=')) {
      // `a.connect = ...` and `a.timeSamples = ...` give the attribute itself no value.
      read.given = part.empty();
      read.sampled = part == "timeSamples" || part == "spline";
      value(read.value, 1, false);
    }
    skip_metadata();
    if (failed() || deletes) return;
    UsdProperty& property = prim.properties.try_emplace(name.text).first->second;
    if (property.given && read.given) {
      return lexer_.fail(
          ErrorCode::kName, name.line,
          fmt::format("{} is given twice, first in line {}; keep one", in_quotes(name.text), property.line));
    }
    // The line of the value, where messages about it should lead.
    if (property.line == 0 || read.given) property.line = name.line;
    property.type = type.text;
    property.sampled = property.sampled || read.sampled;
    if (!read.given) return;
    property.given = true;
    property.value = std::move(read.value);
  }

  UsdaLexer lexer_;
};

}  // namespace

std::string usd_path(const UsdPrim& prim) {
  std::string path;
  for (const UsdPrim* at = &prim; at->parent != nullptr; at = at->parent) path.insert(0, "/" + at->name);
  return path;
}

Result<std::unique_ptr<UsdPrim>> parse_usda(std::string_view text, const std::string& file) {
  return UsdaParser(text, file).parse();
}

}  // namespace espalier::formats::detail
