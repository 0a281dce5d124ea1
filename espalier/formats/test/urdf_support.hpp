#pragma once

// Small URDF files for the tests of the reader, and what it makes of them.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"

namespace espalier::formats::urdf_test {

using model::ModelSpec;

inline std::string robot(const std::string& content) { return "<robot name=\"r\">\n" + content + "</robot>\n"; }

inline ModelSpec read(const std::string& content, const ReadOptions& options = {}) {
  const Result<ModelSpec> spec = read_model_text(robot(content), "r.urdf", options);
  EXPECT_TRUE(spec) << (spec ? "" : to_string(spec.error()));
  return spec.value_or(ModelSpec());
}

// The whole error, with its place.
inline std::string problem(const std::string& content) {
  const Result<ModelSpec> spec = read_model_text(robot(content), "r.urdf");
  return spec ? "no error" : to_string(spec.error());
}

inline void expect_problem(const std::string& content, const std::string& part) {
  const std::string found = problem(content);
  EXPECT_NE(found.find(part), std::string::npos) << "wanted: " << part << "\nfound:  " << found;
}

inline const std::string kTwo = "<link name=\"a\"/><link name=\"b\"/>\n";

inline std::string two_with(const std::string& type, const std::string& content, const std::string& attributes = "") {
  return kTwo + fmt::format("<joint name=\"j\" type=\"{}\" {}><parent link=\"a\"/><child link=\"b\"/>{}</joint>\n",
                            type, attributes, content);
}

}  // namespace espalier::formats::urdf_test
