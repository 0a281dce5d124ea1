#include "espalier/formats/detail/mjcf_document.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats::detail {
namespace {

// Includes within includes; real files have two or three.
constexpr int kDeepestInclude = 16;

std::string normal_path(const std::filesystem::path& path) { return path.lexically_normal().string(); }

}  // namespace

MjcfDocument::MjcfDocument(std::string_view text, const std::string& name) {
  root_ = xml.parse(text, name);
  if (root_ == nullptr) return;
  // <mujocoinclude> is the root of a file that others include; MuJoCo's tools load such a file alone as well.
  if (std::string_view(root_->Name()) != "mujoco" && std::string_view(root_->Name()) != "mujocoinclude") {
    xml.fail(ErrorCode::kFormat, root_, fmt::format("an MJCF file starts with <mujoco>, not <{}>", root_->Name()));
    return;
  }
  folder_ = std::filesystem::path(name).parent_path().string();
  // The main file counts as included, so that a file that includes its own parent ends as well.
  files_.insert(normal_path(name));
  load_includes(root_, 0);
  if (xml.failed()) return;
  read_compiler();
  read_defaults();
}

void MjcfDocument::load_includes(const XMLElement* parent, int depth) {
  for (const XMLElement* child = parent->FirstChildElement(); child != nullptr && !xml.failed();
       child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) == "include") {
      include(child, depth);
    } else {
      // MuJoCo takes an <include> at any depth, so that every element is looked through.
      load_includes(child, depth);
    }
  }
}

// A file is sought beside the main file and may be included once, as MuJoCo has it; so a ring of includes ends too.
void MjcfDocument::include(const XMLElement* element, int depth) {
  const std::string file = xml.required_text(element, "file");
  if (xml.failed()) return;
  if (depth >= kDeepestInclude) {
    xml.fail(ErrorCode::kLimit, element, fmt::format("<include> nested more than {} deep", kDeepestInclude));
    return;
  }
  const std::filesystem::path path = std::filesystem::path(folder_) / file;
  if (!files_.insert(normal_path(path)).second) {
    xml.fail(ErrorCode::kTopology, element,
             fmt::format("{} is included a second time (or includes itself); include a file once", in_quotes(file)));
    return;
  }
  std::error_code code;
  // A pipe or a device could be read for ever.
  if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) {
    xml.fail(ErrorCode::kFile, element, fmt::format("cannot include {}: it is not a file", in_quotes(file)));
    return;
  }
  const Result<std::string> text = files::read_text_file(path);
  if (!text) {
    xml.fail(text.error().code, element,
             fmt::format("cannot include {}: {} (sought in the folder of the main file)", in_quotes(file),
                         text.error().message));
    return;
  }
  // Under its own name, so that mistakes in it name the included file.
  const XMLElement* root = xml.parse(*text, path.string());
  if (root == nullptr) return;
  included_[element] = root;
  load_includes(root, depth + 1);
}

void MjcfDocument::append_children(const XMLElement* parent, const char* name,
                                   std::vector<const XMLElement*>& all) const {
  for (const XMLElement* child = parent->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    // An include stands for the children of its root, not for the root: sections then read as if written in one file.
    const auto inside = included_.find(child);
    if (inside != included_.end()) {
      append_children(inside->second, name, all);
    } else if (name == nullptr || std::string_view(child->Name()) == name) {
      all.push_back(child);
    }
  }
}

std::vector<const XMLElement*> MjcfDocument::children(const XMLElement* parent, const char* name) const {
  std::vector<const XMLElement*> all;
  append_children(parent, name, all);
  return all;
}

