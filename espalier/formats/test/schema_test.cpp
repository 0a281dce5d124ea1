// The JSON Schema that editors use says the same as the reader: tools/check_schema.py puts these documents before the
// schema, this test before the reader and compile().

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

// (title, text) of each document of a file; its title stands in the line that opens it.
std::vector<std::pair<std::string, std::string>> documents(const char* file) {
  const Result<std::string> text = files::read_text_file(source_dir() + "/tests/schema/" + file);
  EXPECT_TRUE(text);
  std::vector<std::pair<std::string, std::string>> result;
  const std::string opening = "\n--- # ";
  std::size_t begin = text->find(opening);
  while (begin != std::string::npos) {
    begin += opening.size();
    const std::size_t title_end = text->find('\n', begin);
    const std::size_t end = text->find(opening, title_end);
    const std::size_t length = end == std::string::npos ? end : end - title_end;
    result.emplace_back(text->substr(begin, title_end - begin), text->substr(title_end, length));
    begin = end;
  }
  return result;
}

Result<model::Model> compiled(const std::string& text) {
  const Result<model::ModelSpec> spec = read_model_text(text, source_dir() + "/tests/schema/document.yaml");
  ESPALIER_TRY(spec);
  return model::compile(*spec);
}

TEST(Schema, WhatItAcceptsTheReaderReads) {
  const auto accepted = documents("accepted.yaml");
  EXPECT_GE(accepted.size(), 4u);
  for (const auto& [title, text] : accepted) {
    const Result<model::Model> model = compiled(text);
    EXPECT_TRUE(model) << title << ": " << to_string(model.error());
  }
}

TEST(Schema, WhatItRefusesTheReaderRefuses) {
  const auto refused = documents("refused.yaml");
  EXPECT_GE(refused.size(), 50u);
  for (const auto& [title, text] : refused) EXPECT_FALSE(compiled(text)) << title;
}

}  // namespace
}  // namespace espalier::formats
