#include "espalier/formats/variants.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/native_constants.hpp"
#include "espalier/formats/detail/yaml.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::formats {
namespace {

using detail::YamlNode;
using Kind = YamlNode::Kind;

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    // A dot parts the path: names with one in them are reached by their place in the list.
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

const YamlNode* name_of(const YamlNode& node) {
  const YamlNode* name = node.kind == Kind::kMap ? node.find("name") : nullptr;
  return name != nullptr && name->kind == Kind::kScalar ? name : nullptr;
}

// The item of a list that a number names; nothing where there is none of that number.
std::optional<std::size_t> place_in(const YamlNode& list, const std::string& part) {
  std::size_t place = 0;
  const char* end = part.data() + part.size();
  // The whole word: "2nd" is a name and no place.
  const auto parsed = std::from_chars(part.data(), end, place);
  const bool whole = !part.empty() && parsed.ec == std::errc() && parsed.ptr == end;
  return whole && place < list.items.size() ? std::optional(place) : std::nullopt;
}

YamlNode number_node(double value) {
  YamlNode node;
  node.kind = Kind::kScalar;
  // As a text, which the reader takes for the same double.
  node.scalar = number_text(value);
  return node;
}

YamlNode zeros(std::size_t count) {
  YamlNode node;
  node.kind = Kind::kList;
  node.items.assign(count, number_node(0));
  return node;
}

// -9.81 m/s^2 in the units of the file.
YamlNode default_gravity(const YamlNode& root) {
  YamlNode node = zeros(3);
  const YamlNode* units = root.find("units");
  const YamlNode* length = units != nullptr ? units->find("length") : nullptr;
  const double metres = length != nullptr ? detail::metres_per(length->scalar) : 1;
  node.items[2] = number_node(model::ModelSpec().gravity.z() / metres);
  return node;
}

// Coordinates of a joint of the file; none of what is no joint.
std::size_t freedom_of(const YamlNode& node) {
  const YamlNode* type = node.find("type");
  const std::optional<model::JointType> known =
      type != nullptr ? model::find_joint_type(type->scalar) : std::nullopt;
  return known ? to_index(model::joint_kind(*known).freedom) : 0;
}

// What a field that the file leaves out is, where numbers stand in it: `next` is how the path goes on.
std::optional<YamlNode> default_of(const YamlNode& node, const std::string& key, const std::string& next,
                                   bool is_root) {
  const auto one_of = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (is_root) return key == "gravity" ? std::optional(default_gravity(node)) : std::nullopt;
  if (one_of(key, {"linear", "angular", "position"})) return zeros(3);
  const bool is_map = (key == "velocity" && one_of(next, {"linear", "angular"})) ||
                      (key == "damping" && one_of(next, {"viscous", "kelvin_voigt"})) ||
                      (key == "pose" && next == "position");
  if (is_map) {
    YamlNode map;
    map.kind = Kind::kMap;
    return map;
  }
  const std::size_t freedom = freedom_of(node);
  if (freedom == 0 || !one_of(key, {"velocity", "stiffness", "damping", "rest", "friction", "armature"}))
    return std::nullopt;
  return zeros(freedom);
}

// A place on the way through the document, and how to go on from it.
class Walk {
 public:
  Walk(const std::string& path, const std::string& file) : path_(path), parts_(split_path(path)), file_(file) {}

  // The number, or the empty place of one that the file leaves out.
  Result<YamlNode*> find(YamlNode& root) {
    YamlNode* node = &root;
    while (at_ < parts_.size()) {
      node = node->kind == Kind::kMap ? into_map(*node) : node->kind == Kind::kList ? into_list(*node) : nullptr;
      if (node == nullptr) return tl::unexpected(problem());
    }
    // A map of one value is one value: forces.motor.torque.value and {value: ...}.
    // Null is the place of a number that the file leaves out.
    if (node->kind == Kind::kList || node->kind == Kind::kMap ||
        (node->kind == Kind::kScalar && !detail::number_in(root, *node))) {
      return make_error(ErrorCode::kType, {file_, node->line, 0},
                        fmt::format("{}: {} stands there, not a number", in_quotes(path_), describe(*node)));
    }
    return node;
  }

