#include "espalier/study/check.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/shipped.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

std::string line_of(const CheckAnswer& answer, const std::string& word) {
  for (const auto& [name, sentence] : check_lines(answer)) {
    if (name == word) return sentence;
  }
  return "";
}

// [Gruebler17]: three moving bodies and four hinges in a plane have 3 x 3 - 2 x 4 = 1 degree of freedom. In space the
// same four hinges ask for three equations more than they need.
//
//     B o-------o C
//       |       |
//     A o       o D
TEST(Check, AFourBarHasOneDegreeOfFreedomAndThreeRedundantEquations) {
  const Result<CheckAnswer> answer = check(shipped("four_bar"));
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->count.movable_joints, 4);
  EXPECT_EQ(answer->count.loops, 1);
  EXPECT_EQ(answer->count.freedom, 1);
  EXPECT_EQ(answer->closing.constraints.freedom, 1);
  EXPECT_EQ(answer->closing.constraints.redundant.size(), 3u);
  EXPECT_EQ(answer->loops.size(), 1u);
  EXPECT_FALSE(closing_error(answer->closing));
}

TEST(Check, ListsNoMoreLoopsThanAskedAndCountsAll) {
  const Result<CheckAnswer> answer = check(shipped("stewart"), {.max_loops = 2});
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->loops.size(), 2u);
  EXPECT_EQ(answer->count.loops, 5);
}

TEST(Check, NamesAnUnknownKeyframeAndTheOptionThatAskedForIt) {
  const Result<CheckAnswer> answer = check(shipped("four_bar"), {.keyframe = "asleep"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kName);
  EXPECT_EQ(answer.error().option, "keyframe");
}

// Two bars of 1 m cannot join two points that are 5 m apart.
constexpr const char* kTooFar = R"(espalier: 1
bodies:
  - {name: p, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0.5, 0, 0]}}
  - {name: q, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [1.5, 0, 0]}}
joints:
  - {name: A, type: revolute, between: [ground, p],
     in: {ground: {position: [0, 0, 0], axis: [0, 1, 0]}, p: {position: [-0.5, 0, 0], axis: [0, 1, 0]}}}
  - {name: B, type: revolute, between: [p, q],
     in: {p: {position: [0.5, 0, 0], axis: [0, 1, 0]}, q: {position: [-0.5, 0, 0], axis: [0, 1, 0]}}}
  - {name: C, type: revolute, between: [ground, q],
     in: {ground: {position: [5, 0, 0], axis: [0, 1, 0]}, q: {position: [0.5, 0, 0], axis: [0, 1, 0]}}}
)";

TEST(Check, OfALoopThatCannotCloseTellsItWithAWayOut) {
  const Result<LoadedModel> loaded = load_text(kTooFar, "far.yaml");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  const Result<CheckAnswer> answer = check(*loaded);
  ASSERT_TRUE(answer) << to_string(answer.error());
  const std::optional<Error> open = closing_error(answer->closing);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->code, ErrorCode::kTopology);
  EXPECT_NE(open->hint.find("`keyframe`"), std::string::npos);
  EXPECT_EQ(line_of(*answer, "assembly").rfind("open: ", 0), 0u);
}

TEST(CheckLines, SayFreedomByCountAndByRank) {
  const CheckAnswer answer = check(shipped("four_bar")).value();
  EXPECT_EQ(line_of(answer, "loops"), "1 independent");
  EXPECT_EQ(line_of(answer, "freedom").rfind("1 by count", 0), 0u);
  EXPECT_EQ(line_of(answer, "").rfind("1 by rank", 0), 0u);
}

TEST(CheckLines, GiveEachRedundantEquationAnItemOrADirectionOfOne) {
  const CheckAnswer answer = check(shipped("four_bar")).value();
  EXPECT_FALSE(redundant_items(answer).empty());
  EXPECT_LE(redundant_items(answer).size(), answer.closing.constraints.redundant.size());
  EXPECT_EQ(remedy_items(answer).size(), answer.closing.constraints.remedies.size());
}

