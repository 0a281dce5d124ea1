#include "espalier/study/convert.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

TEST(Convert, ToOurOwnFormatLosesNothing) {
  const Result<ConvertAnswer> answer = convert(shipped("stewart"));
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_TRUE(answer->conversion.changes.empty());
}

TEST(Convert, KeepsTheLoopsOfAMechanismInEveryFormat) {
  const LoadedModel loaded = shipped("stewart");
  for (const formats::Format to :
       {formats::Format::kUrdf, formats::Format::kSdf, formats::Format::kMjcf, formats::Format::kUsd}) {
    const Result<ConvertAnswer> answer = convert(loaded, {.to = to});
    ASSERT_TRUE(answer) << to_string(answer.error());
    const Result<LoadedModel> again = load_text(answer->conversion.written.text, "again");
    ASSERT_TRUE(again) << formats::format_name(to) << ": " << to_string(again.error());
    EXPECT_EQ(again->format, to);
    EXPECT_EQ(again->model.joints.size(), loaded.model.joints.size()) << formats::format_name(to);
  }
}

// Once its assembled pose is the drawn one, no joint is drawn open.
TEST(Convert, WritesTheAssembledPoseAsTheDrawnOne) {
  const Result<ConvertAnswer> answer = convert(shipped("four_bar"), {.pose = WrittenPose::kAssembled});
  ASSERT_TRUE(answer) << to_string(answer.error());
  const LoadedModel again = load_text(answer->conversion.written.text, "again").value();
  for (const model::Joint& joint : again.model.joints) {
    EXPECT_LT(model::drawn_gap(again.model, joint).distance, 1e-9) << joint.name;
  }
}

// The crank of the keyframe stands 40 degrees beyond the drawn one, and the loop is closed from there.
TEST(Convert, WritesTheAssembledPoseOfAKeyframe) {
  std::string text = files::read_text_file(source_dir() + "/models/four_bar.yaml").value();
  text = text.substr(0, text.find("\nforces:")) + "\nkeyframes: [{name: up, positions: {A: 40}}]\n";
  const LoadedModel loaded = load_text(text, "four_bar.yaml").value();
  const Result<ConvertAnswer> answer = convert(loaded, {.keyframe = "up"});
  ASSERT_TRUE(answer) << to_string(answer.error());
  const LoadedModel again = load_text(answer->conversion.written.text, "again").value();
  const math::Pose& drawn = loaded.model.bodies[1].X_WB;
  const math::Pose& moved = again.model.bodies[1].X_WB;
  EXPECT_GT(math::gap_between(drawn, moved).angle, 0.4);
  for (const model::Joint& joint : again.model.joints) {
    EXPECT_LT(model::drawn_gap(again.model, joint).distance, 1e-9) << joint.name;
  }
  const Result<ConvertAnswer> unknown = convert(loaded, {.keyframe = "upp"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().option, "keyframe");
}

TEST(ConvertDocument, HoldsTheTextUntilADoorWroteIt) {
  ConvertAnswer answer = convert(shipped("four_bar"), {.to = formats::Format::kUrdf}).value();
  auto document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["format"], "URDF");
  EXPECT_EQ(document["text"], answer.conversion.written.text);
  EXPECT_EQ(document["changes"].size(), answer.conversion.changes.size());
  answer.written = "four_bar.urdf";
  document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["written"], "four_bar.urdf");
  EXPECT_FALSE(document.contains("text"));
}

}  // namespace
}  // namespace espalier::study
