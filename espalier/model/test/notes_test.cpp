#include "espalier/model/notes.hpp"

#include <gtest/gtest.h>

namespace espalier::model {
namespace {

const Where kHere{"robot.xml", 4, 0};

TEST(Notes, KeepTheirKindInTheText) {
  const Note note = make_note("<tendon> in <mujoco>: not read (2 times)", kHere, {"tendon", Effect::kForces});
  EXPECT_EQ(kind_of(note).word, "tendon");
  EXPECT_EQ(kind_of(note).effect, Effect::kForces);
  EXPECT_EQ(plain_message(note), "<tendon> in <mujoco>: not read (2 times)");
  EXPECT_EQ(note.where, kHere);
}

TEST(Notes, ThatChangeNothingAreTheirText) {
  for (const char* text : {"SDF 1.13 is read as 1.12", "limits [0, 1] are kept", "a [b: c", "a [b: c]", ""}) {
    const Note note = make_note(text, kHere, {"word", Effect::kNone});
    EXPECT_EQ(note.message, text);
    EXPECT_EQ(plain_message(note), text);
    EXPECT_EQ(kind_of(note).effect, Effect::kNone);
  }
}

TEST(CheckNotes, ForcesChangeMotionAndModesButNoPlan) {
  const std::vector<Note> notes = {make_note("gravcomp: not read", kHere, {"gravcomp", Effect::kForces})};
  EXPECT_TRUE(check_notes(notes, Use::kPlan));
  for (const Use use : {Use::kMotion, Use::kContact, Use::kModes, Use::kConversion}) {
    const Result<std::vector<std::string>> refused = check_notes(notes, use);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, kHere);
    EXPECT_NE(refused.error().hint.find("`accept` gravcomp"), std::string::npos) << refused.error().hint;
  }
}

TEST(CheckNotes, MissingBodiesChangeEveryAnswerAndContactOnlyItsOwn) {
  const std::vector<Note> bodies = {make_note("replicate", kHere, {"replicate", Effect::kMechanism})};
  const std::vector<Note> masks = {make_note("contype", kHere, {"contype", Effect::kContact})};
  const std::vector<Note> doubts = {make_note("rpy", kHere, {"degrees", Effect::kDoubt})};
  for (const Use use : {Use::kPlan, Use::kMotion, Use::kContact, Use::kModes, Use::kConversion}) {
    EXPECT_FALSE(check_notes(bodies, use));
    EXPECT_EQ(check_notes(masks, use).has_value(), use != Use::kContact);
    EXPECT_TRUE(check_notes(doubts, use));
  }
}

TEST(CheckNotes, NamesEveryWordOnceAndReturnsThoseThatWereNeeded) {
  const std::vector<Note> notes = {make_note("a", kHere, {"fluid", Effect::kForces}),
                                   make_note("b", kHere, {"fluid", Effect::kForces}),
                                   make_note("c", kHere, {"tendon", Effect::kForces})};
  const Result<std::vector<std::string>> refused = check_notes(notes, Use::kMotion, std::vector<std::string>{"other"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().hint.find("`accept` fluid `accept` tendon"), std::string::npos);
  EXPECT_FALSE(check_notes(notes, Use::kMotion, std::vector<std::string>{"fluid"}));
  const std::vector<std::string> both = {"tendon", "other", "fluid"};
  EXPECT_EQ(check_notes(notes, Use::kMotion, both).value(), (std::vector<std::string>{"fluid", "tendon"}));
}

}  // namespace
}  // namespace espalier::model
