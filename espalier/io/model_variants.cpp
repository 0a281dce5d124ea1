#include "espalier/io/model_variants.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/io/detail/formats.hpp"
#include "espalier/io/detail/yaml.hpp"

namespace espalier::io {
namespace {

using detail::YamlNode;
using Kind = YamlNode::Kind;

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
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

// A place on the way through the document, and how to go on from it.
class Walk {
 public:
  Walk(const FieldValue& field, const std::string& file) : field_(field), parts_(split_path(field.path)), file_(file) {}

  Result<void> set(YamlNode& root) {
    YamlNode* node = &root;
    while (at_ < parts_.size()) {
      node = node->kind == Kind::kMap ? into_map(*node) : node->kind == Kind::kList ? into_list(*node) : nullptr;
      if (node == nullptr) return tl::unexpected(problem());
    }
    // A map of one value is one value: forces.motor.torque.value and {value: ...}.
    if (node->kind == Kind::kList || node->kind == Kind::kMap || (node->kind == Kind::kScalar && !is_number(*node))) {
      return make_error(ErrorCode::kType, {file_, node->line, 0},
                        fmt::format("{}: {} stands there, not a number", in_quotes(field_.path), describe(*node)));
    }
    node->kind = Kind::kScalar;
    node->quoted = false;
    node->scalar = number_text(field_.value);
    return {};
  }

 private:
  static bool is_number(const YamlNode& node) { return !node.quoted && parse_number(node.scalar).has_value(); }

  // Names may hold dots themselves: the longest run of parts that is a key wins.
  template <class Find>
  YamlNode* longest(Find find) {
    for (std::size_t end = parts_.size(); end > at_; --end) {
      std::string key = parts_[at_];
      for (std::size_t k = at_ + 1; k < end; ++k) key += '.' + parts_[k];
      if (YamlNode* found = find(key)) {
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
    known_.clear();
    for (const detail::YamlEntry& entry : node.entries) known_.push_back(entry.key);
    line_ = node.line;
    // The last part may be a field that the file leaves at its default; the reader knows whether there is such a one.
    if (at_ + 1 != parts_.size() || at_ == 0 || parts_[at_].empty()) return nullptr;
    detail::YamlEntry entry{parts_[at_], node.line, {}};
    entry.value.line = node.line;
    node.entries.push_back(std::move(entry));
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
    std::size_t place = 0;
    const std::string& part = parts_[at_];
    const auto parsed = std::from_chars(part.data(), part.data() + part.size(), place);
    if (!part.empty() && parsed.ptr == part.data() + part.size() && place < node.items.size()) {
      ++at_;
      return &node.items[place];
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
    if (near.empty() && !known_.empty()) near = fmt::format("; there is {}", in_quotes(known_.front()));
    return {ErrorCode::kName,
            fmt::format("{}: nothing is called {} there{}", in_quotes(field_.path), in_quotes(part), near),
            {file_, line_, 0}};
  }

  const FieldValue& field_;
  std::vector<std::string> parts_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::string> known_;  // names at the place where the way ends
  int line_ = 0;
};

}  // namespace

ModelVariants::ModelVariants(std::shared_ptr<const YamlNode> root, std::string name)
    : root_(std::move(root)), name_(std::move(name)) {}

Result<ModelVariants> ModelVariants::read_text(std::string_view text, const std::string& name,
                                               const ReadOptions& options) {
  // Read as a model first: what is wrong with it is said in the words of its format.
  const Result<model::ModelSpec> spec = read_model_text(text, name, options);
  ESPALIER_TRY(spec);
  std::string native(text);
  if (*detect_format(text, name) != Format::kNative) {
    Result<WrittenModel> written = write_model(*spec, Format::kNative);
    ESPALIER_TRY(written);
    native = std::move(written->text);
  }
  Result<YamlNode> root = detail::parse_yaml(native, name);
  ESPALIER_TRY(root);
  return ModelVariants(std::make_shared<const YamlNode>(*std::move(root)), name);
}

Result<ModelVariants> ModelVariants::read(const std::filesystem::path& path, const ReadOptions& options) {
  const Result<std::string> text = read_text_file(path);
  ESPALIER_TRY(text);
  return read_text(*text, path.string(), options);
}

Result<model::ModelSpec> ModelVariants::with(std::span<const FieldValue> values) const {
  YamlNode root = *root_;
  for (const FieldValue& field : values) {
    const Result<void> set = Walk(field, name_).set(root);
    ESPALIER_TRY(set);
  }
  return detail::read_native_document(root, name_);
}

}  // namespace espalier::io
