#include "espalier/study/detail/reader_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace espalier::study {
namespace {

using nlohmann::ordered_json;

TEST(NoteJson, SplitsTheKindFromTheMessage) {
  const model::Note note =
      model::make_note("a tendon is left out", {"arm.xml", 7, 0}, {"tendon", model::Effect::kForces});
  EXPECT_EQ(detail::note_json(note), ordered_json({{"message", "a tendon is left out"},
                                                   {"file", "arm.xml"},
                                                   {"line", 7},
                                                   {"word", "tendon"},
                                                   {"changes", "forces"}}));
}

TEST(AddReader, AddsBothKeysEvenIfThereIsNothingToSay) {
  ordered_json document = {{"first", 1}};
  detail::add_reader({}, document);
  EXPECT_EQ(document.dump(), R"({"first":1,"reader_notes":[],"accepted":[]})");
}

TEST(AddReader, KeepsNotesInTheirOrder) {
  ReaderNotes reader;
  reader.accepted = {"tendon"};
  for (const char* text : {"second word", "first word"}) reader.notes.push_back(model::make_note(text, {}, {}));
  ordered_json document;
  detail::add_reader(reader, document);
  EXPECT_EQ(document["reader_notes"][0]["message"], "second word");
  EXPECT_EQ(document["reader_notes"][1]["message"], "first word");
  EXPECT_EQ(document["accepted"], ordered_json::array({"tendon"}));
}

TEST(DocumentText, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(detail::document_text({{"name", "a\xff"}}, -1), "{\"name\":\"a\xef\xbf\xbd\"}\n");
  EXPECT_EQ(detail::document_text({{"name", "\xc3\xa9"}}, 1), "{\n \"name\": \"\xc3\xa9\"\n}\n");
}

}  // namespace
}  // namespace espalier::study
