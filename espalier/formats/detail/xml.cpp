#include "espalier/formats/detail/xml.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/unread.hpp"

namespace espalier::formats::detail {
namespace {

// tinyxml2's ErrorStr repeats the code and the line; users want a sentence.
std::string syntax_message(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no XML element";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or is closed by another name than it was opened with";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element is not written as <name ...>";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text ends before its element is closed";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed by -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a CDATA section is not closed by ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <? ... ?> stands in the wrong place or is not closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply";
    default:
      return "the XML ends too early or has an element that is not closed";
  }
}

// tinyxml2 compares each attribute of an element with all before it: more than these would take minutes.
constexpr int kMostAttributes = 1000;

// The rest of `text` behind a tag that begins it; counts its attributes.
std::string_view after_tag(std::string_view text, int& attributes) {
  // Attributes may hold > in quotes.
  char quote = '\0';
  for (std::size_t k = 1; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != '\0') {
      // Only the sign that opened the text closes it.
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return text.substr(k + 1);
    } else {
      // Each attribute has one equals sign outside of quotes.
      attributes += c == '=' ? 1 : 0;
    }
  }
  return {};
}

std::string_view after(std::string_view text, std::string_view end) {
  const std::size_t at = text.find(end);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + end.size());
}

// The line of the first element with too many attributes, or 0.
int crowded_line(std::string_view text) {
  // The whole text stays at hand: a line is counted only once a mistake is found.
  const std::string_view all = text;
  for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<')) {
    text.remove_prefix(open);
    const char* begin = text.data();
    int attributes = 0;
    // What stands in comments and the like looks like tags and is none.
    text = text.starts_with("<!--")        ? after(text, "-->")
           : text.starts_with("<![CDATA[") ? after(text, "]]>")
           : text.starts_with("<?")        ? after(text, "?>")
                                           : after_tag(text, attributes);
    if (attributes <= kMostAttributes) continue;
    return static_cast<int>(1 + std::count(all.data(), begin, '\n'));
  }
  return 0;
}

// <kinematic>0</kinematic>, or a <velocity_decay> of which all parts are zero.
bool is_switched_off(const XMLElement* element) {
  const std::vector<const XMLElement*> parts = children(element);
  const std::string_view text = XmlReader::content(element);
  if (parts.empty()) return text == "false" || parse_number(text) == 0.0;
  return std::all_of(parts.begin(), parts.end(), is_switched_off);
}

}  // namespace

const XMLElement* XmlReader::parse(std::string_view text, const std::string& file) {
  // Before tinyxml2 sees the text, as it is its parser that would not come back.
  if (const int line = crowded_line(text); line > 0) {
    fail(Error{ErrorCode::kLimit,
               fmt::format("an element has more than {} attributes; no model needs so many", kMostAttributes),
               {file, line, 0}});
    return nullptr;
  }
  // Documents are kept as long as the reader: elements point into them.
  documents_.push_back(std::make_unique<tinyxml2::XMLDocument>());
  tinyxml2::XMLDocument& document = *documents_.back();
  // By document: one reader may hold a file with all that it includes.
  files_[&document] = file;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    const ErrorCode code =
        document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED ? ErrorCode::kLimit : ErrorCode::kSyntax;
    fail(Error{code, syntax_message(document) + "; mend the XML there", {file, document.ErrorLineNum(), 0}});
    return nullptr;
  }
  // A text of comments alone parses well and still holds nothing.
  if (document.RootElement() == nullptr) {
    fail(Error{ErrorCode::kSyntax, "the file holds no XML element", {file, 1, 0}});
    return nullptr;
  }
  return document.RootElement();
}

Where XmlReader::where(const XMLElement* element) const {
  // tinyxml2 knows the lines of elements, not their columns.
  return {files_.at(element->GetDocument()), element->GetLineNum(), 0};
}

void XmlReader::fail(ErrorCode code, const XMLElement* element, std::string message) {
  fail(Error{code, std::move(message), where(element)});
}

void XmlReader::fail(Error error) {
  // The first failure is the cause; those after it are consequences.
  if (!error_) error_ = std::move(error);
}

void XmlReader::not_read(const XMLElement* element) {
  // The parent is part of the sentence: the same word means different things in different places.
  const XMLElement* parent = element->Parent() == nullptr ? nullptr : element->Parent()->ToElement();
  const std::string key = parent == nullptr ? fmt::format("<{}>", element->Name())
                                            : fmt::format("<{}> in <{}>", element->Name(), parent->Name());
  const model::NoteKind kind = unread_kind(element->Name(), parent == nullptr ? "" : parent->Name());
  note_once(element, key + ": not read", kind.word, is_switched_off(element) ? model::Effect::kNone : kind.effect);
}

void XmlReader::note_once(const XMLElement* element, const std::string& message, const std::string& word,
                          model::Effect effect) {
  Unread& unread = unread_[message];
  // The same element may be asked about twice, by a default and by its user.
  if (unread.last == element) return;
  if (unread.count++ == 0) unread.first = where(element);
  unread.last = element;
  unread.word = word;
  // One note speaks for all of them, and so for the worst.
  unread.effect = std::max(unread.effect, effect);
}

