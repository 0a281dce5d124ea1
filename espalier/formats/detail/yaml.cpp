#include "espalier/formats/detail/yaml.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <streambuf>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "espalier/base/text.hpp"

namespace espalier::formats::detail {
namespace {

// Deeper than any model; yaml-cpp itself recurses once a level.
constexpr std::size_t kDeepest = 64;
// What anchors keep and aliases bring may take, in all [bytes]: a value takes about 150 beside its text.
constexpr std::size_t kMostCopied = std::size_t{100} << 20;

// What a node takes in memory, with all it holds, and how many levels of lists and maps.
struct Extent {
  std::size_t bytes = 0;
  std::size_t levels = 0;
};

Extent extent_of(const YamlNode& node) {
  // The capacity and not the length: that is what the text takes.
  Extent total{sizeof(YamlNode) + node.scalar.capacity(), 0};
  const auto add = [&](const YamlNode& child) {
    const Extent part = extent_of(child);
    total.bytes += part.bytes;
    total.levels = std::max(total.levels, part.levels);
  };
  for (const YamlNode& item : node.items) add(item);
  for (const YamlEntry& entry : node.entries) {
    add(entry.value);
    // An entry holds its value's node, which was counted with the value.
    total.bytes += sizeof(YamlEntry) - sizeof(YamlNode) + entry.key.capacity();
  }
  const bool leaf = node.kind == YamlNode::Kind::kNull || node.kind == YamlNode::Kind::kScalar;
  total.levels += leaf ? 0 : 1;
  return total;
}

// Builds the tree from the parser's events. Thrown errors leave yaml-cpp the way its own do.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(YamlNode::Kind::kNull, mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    // The anchor gets its value when its node is closed; until then an alias to it would be endless.
    if (known == anchors_.end())
      stop(ErrorCode::kSyntax, mark, "an alias stands inside its own anchor; write the value out");
    // A short text of nested aliases could otherwise be deeper than any recursion that reads it.
    if (open_.size() + known->second.extent.levels > kDeepest) stop_too_deep(mark);
    count_copy(known->second.extent, mark.line + 1, mark.column + 1);
    add(known->second.node, YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(YamlNode::Kind::kScalar, mark);
    // yaml-cpp gives quoted texts the tag "!".
    node.quoted = tag == "!";
    node.scalar = value;
    // YAML writes "nothing" in several ways; in quotes each of them is a text.
    if (!node.quoted && (value.empty() || value == "~" || value == "null")) node.kind = YamlNode::Kind::kNull;
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<YamlNode> key;           // of a map: read, its value not yet
    // A set beside the list: looking through the entries would take the square of their number.
    std::unordered_set<std::string> keys;  // of a map
  };
  struct Anchor {
    YamlNode node;
    Extent extent;
  };

  [[noreturn]] void stop(ErrorCode code, const YAML::Mark& mark, std::string message) const {
    throw Error{code, std::move(message), {file_, mark.line + 1, mark.column + 1}};
  }

  [[noreturn]] void stop_too_deep(const YAML::Mark& mark) const {
    stop(ErrorCode::kLimit, mark,
         fmt::format("nested more than {} levels deep; no model is: check the brackets", kDeepest));
  }

  // Before the copy is made: a short file can ask for more memory than there is.
  void count_copy(const Extent& extent, int line, int column) {
    copied_ += extent.bytes;
    if (copied_ <= kMostCopied) return;
    throw Error{
        ErrorCode::kLimit, "aliases and anchors expand to more than 100 MiB; write fewer", {file_, line, column}};
  }

  static YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode node;
    node.kind = kind;
    // yaml-cpp counts from 0, editors from 1.
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return node;
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    // Here, while the parser still reads: afterwards its own recursion would be the limit.
    if (open_.size() >= kDeepest) stop_too_deep(mark);
    // The anchor waits until the list or map is closed and has its value.
    open_.push_back({make(kind, mark), anchor, std::nullopt, {}});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void add(YamlNode node, YAML::anchor_t anchor) {
    // An anchor's value is copied, since the tree owns each of its nodes.
    if (anchor != YAML::NullAnchor) {
      const Extent extent = extent_of(node);
      count_copy(extent, node.line, node.column);
      anchors_[anchor] = {node, extent};
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      take_key(parent, std::move(node));
    } else {
      // In the order of the file, which decides the order of what is named in it.
      parent.node.entries.push_back({parent.key->scalar, parent.key->line, std::move(node)});
      parent.key.reset();
    }
  }

  void take_key(Open& parent, YamlNode key) const {
    const Where where{file_, key.line, key.column};
    if (key.kind != YamlNode::Kind::kScalar)
      // YAML allows lists and maps as keys; no model has use for them.
      throw Error{ErrorCode::kType, "a key must be a word; found " + describe(key), where};
    if (!parent.keys.insert(key.scalar).second) {
      throw Error{ErrorCode::kName, fmt::format("the key {} stands twice in one map; keep one", in_quotes(key.scalar)),
                  where};
    }
    parent.key = std::move(key);
  }

  const std::string& file_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchor> anchors_;
  std::size_t copied_ = 0;  // [bytes]
};

// Reads the view in place; a string stream would copy it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    // streambuf wants a pointer it could write through; nothing writes here.
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

Error syntax_error(const std::string& file, const YAML::Exception& problem) {
  const int line = problem.mark.is_null() ? 1 : problem.mark.line + 1;
  return {ErrorCode::kSyntax,
          fmt::format("broken YAML: {}; check indentation, quotes and brackets up to this line", problem.msg),
          {file, line, problem.mark.is_null() ? 0 : problem.mark.column + 1}};
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  // Maps of a model have a dozen keys; a search through them needs no index.
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return in_quotes(node.scalar);
    case YamlNode::Kind::kList:
      return fmt::format("a list of {}", node.items.size());
    case YamlNode::Kind::kMap:
      return "a map";
  }
  return "";
}

Result<YamlNode> parse_yaml(std::string_view text, const std::string& file) {
  // yaml-cpp takes a quoted text for closed where only line ends follow it up to the end of the file.
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  ViewBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    TreeBuilder builder(file);
    if (!parser.HandleNextDocument(builder)) {
      return make_error(ErrorCode::kSyntax, {file, 1, 0}, "the file holds nothing but comments");
    }
    // The rest of the text is asked for: a second document would otherwise vanish in silence.
    YamlNode root = builder.take();
    TreeBuilder second(file);
    if (parser.HandleNextDocument(second)) {
      return make_error(ErrorCode::kSyntax, {file, second.take().line, 0},
                        "a second YAML document; a model file holds one");
    }
    return root;
  } catch (const Error& error) {
    // Thrown by the builder: an event cannot return one through yaml-cpp.
    return tl::unexpected(error);
  } catch (const YAML::Exception& problem) {
    return tl::unexpected(syntax_error(file, problem));
  }
}

}  // namespace espalier::formats::detail