 private:
  // Names may hold dots themselves: the longest run of parts that is a key wins.
  template <class Find>
  YamlNode* longest(Find find) {
    for (std::size_t end = parts_.size(); end > at_; --end) {
      std::string key = parts_[at_];
      for (std::size_t k = at_ + 1; k < end; ++k) key += '.' + parts_[k];
      if (YamlNode* found = find(key)) {
        // The parts that made the key are used up.
        at_ = end;
        return found;
      }
    }
    return nullptr;
  }

  YamlNode* into_map(YamlNode& node) {
    YamlNode* found = longest([&](const std::string& key) -> YamlNode* {
      const auto entry = std::find_if(node.entries.begin(), node.entries.end(),
                                      [&](const detail::YamlEntry& candidate) { return candidate.key == key; });
      return entry == node.entries.end() ? nullptr : &entry->value;
    });
    if (found != nullptr) return found;
    // Kept for the message: what could have been meant here.
    known_.clear();
    for (const detail::YamlEntry& entry : node.entries) known_.push_back(entry.key);
    line_ = node.line;
    if (at_ + 1 < parts_.size() && !parts_[at_].empty()) {
      if (std::optional<YamlNode> made = default_of(node, parts_[at_], parts_[at_ + 1], at_ == 0))
        return add(node, *std::move(made));
    }
    // The last part may be a field that the file leaves at its default; the reader knows whether there is such a one.
    // A constant that the file does not have would be one that no number uses.
    if (at_ + 1 != parts_.size() || at_ == 0 || parts_[at_].empty() || parts_[0] == "constants") return nullptr;
    // An empty node: with() writes the number into it, and the reader refuses a field that does not exist.
    return add(node, {});
  }

  YamlNode* add(YamlNode& node, YamlNode value) {
    value.line = node.line;
    node.entries.push_back({parts_[at_], node.line, std::move(value)});
    ++at_;
    return &node.entries.back().value;
  }

  YamlNode* into_list(YamlNode& node) {
    YamlNode* found = longest([&](const std::string& key) -> YamlNode* {
      const auto item = std::find_if(node.items.begin(), node.items.end(), [&](const YamlNode& candidate) {
        const YamlNode* name = name_of(candidate);
        return name != nullptr && name->scalar == key;
      });
      return item == node.items.end() ? nullptr : &*item;
    });
    if (found != nullptr) return found;
    // Items without names go by their number, from 0.
    if (const std::optional<std::size_t> place = place_in(node, parts_[at_])) {
      ++at_;
      return &node.items[*place];
    }
    known_.clear();
    for (const YamlNode& item : node.items) {
      if (const YamlNode* name = name_of(item)) known_.push_back(name->scalar);
    }
    line_ = node.line;
    return nullptr;
  }

  Error problem() const {
    const std::string& part = parts_[std::min(at_, parts_.size() - 1)];
    std::string near = did_you_mean(part, known_);
    if (near.empty() && !known_.empty()) {
      // The sections of a file are few, and one of them is meant.
      near = at_ == 0 ? fmt::format("; its sections are {}", fmt::join(known_, ", "))
                      : fmt::format("; there is {}", in_quotes(known_.front()));
    }
    return {ErrorCode::kName,
            fmt::format("{}: nothing is called {} there{}", in_quotes(path_), in_quotes(part), near),
            {file_, line_, 0}};
  }

  const std::string& path_;
  std::vector<std::string> parts_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::string> known_;  // names at the place where the way ends
  int line_ = 0;
};

// `text` fits `pattern`, in which each * is any text. What stands between two stars is best found at its first place:
// no choice is ever taken back, however many stars there are.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  for (pattern.remove_prefix(star + 1); (star = pattern.find('*')) != std::string_view::npos;
       pattern.remove_prefix(star + 1)) {
    const std::size_t found = text.find(pattern.substr(0, star));
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + star);
  }
  return text.ends_with(pattern);
}

// The keys of a map; the names of a list, or the places where an item has none.
std::vector<std::pair<std::string, const YamlNode*>> children(const YamlNode& node) {
  std::vector<std::pair<std::string, const YamlNode*>> all;
  for (const detail::YamlEntry& entry : node.entries) all.emplace_back(entry.key, &entry.value);
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const YamlNode* name = name_of(node.items[k]);
    all.emplace_back(name != nullptr ? name->scalar : std::to_string(k), &node.items[k]);
  }
  return all;
}

