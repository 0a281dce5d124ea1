#include "espalier/study/detail/text_parts.hpp"

#include <string>

#include <gtest/gtest.h>

namespace espalier::study {
namespace {

TEST(BodiesText, CountsBodiesAndWhatWeldingMakesOfThem) {
  EXPECT_EQ(detail::bodies_text(1, 1), "1 body");
  EXPECT_EQ(detail::bodies_text(5, 4), "5 bodies (4 links after welding)");
  EXPECT_EQ(detail::bodies_text(2, 1), "2 bodies (1 link after welding)");
}

TEST(NotePlace, NamesTheFileOnlyWhereItIsAnother) {
  EXPECT_EQ(detail::note_place({"arm.xml", 12, 3}, "arm.xml"), "line 12: ");
  EXPECT_EQ(detail::note_place({"parts/hand.xml", 12, 3}, "arm.xml"), "hand.xml:12: ");
  EXPECT_EQ(detail::note_place({"arm.xml", 0, 0}, "arm.xml"), "");
}

model::Note note(const char* text, int line, model::Effect effect) {
  return model::make_note(text, {"arm.xml", line, 0}, {effect == model::Effect::kNone ? "" : "tendon", effect});
}

TEST(ReaderText, TellsWhatChangesTheAnswerFirst) {
  const ReaderNotes reader{
      "arm.xml", {note("plain", 1, model::Effect::kNone), note("tendon", 2, model::Effect::kForces)}, {}};
  EXPECT_EQ(detail::reader_text(reader, "note ", {}), "note line 2: tendon\nnote line 1: plain\n");
}

TEST(ReaderText, BeginsWithWhatWasAccepted) {
  const ReaderNotes reader{"arm.xml", {}, {"tendon", "gravcomp"}};
  EXPECT_EQ(detail::reader_text(reader, "- ", {.width = 200}),
            "- accepted: tendon, gravcomp; what the file says of it is left out, and the answer is another one\n");
  EXPECT_EQ(detail::reader_text({}, "- ", {}), "");
}

TEST(ReaderText, OfMoreThanFourNotesSaysHowToSeeTheRest) {
  ReaderNotes reader;
  reader.file = "arm.xml";
  for (int k = 1; k <= 6; ++k) reader.notes.push_back(note("n", k, model::Effect::kNone));
  EXPECT_EQ(detail::reader_text(reader, "", {}),
            "line 1: n\nline 2: n\nline 3: n\nline 4: n\n2 more notes of the reader: check(arm.xml, all = true)\n");
}

}  // namespace
}  // namespace espalier::study
