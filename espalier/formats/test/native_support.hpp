#pragma once

// Native model files for the tests of the reader, and what it makes of them.

#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"

namespace espalier::formats::native_test {

using model::ModelSpec;

inline ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.yaml");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

inline std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.yaml");
  return spec ? "read" : to_string(spec.error());
}

}  // namespace espalier::formats::native_test