void XmlReader::note_degrees(const XMLElement* element, const char* angle) {
  note_once(element,
            fmt::format("{} of <{}> is more than a turn: angles of this file are radians; 90 degrees are "
                        "1.5707963",
                        angle, element->Name()),
            "degrees", model::Effect::kDoubt);
}

void XmlReader::note_radians(const XMLElement* element, const char* angle) {
  note_once(element,
            fmt::format("{} of <{}> is a part of a turn in radians, but angles of this file are degrees; say "
                        "<compiler angle=\"radian\"/> if radians are meant",
                        angle, element->Name()),
            "degrees", model::Effect::kDoubt);
}

void XmlReader::only_children(const XMLElement* parent, std::initializer_list<std::string_view> known) {
  for (const XMLElement* child : children(parent)) {
    if (std::find(known.begin(), known.end(), child->Name()) == known.end()) not_read(child);
  }
}

void XmlReader::note(const XMLElement* element, const std::string& message, const std::string& word,
                     model::Effect effect) {
  notes_.push_back(model::make_note(message, where(element), {word, effect}));
}

std::vector<model::Note> XmlReader::notes() const {
  // A copy: notes may be asked for more than once.
  std::vector<model::Note> all = notes_;
  for (const auto& [message, unread] : unread_) {
    all.push_back(model::make_note(unread.count == 1 ? message : fmt::format("{} ({} times)", message, unread.count),
                                   unread.first, {unread.word, unread.effect}));
  }
  // By line, as the user reads the file; equal lines keep their order.
  std::stable_sort(all.begin(), all.end(),
                   [](const model::Note& a, const model::Note& b) { return a.where.line < b.where.line; });
  return all;
}

std::string XmlReader::text(const XMLElement* element, const char* attribute, std::string_view otherwise) const {
  // Absent and empty are told apart here; required_text() takes both for missing.
  const char* value = element->Attribute(attribute);
  return value == nullptr ? std::string(otherwise) : std::string(value);
}

std::string XmlReader::required_text(const XMLElement* element, const char* attribute) {
  const char* value = element->Attribute(attribute);
  // An empty name is as good as none.
  if (value != nullptr && *value != '\0') return value;
  fail(ErrorCode::kName, element, fmt::format("<{}> needs the attribute {}=\"...\"", element->Name(), attribute));
  return "";
}

double XmlReader::number(const XMLElement* element, const char* attribute, double otherwise) {
  return element->Attribute(attribute) == nullptr ? otherwise : required_number(element, attribute);
}

double XmlReader::required_number(const XMLElement* element, const char* attribute) {
  const std::string value = required_text(element, attribute);
  const std::vector<double> all = numbers(element, attribute, value);
  // "1 2" is no number, though a parser that stops at the blank would take it for one.
  if (all.size() == 1) return all[0];
  fail(ErrorCode::kType, element,
       fmt::format("{}={} in <{}> must be one number", attribute, in_quotes(value), element->Name()));
  return 0;
}

Eigen::Vector3d XmlReader::vector(const XMLElement* element, const char* attribute, const Eigen::Vector3d& otherwise) {
  const std::optional<std::vector<double>> all = optional_numbers(element, attribute);
  if (!all) return otherwise;
  if (all->size() == 3) return {(*all)[0], (*all)[1], (*all)[2]};
  fail(ErrorCode::kType, element,
       fmt::format("{}={} in <{}> must be three numbers", attribute, in_quotes(text(element, attribute)),
                   element->Name()));
  return otherwise;
}

std::vector<double> XmlReader::numbers(const XMLElement* element, std::string_view what, std::string_view words) {
  std::vector<double> values;
  for (const std::string_view word : split_words(words)) {
    const std::optional<double> value = parse_number(word);
    if (!value) {
      fail(ErrorCode::kType, element,
           fmt::format("{} in {} of <{}> is not a finite number", in_quotes(word), what, element->Name()));
      return values;
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<double>> XmlReader::optional_numbers(const XMLElement* element, const char* attribute) {
  const char* value = element->Attribute(attribute);
  if (value == nullptr) return std::nullopt;
  // An attribute that is there and empty is an empty list, not an absent one.
  return numbers(element, attribute, value);
}

std::string_view XmlReader::content(const XMLElement* element) {
  const char* text = element->GetText();
  if (text == nullptr) return {};
  std::string_view view = text;
  // White space around a text has no meaning in these formats.
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = view.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return view.substr(begin, view.find_last_not_of(kSpace) - begin + 1);
}

std::vector<const XMLElement*> children(const XMLElement* parent, const char* name) {
  std::vector<const XMLElement*> all;
  for (const XMLElement* child = parent->FirstChildElement(name); child != nullptr;
       child = child->NextSiblingElement(name)) {
    all.push_back(child);
  }
  return all;
}

}  // namespace espalier::formats::detail
