#include "espalier/formats/formats.hpp"

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/formats.hpp"

namespace espalier::formats {
namespace {

// The name of the first XML element, past declaration, comments and white space; empty where the text is no XML.
std::string_view first_element(std::string_view text) {
  while (true) {
    // Past the byte order mark too, with which some editors begin a file.
    const std::size_t open = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (open == std::string_view::npos || text[open] != '<') return {};
    text.remove_prefix(open);
    const std::string_view end = text.starts_with("<!--") ? "-->"
                                 : text.starts_with("<?") ? "?>"
                                 : text.starts_with("<!") ? ">"
                                                          : "";
    if (end.empty()) return text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
    const std::size_t close = text.find(end);
    if (close == std::string_view::npos) return {};
    // Declarations and comments may come in any number before the first element.
    text.remove_prefix(close + end.size());
  }
}

}  // namespace

const char* format_name(Format format) {
  switch (format) {
    case Format::kNative:
      return "native";
    case Format::kUrdf:
      return "URDF";
    case Format::kSdf:
      return "SDF";
    case Format::kMjcf:
      return "MJCF";
    case Format::kUsd:
      return "USD";
  }
  return "";
}

std::optional<Format> find_format(std::string_view word) {
  // Endings are words too, so that a word and the name of a file go one way.
  if (word == "native" || word == "yaml" || word == "yml" || word == "json") return Format::kNative;
  if (word == "urdf") return Format::kUrdf;
  if (word == "sdf" || word == "world") return Format::kSdf;
  if (word == "mjcf" || word == "xml") return Format::kMjcf;
  if (word == "usda" || word == "usd") return Format::kUsd;
  return std::nullopt;
}

Result<Format> choose_format(const std::string& word, const std::filesystem::path& path) {
  // Without a word the ending decides, and without an ending our own format.
  const std::string ending = path.extension().string();
  const std::string name = !word.empty() ? word : !ending.empty() ? ending.substr(1) : "native";
  // A word that the user typed is refused like an ending that nobody knows.
  const std::optional<Format> format = find_format(name);
  if (format) return *format;
  return make_error(
      ErrorCode::kOption, {},
      fmt::format("no model format is called {}; there are native, urdf, sdf, mjcf and usda", in_quotes(name)));
}

bool is_graph_text(std::string_view text) {
  const std::string no_file;
  files::JsonScanner scanner(text, no_file);
  // Keys are read one by one up to the first that tells; lists before it are skipped without a tree of values.
  // Before any parser of ours: a graph of 10^6 edges is no YAML.
  if (!scanner.take('{')) return false;
  do {
    if (scanner.peek() != '"') return false;
    const std::optional<std::string_view> key = scanner.string();
    // A model may have a section of any name behind this key.
    if (!key || *key == "espalier") return false;
    if (*key == "vertices" || *key == "edges") return true;
    if (!scanner.take(':') || !scanner.skip()) return false;
  } while (scanner.take(','));
  return false;
}

Result<Format> detect_format(std::string_view text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) {
    return make_error(ErrorCode::kFormat, {name, 1, 0}, "the file is empty; a model has at least bodies and joints");
  }
  // Zero bytes: a compiled or zipped model, which would read as broken YAML.
  if (text.find('\0') != std::string_view::npos) {
    if (text.starts_with("PXR-USDC")) {
      return make_error(ErrorCode::kFormat, {name, 1, 0},
                        "not a text file but binary USD; write it as text by `usdcat -o model.usda`");
    }
    return make_error(ErrorCode::kFormat, {name, 1, 0},
                      "not a text file; I read native YAML or JSON, URDF, SDF, MJCF and USD as text");
  }
  // To YAML the first line of USD would be a comment.
  if (text.substr(first).starts_with("#usda ")) return Format::kUsd;
  // JSON is YAML too, so that everything that is no XML goes the same way.
  if (text[first] != '<') return Format::kNative;
  const std::string_view element = first_element(text);
  if (element == "robot") return Format::kUrdf;
  if (element == "sdf") return Format::kSdf;
  if (element == "mujoco" || element == "mujocoinclude") return Format::kMjcf;
  // Text that opens like XML but has no element: the parser finds the line of the mistake.
  if (element.empty()) return Format::kUrdf;
  return make_error(
      ErrorCode::kFormat, {name, 1, 0},
      fmt::format("an XML file that starts with <{}>: not a format I read; I read <robot> (URDF), <sdf> and "
                  "<mujoco> (MJCF)",
                  element.substr(0, 40)));
}

namespace {

Result<model::ModelSpec> read_as(Format format, std::string_view text, const std::string& name,
                                 const ReadOptions& options) {
  switch (format) {
    case Format::kNative:
      return detail::read_native(text, name);
    case Format::kUrdf:
      return detail::read_urdf(text, name, options);
    case Format::kSdf:
      return detail::read_sdf(text, name);
    case Format::kMjcf:
      return detail::read_mjcf(text, name);
    case Format::kUsd:
      return detail::read_usd(text, name);
  }
  return make_error(ErrorCode::kFormat, {name, 0, 0}, "not a format I read");
}

}  // namespace

Result<model::ModelSpec> read_model_text(std::string_view text, const std::string& name, const ReadOptions& options) {
  const Result<Format> format = detect_format(text, name);
  ESPALIER_TRY(format);
  // Refused and not passed over: the user expects it to do something.
  if (options.base && (*format == Format::kNative || *format == Format::kUsd)) {
    return tl::unexpected(
        Error{ErrorCode::kOption,
              fmt::format("`base` is for URDF, SDF and MJCF; this is a model of format {}, which says "
                          "itself how it stands",
                          format_name(*format)),
              {name, 0, 0},
              "base"});
  }
  if (!options.spherical.empty() && *format != Format::kUrdf) {
    return tl::unexpected(
        Error{ErrorCode::kOption,
              fmt::format("`spherical` is for URDF; this is a model of format {}, which has ball joints",
                          format_name(*format)),
              {name, 0, 0},
              "spherical"});
  }
  Result<model::ModelSpec> spec = read_as(*format, text, name, options);
  // Other formats hold moments that no body has; `check` tells of them. Only the native format has a word to allow
  // them.
  if (spec && *format != Format::kNative) spec->impossible_inertia_allowed = true;
  if (spec && (*format == Format::kSdf || *format == Format::kMjcf)) detail::set_base(*spec, options.base);
  return spec;
}

Result<model::ModelSpec> read_model(const std::filesystem::path& path, const ReadOptions& options) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  return read_model_text(*text, path.string(), options);
}

namespace {

WrittenModel write_as(Format format, const model::ModelSpec& spec, const model::Model& model,
                      const WriteOptions& options) {
  switch (format) {
    case Format::kNative:
      // From the spec and not the compiled model: each place comes back as its author gave it.
      return detail::write_native(spec, options.folder.value_or(std::filesystem::path()));
    case Format::kUrdf:
      return detail::write_urdf(model);
    case Format::kSdf:
      return detail::write_sdf(model);
    case Format::kMjcf:
      return detail::write_mjcf(model);
    case Format::kUsd:
      return detail::write_usd(model, options);
  }
  return {};
}

}  // namespace

Result<WrittenModel> write_model(const model::ModelSpec& spec, Format format, const WriteOptions& options) {
  // Compiled first: no format should carry a model that cannot be read back.
  const Result<model::Model> model = model::compile(spec);
  ESPALIER_TRY(model);
  return write_as(format, spec, *model, options);
}

}  // namespace espalier::formats
