#include "espalier/formats/tuning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/tuning_quantity.hpp"
#include "espalier/formats/detail/tuning_reader.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats {

Result<Tuning> read_tuning_text(std::string_view text, const std::string& name) {
  const auto nothing = [&](int line) {
    return tl::unexpected(Error{
        ErrorCode::kName,
        "there is no section `tune`",
        {name, line, 0},
        "study",
        "it says what varies and what is good (docs/file-formats.md), or stands in a file of its own: `study` FILE"});
  };
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  // XML has no such section; it is told before a parser calls it broken YAML.
  if (first == std::string_view::npos || text[first] == '<') return nothing(0);
  const Result<detail::YamlNode> root = detail::parse_yaml(text, name);
  ESPALIER_TRY(root);
  const detail::YamlNode* section = root->find("tune");
  if (section == nullptr && root->find("espalier") != nullptr) return nothing(std::max(root->line, 1));
  // Without `espalier` the file is a study of its own: all of it is the section.
  if (section == nullptr) section = &*root;
  // Without units: bounds of parameters are in those of the fields they replace.
  detail::NativeContext context;
  context.file = name;
  model::ModelSpec names;
  if (const detail::YamlNode* constants = root->find("constants")) detail::read_constants(context, *constants, names);
  Tuning tuning = detail::read_tuning_section(context, *section);
  if (context.failed()) return tl::unexpected(*context.error);
  return tuning;
}

Result<Tuning> read_tuning(const std::filesystem::path& path) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  Result<Tuning> tuning = read_tuning_text(*text, path.string());
  ESPALIER_TRY(tuning);
  const Result<void> tables = detail::read_goal_tables(*tuning, path.parent_path());
  ESPALIER_TRY(tables);
  return tuning;
}

}  // namespace espalier::formats
