#pragma once

// What tests of several readers ask of a model that was read.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "espalier/model/spec.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {

inline bool has_note(const model::ModelSpec& spec, const std::string& part) {
  return std::any_of(spec.notes.begin(), spec.notes.end(),
                     [&](const model::Note& note) { return note.message.find(part) != std::string::npos; });
}

// The element of this name; where there is none the test fails and goes on with an empty one.
template <class Spec>
const Spec& named(const std::vector<Spec>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Spec& spec) { return spec.name == name; });
  if (found != all.end()) return *found;
  ADD_FAILURE() << "nothing is named " << name;
  static const Spec kNone;
  return kNone;
}

inline const model::BodySpec& body(const model::ModelSpec& spec, const std::string& name) {
  return named(spec.bodies, name);
}

inline const model::JointSpec& joint(const model::ModelSpec& spec, const std::string& name) {
  return named(spec.joints, name);
}

}  // namespace espalier::formats