// A box of 2 kg lies 10 mm deep in a slab of the ground, a ball of 1 kg stands free; what is only seen does not count.
constexpr const char* kScene = R"(espalier: 1
materials: {ice: {friction: 0.1}}
bodies:
  - {name: box, mass: 2, inertia: [1, 1, 1], pose: {position: [0, 0, 0.49]}, shapes: [{box: {size: [1, 1, 1]}}]}
  - {name: ball, mass: 1, inertia: [1, 1, 1], pose: {position: [5, 0, 3]},
     shapes: [{sphere: {radius: 0.5}, material: ice}, {mesh: {file: missing.stl}, role: visual}]}
  - {name: slab, kind: obstacle, shapes: [{box: {size: [9, 9, 1]}, at: {position: [0, 0, -0.5]}}]}
contact: {friction: 0.6}
)";

TEST(CheckScene, TellsShapesMassesFrictionAndOverlaps) {
  const Result<LoadedModel> loaded = load_text(kScene, "scene.yaml");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  const Result<CheckAnswer> answer = check(*loaded);
  ASSERT_TRUE(answer) << to_string(answer.error());
  ASSERT_TRUE(answer->scene) << answer->scene_why_not;
  const SceneStart& scene = *answer->scene;
  EXPECT_EQ(scene.shapes, (std::vector<std::pair<std::string, int>>{{"sphere", 1}, {"box", 2}}));
  EXPECT_EQ(scene.moving, 2);
  EXPECT_EQ(scene.lightest, 1);
  EXPECT_EQ(scene.heaviest, 2);
  EXPECT_EQ(scene.mass, 3);
  EXPECT_EQ(scene.friction, (std::array{0.1, 0.6}));
  EXPECT_EQ(scene.overlaps, 1);
  EXPECT_NEAR(scene.deepest, 0.01, 1e-9);
  EXPECT_EQ(line_of(*answer, "shapes"), "3 that can touch (1 sphere, 2 box)");
  const auto document = nlohmann::json::parse(to_json(*answer))["scene"];
  EXPECT_EQ(document["shapes"]["box"], 2);
  EXPECT_EQ(document["moving_bodies"], 2);
  EXPECT_EQ(document["overlaps"], 1);
}

TEST(CheckScene, NotesAMeshThatIsNotThere) {
  const CheckAnswer answer = check(load_text(kScene, "nowhere/scene.yaml").value()).value();
  ASSERT_EQ(answer.notes.size(), 1u);
  EXPECT_EQ(answer.notes[0].message, "mesh 'missing.stl' is not found: there is no file 'nowhere/missing.stl'");
  EXPECT_EQ(answer.notes[0].where.line, 6);
}

TEST(CheckScene, OfAMechanismIsNothing) {
  const CheckAnswer answer = check(shipped("four_bar")).value();
  EXPECT_FALSE(answer.scene);
  EXPECT_FALSE(nlohmann::json::parse(to_json(answer)).contains("scene"));
}

TEST(CheckText, BeginsWithWhatIsDoubtful) {
  CheckAnswer answer;
  answer.name = "arm";
  answer.findings = {{"mass", "too light", {"arm.yaml", 3, 0}}};
  answer.closing.why_not = "not computed";
  const std::string text = to_text(answer);
  EXPECT_EQ(text.rfind("arm (native)\n\nLook at these\n  - arm.yaml:3: too light\n\n  bodies ", 0), 0u) << text;
}

TEST(CheckDocument, HoldsWhatTheAnswerHolds) {
  const CheckAnswer answer = check(shipped("four_bar")).value();
  const auto document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["loops"], nlohmann::json(answer.loops));
  EXPECT_EQ(document["freedom"], 1);
  EXPECT_EQ(document["redundant"].size(), 3u);
}

}  // namespace
}  // namespace espalier::study