// Replaces the parts with a * from `at` on, one after the other.
void expand(const YamlNode& node, std::vector<std::string>& parts, std::size_t at, std::vector<std::string>& paths) {
  if (at == parts.size()) {
    paths.push_back(fmt::format("{}", fmt::join(parts, ".")));
    return;
  }
  const std::string part = parts[at];
  bool found = false;
  for (const auto& [name, child] : children(node)) {
    if (!fits(part, name)) continue;
    found = true;
    parts[at] = name;
    expand(*child, parts, at + 1, paths);
  }
  // The pattern again: callers go through its other children with it.
  parts[at] = part;
  if (found || part.find('*') != std::string::npos) return;
  // A place in a list of named items, or a field that the file leaves out.
  if (const std::optional<std::size_t> place = place_in(node, part)) {
    return expand(node.items[*place], parts, at + 1, paths);
  }
  // The field is absent here and may exist in the format: find() decides.
  if (at + 1 == parts.size() && node.kind == Kind::kMap) expand(node, parts, at + 1, paths);
}

}  // namespace

ModelVariants::ModelVariants(std::shared_ptr<const YamlNode> root, std::string name)
    : root_(std::move(root)), name_(std::move(name)) {}

Result<ModelVariants> ModelVariants::read_text(std::string_view text, const std::string& name,
                                               const ReadOptions& options) {
  // Read as a model first: what is wrong with it is said in the words of its format.
  const Result<model::ModelSpec> spec = read_model_text(text, name, options);
  ESPALIER_TRY(spec);
  // A file of another format varies in its native form, which has a path for every number.
  std::string native(text);
  if (*detect_format(text, name) != Format::kNative) {
    Result<WrittenModel> written = write_model(*spec, Format::kNative);
    ESPALIER_TRY(written);
    native = std::move(written->text);
  }
  Result<YamlNode> root = detail::parse_yaml(native, name);
  ESPALIER_TRY(root);
  // What asks for variants is no part of them, and need not be read again with each.
  std::erase_if(root->entries, [](const detail::YamlEntry& entry) { return entry.key == "tune"; });
  ModelVariants variants(std::make_shared<const YamlNode>(*std::move(root)), name);
  // What was not read then is not read in any variant either.
  variants.notes_ = spec->notes;
  variants.tables_ = spec->tables;
  return variants;
}

Result<ModelVariants> ModelVariants::read(const std::filesystem::path& path, const ReadOptions& options) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  return read_text(*text, path.string(), options);
}

Result<model::ModelSpec> ModelVariants::with(std::span<const FieldValue> values) const {
  // A copy for each variant: runs may ask for theirs at the same time.
  YamlNode root = *root_;
  for (const FieldValue& field : values) {
    const bool is_pattern = field.path.find('*') != std::string::npos;
    // A pattern stands for every number that it fits.
    const Result<std::vector<std::string>> paths = is_pattern ? match(field.path) : std::vector{field.path};
    ESPALIER_TRY(paths);
    for (const std::string& path : *paths) {
      const Result<YamlNode*> node = Walk(path, name_).find(root);
      ESPALIER_TRY(node);
      (*node)->kind = Kind::kScalar;
      (*node)->quoted = false;
      (*node)->scalar = number_text(field.value);
    }
  }
  return detail::read_native_document(root, name_, tables_);
}

Result<std::optional<double>> ModelVariants::value(const std::string& path) const {
  YamlNode root = *root_;
  const Result<YamlNode*> node = Walk(path, name_).find(root);
  ESPALIER_TRY(node);
  return detail::number_in(root, **node);
}

Result<std::vector<std::string>> ModelVariants::match(const std::string& pattern) const {
  std::vector<std::string> paths = {pattern};
  if (pattern.find('*') != std::string::npos) {
    paths.clear();
    std::vector<std::string> parts = split_path(pattern);
    expand(*root_, parts, 0, paths);
    if (paths.empty()) {
      return make_error(ErrorCode::kName, {name_, 0, 0}, fmt::format("nothing fits {}", in_quotes(pattern)));
    }
  }
  for (const std::string& path : paths) {
    // Each path must lead to a number, or the mistake would show in the first run only.
    const Result<std::optional<double>> there = value(path);
    ESPALIER_TRY(there);
  }
  return paths;
}

}  // namespace espalier::formats
