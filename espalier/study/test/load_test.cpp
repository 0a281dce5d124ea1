#include "espalier/study/load.hpp"

#include <string>

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::study {
namespace {

const std::string kModels = source_dir() + "/models/";

// A robot whose tendon is not read: it pulls, so that motion changes without it, and a plan does not.
constexpr const char* kWithTendon = R"(<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="hinge" type="hinge" axis="0 1 0"/>
      <geom type="sphere" size="0.1" mass="1"/>
    </body>
  </worldbody>
  <tendon><fixed stiffness="10"><joint joint="hinge" coef="1"/></fixed></tendon>
</mujoco>
)";

TEST(Load, ReadsAndCompilesAShippedModel) {
  const Result<LoadedModel> loaded = load(kModels + "four_bar.yaml");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->file, kModels + "four_bar.yaml");
  EXPECT_EQ(loaded->format, formats::Format::kNative);
  EXPECT_EQ(loaded->model.joints.size(), loaded->spec.joints.size());
}

TEST(Load, TellsTheFormatFromTheText) {
  const Result<LoadedModel> loaded = load_text(kWithTendon, "robot.txt");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->format, formats::Format::kMjcf);
}

TEST(Load, OfAFileThatIsNotThereNamesIt) {
  const Result<LoadedModel> loaded = load("nowhere.yaml");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kFile);
  EXPECT_EQ(loaded.error().where.file, "nowhere.yaml");
}

TEST(Load, RefusesOptionsOfUrdfForOtherFormats) {
  const Result<LoadedModel> loaded = load(kModels + "four_bar.yaml", {.read = {.base = formats::Base::kFixed}});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kOption);
}

TEST(Load, OfASpecIsTheModelOfThatSpec) {
  const Result<model::ModelSpec> spec = model::generate_chain(3);
  const Result<LoadedModel> loaded = load_spec(*spec, "chain");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->file, "chain");
  EXPECT_EQ(loaded->model.joints.size(), spec->joints.size());
}

TEST(Load, AnErrorOfTheModelTellsWhatWasNotReadToo) {
  Result<model::ModelSpec> spec = model::generate_chain(3);
  spec->bodies[1].name = spec->bodies[0].name;
  spec->notes = {model::make_note("a tendon", {"robot.xml", 3, 0}, {"tendon", model::Effect::kForces}),
                 model::make_note("another", {"robot.xml", 4, 0}, {"tendon", model::Effect::kForces}),
                 model::make_note("a unit", {"robot.xml", 5, 0}, {"degrees", model::Effect::kDoubt})};
  const Result<LoadedModel> loaded = load_spec(*spec, "robot.xml");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kName);
  EXPECT_EQ(loaded.error().hint, "the reader also left out what changes answers: tendon");
}

TEST(ReaderNotesOf, AForceThatWasNotReadMattersToMotionAndNotToAPlan) {
  const Result<LoadedModel> loaded = load_text(kWithTendon, "robot.xml");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_TRUE(reader_notes(*loaded, model::Use::kPlan));
  const Result<ReaderNotes> motion = reader_notes(*loaded, model::Use::kMotion);
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().message.find("tendon"), std::string::npos) << motion.error().message;
}

TEST(ReaderNotesOf, WhatIsAcceptedIsListedAndNothingElse) {
  const Result<LoadedModel> loaded = load_text(kWithTendon, "robot.xml", {.accept = {"gravcomp", "tendon"}});
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  const Result<ReaderNotes> motion = reader_notes(*loaded, model::Use::kMotion);
  ASSERT_TRUE(motion) << to_string(motion.error());
  EXPECT_EQ(motion->accepted, std::vector<std::string>{"tendon"});
  EXPECT_EQ(motion->notes.size(), loaded->spec.notes.size());
}

}  // namespace
}  // namespace espalier::study