void MjcfDocument::read_compiler() {
  for (const XMLElement* element : sections("compiler")) {
    const MjcfSource source{element, nullptr, ""};
    // A later <compiler> changes only what it names: each default is what the one before left.
    const std::string angle = text(source, "angle", compiler.degree ? "degree" : "radian");
    if (angle != "degree" && angle != "radian") {
      xml.fail(ErrorCode::kValue, element, fmt::format("angle={} must be degree or radian", in_quotes(angle)));
    }
    // MJCF's default unit is the degree, URDF's and SDF's the radian.
    compiler.degree = angle == "degree";
    if (text(source, "coordinate", "local") != "local") {
      xml.fail(ErrorCode::kUnsupported, element,
               "coordinate=\"global\" is not read; let MuJoCo save the model with local coordinates");
    }
    // Three letters: small ones turn about axes that move along, capitals about fixed ones.
    compiler.eulerseq = text(source, "eulerseq", compiler.eulerseq);
    if (compiler.eulerseq.size() != 3 || compiler.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos) {
      xml.fail(ErrorCode::kValue, element,
               fmt::format("eulerseq={} must be three of x y z X Y Z", in_quotes(compiler.eulerseq)));
      // Replaced by a valid sequence, so that code that runs before the failure is asked for can still use it.
      compiler.eulerseq = "xyz";
    }
    compiler.autolimits = *flag(source, "autolimits", compiler.autolimits);
    // flag() gives nothing both for an absent attribute and for "auto", so that presence is asked separately.
    const std::optional<bool> from_geom = flag(source, "inertiafromgeom", std::nullopt, true);
    if (element->Attribute("inertiafromgeom") != nullptr) {
      compiler.inertia_from_geom = !from_geom   ? MjcfCompiler::FromGeom::kAuto
                                   : *from_geom ? MjcfCompiler::FromGeom::kAlways
                                                : MjcfCompiler::FromGeom::kNever;
    }
    compiler.balance_inertia = *flag(source, "balanceinertia", compiler.balance_inertia);
    compiler.bound_mass = number(source, "boundmass", compiler.bound_mass);
    compiler.bound_inertia = number(source, "boundinertia", compiler.bound_inertia);
    compiler.total_mass = number(source, "settotalmass", compiler.total_mass);
    if (const auto range = numbers(source, "inertiagrouprange", 2, 2))
      compiler.group_range = {(*range)[0], (*range)[1]};
    // meshdir is the word for meshes alone, assetdir that for all files.
    for (const char* word : {"assetdir", "meshdir"}) {
      if (element->Attribute(word) != nullptr) compiler.mesh_folder = text(source, word);
    }
    compiler.strip_path = *flag(source, "strippath", compiler.strip_path);
    // Others of the last two rows say where textures lie and how meshes are prepared, which is not done here.
    only_attributes(element,
                    {"angle",          "coordinate",    "eulerseq",         "autolimits",   "inertiafromgeom",
                     "balanceinertia", "boundmass",     "boundinertia",     "settotalmass", "inertiagrouprange",
                     "meshdir",        "texturedir",    "assetdir",         "strippath",    "convexhull",
                     "usethread",      "discardvisual", "exactmeshinertia", "alignfree",    "saveinertial"});
    xml.only_children(element, {"lengthrange"});
  }
}

void MjcfDocument::read_defaults() {
  // A null entry is the main class, whatever the file calls it.
  classes_.try_emplace("main", nullptr);
  // All top classes are known before any is filled: a class name that appears twice at the top adds to the main class.
  for (const XMLElement* section : sections("default")) {
    if (const char* name = section->Attribute("class")) classes_.try_emplace(name, nullptr);
  }
  for (const XMLElement* section : sections("default")) read_class(section, main_);
}

// Attributes first, nested classes after, so that a nested class inherits all of its parent wherever it stands.
void MjcfDocument::read_class(const XMLElement* element, MjcfClass& into) {
  std::vector<const XMLElement*> nested;
  for (const XMLElement* child : children(element)) {
    if (std::string_view(child->Name()) == "default") {
      nested.push_back(child);
      continue;
    }
    // A class holds one set of defaults for each kind of element.
    auto& attributes = into.kinds[child->Name()];
    // Each attribute remembers the element that wrote it, so that an error points at the default, not at its user.
    for (const tinyxml2::XMLAttribute* a = child->FirstAttribute(); a != nullptr; a = a->Next()) {
      attributes.insert_or_assign(a->Name(), child);
    }
  }
  for (const XMLElement* child : nested) {
    const std::string name = xml.required_text(child, "class");
    if (xml.failed()) return;
    auto [entry, is_new] = classes_.try_emplace(name, nullptr);
    if (!is_new) {
      xml.fail(ErrorCode::kName, child, fmt::format("two default classes are named {}; rename one", in_quotes(name)));
      return;
    }
    entry->second = std::make_unique<MjcfClass>();
    MjcfClass* made = entry->second.get();
    // What a class does not say, its parent does.
    made->parent = &into;
    read_class(child, *made);
  }
}

const MjcfClass* MjcfDocument::find_class(const XMLElement* element, const std::string& name) {
  const auto entry = classes_.find(name);
  if (entry != classes_.end()) return entry->second == nullptr ? &main_ : entry->second.get();
  std::vector<std::string> names;
  for (const auto& [known, unused] : classes_) names.push_back(known);
  xml.fail(ErrorCode::kName, element,
           fmt::format("<{}> names an unknown default class {}{}", element->Name(), in_quotes(name),
                       did_you_mean(name, names)));
  // A failure is on record; the main class only keeps callers free of null pointers.
  return &main_;
}

MjcfSource MjcfDocument::source(const XMLElement* element, const MjcfClass* inherited, const char* kind) {
  // `class` on the element wins over the childclass that its surroundings hand down.
  const char* named = element->Attribute("class");
  const MjcfClass* defaults = named != nullptr ? find_class(element, named) : inherited;
  return {element, defaults == nullptr ? &main_ : defaults, kind == nullptr ? element->Name() : kind};
}

