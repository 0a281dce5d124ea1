#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/test/modes_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

class ModesFilesTest : public TestFolder {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(files::write_text_file(path(name), text));
    return path(name);
  }
};

std::string message_of(const ModesFiles& files, const std::string& model) {
  const Result<void> checked = check_files(files, model);
  return checked ? "" : to_string(checked.error());
}

TEST_F(ModesFilesTest, ModelsFoldersAndOtherWorkAreKept) {
  const std::string model = file("model.yaml", kMasses);
  for (ModesFiles files : {ModesFiles{model, "", ""}, ModesFiles{"", model, ""}, ModesFiles{"", "", model}}) {
    EXPECT_EQ(message_of(files, model), model + ": is the model itself; name another file");
  }
  EXPECT_EQ(message_of({"", folder_.string(), ""}, model), folder_.string() + ": is a folder; name another file");
  const std::string other = file("other.json", "{\"thesis\": 1}");
  EXPECT_EQ(message_of({other, "", ""}, model),
            other + ": holds something else than modes, and would be lost; name another file");
  // A table is not asked what it held.
  EXPECT_EQ(message_of({"", other, ""}, model), "");
}

TEST_F(ModesFilesTest, WhatModesWroteMayBeWrittenAgain) {
  const Result<ModesAnswer> answer = modes(comm::Comm::serial(), loaded_of(kMasses));
  ASSERT_TRUE(answer);
  const std::string model = file("model.yaml", kMasses);
  const std::string document = file("modes.json", to_json(*answer));
  for (const std::string& output : {document, file("empty.json", ""), path("new.json"), std::string("/dev/stdout")}) {
    EXPECT_EQ(message_of({output, "", ""}, model), "");
  }
}

TEST_F(ModesFilesTest, APlotSaysWhatItIsByItsEnding) {
  EXPECT_EQ(message_of({"", "", path("a.svg")}, "model.yaml"), "");
  const Result<void> checked = check_files({"", "", path("a.png")}, "model.yaml");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().option, "plot");
  const Result<ModesAnswer> answer = modes(comm::Comm::serial(), loaded_of(kMasses));
  const Result<draw::ModePage> page = make_page(*answer, "what was found", "command");
  ASSERT_TRUE(page);
  for (const auto& [name, begin] : {std::pair("a.svg", "<svg"), std::pair("a.html", "<!")}) {
    ASSERT_TRUE(write_plot(path(name), *page));
    const Result<std::string> text = files::read_text_file(path(name));
    ASSERT_TRUE(text);
    EXPECT_NE(text->substr(0, 200).find(begin), std::string::npos) << text->substr(0, 200);
  }
}

}  // namespace
}  // namespace espalier::study
