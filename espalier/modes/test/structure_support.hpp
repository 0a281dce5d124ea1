#pragma once

// Structures by name, and their frequencies by a second method.

#include <algorithm>
#include <string>
#include <vector>

#include "espalier/modes/structure.hpp"
#include "espalier/modes/test/finite_elements.hpp"
#include "espalier/modes/test/reference_systems.hpp"

namespace espalier::modes {

inline Structure structure_of(const model::ModelSpec& spec, const StructureOptions& options = {}) {
  const Result<Structure> structure = make_structure(compiled(spec), options);
  if (!structure) {
    ADD_FAILURE() << to_string(structure.error());
    return {};
  }
  return *structure;
}

inline std::string error_of(const model::ModelSpec& spec) {
  const Result<Structure> structure = make_structure(compiled(spec));
  return structure ? "" : structure.error().message;
}

inline int count_supports(const Structure& structure) {
  return static_cast<int>(std::count_if(structure.vertices.begin(), structure.vertices.end(),
                                        [](const Vertex& vertex) { return vertex.moves == Directions{}; }));
}

template <class Law>
int count_laws(const Structure& structure) {
  return static_cast<int>(
      std::count_if(structure.elements.begin(), structure.elements.end(),
                    [](const Element& element) { return std::holds_alternative<Law>(element.law); }));
}

inline const Vertex& vertex_named(const Structure& structure, const std::string& name) {
  for (const Vertex& vertex : structure.vertices) {
    if (vertex.name == name) return vertex;
  }
  ADD_FAILURE() << "no vertex " << name;
  return structure.vertices.front();
}

inline const Element& element_named(const Structure& structure, const std::string& name) {
  for (const Element& element : structure.elements) {
    if (element.name == name) return element;
  }
  ADD_FAILURE() << "no element " << name;
  return structure.elements.front();
}

// The lowest frequencies agree with the reference to what finite elements can do.
inline void expect_frequencies(const Structure& structure, const std::vector<double>& reference, std::size_t count,
                               int parts, double tolerance) {
  const std::vector<double> found = FiniteElements(structure, parts).frequencies();
  ASSERT_GE(found.size(), count);
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found[k] / reference[k], 1, tolerance) << k;
}

}  // namespace espalier::modes