const XMLElement* MjcfDocument::holder(const MjcfSource& source, const char* attribute) const {
  // The order of precedence of MJCF: the element itself, its class, then the parents of that class up to main.
  if (source.element->Attribute(attribute) != nullptr) return source.element;
  for (const MjcfClass* c = source.defaults; c != nullptr; c = c->parent) {
    const auto kind = c->kinds.find(std::string_view(source.kind));
    if (kind == c->kinds.end()) continue;
    const auto found = kind->second.find(std::string_view(attribute));
    if (found != kind->second.end()) return found->second;
  }
  return nullptr;
}

std::string MjcfDocument::text(const MjcfSource& source, const char* attribute, std::string_view otherwise) const {
  const XMLElement* element = holder(source, attribute);
  return element == nullptr ? std::string(otherwise) : xml.text(element, attribute);
}

double MjcfDocument::number(const MjcfSource& source, const char* attribute, double otherwise) {
  const XMLElement* element = holder(source, attribute);
  return element == nullptr ? otherwise : xml.required_number(element, attribute);
}

Eigen::Vector3d MjcfDocument::vector(const MjcfSource& source, const char* attribute,
                                     const Eigen::Vector3d& otherwise) {
  const XMLElement* element = holder(source, attribute);
  return element == nullptr ? otherwise : xml.vector(element, attribute, otherwise);
}

std::optional<std::vector<double>> MjcfDocument::numbers(const MjcfSource& source, const char* attribute,
                                                         std::size_t least, std::size_t most) {
  const XMLElement* element = holder(source, attribute);
  if (element == nullptr) return std::nullopt;
  std::optional<std::vector<double>> values = xml.optional_numbers(element, attribute);
  if (values && values->size() >= least && values->size() <= most) return values;
  const std::string count = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  xml.fail(ErrorCode::kType, element,
           fmt::format("{}={} in <{}> must be {} numbers", attribute, in_quotes(xml.text(element, attribute)),
                       element->Name(), count));
  // Callers index the list without asking again, so that a failed read still has the length they expect.
  return std::vector<double>(least, 0.0);
}

std::optional<bool> MjcfDocument::flag(const MjcfSource& source, const char* attribute, std::optional<bool> otherwise,
                                       bool may_be_auto) {
  const XMLElement* element = holder(source, attribute);
  if (element == nullptr) return otherwise;
  const std::string word = xml.text(element, attribute);
  if (word == "true") return true;
  if (word == "false") return false;
  if (may_be_auto && word == "auto") return std::nullopt;
  xml.fail(ErrorCode::kValue, element,
           fmt::format("{}={} in <{}> must be true{} false", attribute, in_quotes(word), element->Name(),
                       may_be_auto ? ", auto or" : " or"));
  return otherwise;
}

void MjcfDocument::only_attributes(const XMLElement* element, std::span<const std::string_view> known) {
  // What is unknown is counted, not reported on the spot: a robot of a hundred geoms gives one note, with its number.
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (std::find(known.begin(), known.end(), a->Name()) == known.end()) count_unread(element, a->Name());
  }
}

void MjcfDocument::only_default_attributes(const char* kind, std::span<const std::string_view> known) {
  const auto look = [&](const MjcfClass& c) {
    const auto found = c.kinds.find(std::string_view(kind));
    if (found == c.kinds.end()) return;
    for (const auto& [attribute, element] : found->second) {
      if (std::find(known.begin(), known.end(), attribute) == known.end()) count_unread(element, attribute);
    }
  };
  // Every class once, also those that no element uses.
  look(main_);
  for (const auto& [name, c] : classes_) {
    if (c != nullptr) look(*c);
  }
}

void MjcfDocument::count_unread(const XMLElement* element, std::string_view attribute) {
  Unread& unread = unread_[{element->Name(), std::string(attribute)}];
  if (unread.count++ == 0) unread.first = element;
  const std::string name(attribute);
  model::NoteKind kind = unread_attribute(element->Name(), attribute, xml.text(element, name.c_str()));
  // The note carries the worst effect that any of the uses has.
  kind.effect = std::max(kind.effect, unread.kind.effect);
  unread.kind = std::move(kind);
}

std::vector<model::Note> MjcfDocument::take_notes() {
  for (const auto& [key, unread] : unread_) {
    const std::string times = unread.count == 1 ? "" : fmt::format(" ({} times)", unread.count);
    xml.note(unread.first, fmt::format("{} of <{}>: not read{}", in_quotes(key.second), key.first, times),
             unread.kind.word, unread.kind.effect);
  }
  // Taken once: a second call must not say the same again.
  unread_.clear();
  return xml.notes();
}

}  // namespace espalier::formats::detail
