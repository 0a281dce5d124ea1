#pragma once

// What the XML readers share: parsing with line numbers, typed attributes, and one sticky error, so that a reader can
// go straight through a file and look once at the end.

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <tinyxml2.h>

#include "espalier/base/result.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats::detail {

using tinyxml2::XMLElement;

// Keeps every parsed file alive and knows the file and line of each element.
class XmlReader {
 public:
  // Parses `text`; on a syntax error returns nullptr and fails.
  const XMLElement* parse(std::string_view text, const std::string& file);

  Where where(const XMLElement* element) const;

  // Only the first failure is kept: it is the cause of those after it.
  void fail(ErrorCode code, const XMLElement* element, std::string message);
  void fail(Error error);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  // One note for each (kind, name): "<transmission> in <robot>: not read (3 times)" with the place of the first. What
  // it changes is told by unread.hpp.
  void not_read(const XMLElement* element);
  // One note for all elements of which the same is to be said, "message (3 times)", at the first.
  void note_once(const XMLElement* element, const std::string& message, const std::string& word, model::Effect effect);
  // not_read() for each child of `parent` that is not in `known`; the children of `known` are the caller's business.
  void only_children(const XMLElement* parent, std::initializer_list<std::string_view> known);
  // An angle that counts in radians and cannot be meant so.
  void note_degrees(const XMLElement* element, const char* angle);
  // The other way round: an angle that counts in degrees and is written as a part of a turn in radians.
  void note_radians(const XMLElement* element, const char* angle);
  void note(const XMLElement* element, const std::string& message, const std::string& word = {},
            model::Effect effect = model::Effect::kNone);
  // All notes, in file order of their first cause.
  std::vector<model::Note> notes() const;

  // Attributes. `required` ones fail with the element's name and line where they are missing; numbers must be finite
  // and of the right count.
  std::string text(const XMLElement* element, const char* attribute, std::string_view otherwise = "") const;
  std::string required_text(const XMLElement* element, const char* attribute);
  double number(const XMLElement* element, const char* attribute, double otherwise);
  double required_number(const XMLElement* element, const char* attribute);
  Eigen::Vector3d vector(const XMLElement* element, const char* attribute, const Eigen::Vector3d& otherwise);
  // Numbers in `words`, any count; fails on the element.
  std::vector<double> numbers(const XMLElement* element, std::string_view what, std::string_view words);
  std::optional<std::vector<double>> optional_numbers(const XMLElement* element, const char* attribute);

  // Text content, trimmed; "" where there is none.
  static std::string_view content(const XMLElement* element);

 private:
  struct Unread {
    int count = 0;
    Where first;
    const XMLElement* last = nullptr;  // an element may be looked at twice
    std::string word;
    model::Effect effect = model::Effect::kNone;
  };
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::map<const tinyxml2::XMLDocument*, std::string> files_;
  std::optional<Error> error_;
  std::vector<model::Note> notes_;
  std::map<std::string, Unread> unread_;
};

// for (const XMLElement* link : children(robot, "link")) ...; all children where `name` is null.
std::vector<const XMLElement*> children(const XMLElement* parent, const char* name = nullptr);

}  // namespace espalier::formats::detail
