#include "espalier/study/generate.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::study {
namespace {

// n four-bars side by side share their cranks: each brings one loop.
TEST(Generate, ALadderHasAsManyLoopsAsAsked) {
  for (const int loops : {1, 3, 7}) {
    const Result<GenerateAnswer> answer = generate("ladder", {.sizes = {loops}});
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->count.loops, loops);
  }
}

TEST(Generate, EveryKindByRuleWorksWithItsDefaults) {
  for (const GeneratorKind& kind : generator_kinds()) {
    const Result<GenerateAnswer> answer = generate(kind.name);
    ASSERT_TRUE(answer) << kind.name << ": " << to_string(answer.error());
    EXPECT_EQ(answer->loaded.has_value(), !kind.plain) << kind.name;
    EXPECT_LE(answer->sat.has_value() + answer->graph.has_value(), 1) << kind.name;
    EXPECT_TRUE(answer->text.empty()) << kind.name;
    const Result<GenerateAnswer> same = generate(kind.name, {.sizes = kind.sizes});
    EXPECT_EQ(same->count.bodies, answer->count.bodies) << kind.name;
  }
}

// A rule goes before a shipped model of the same name.
bool is_rule(const std::string& name) {
  const std::vector<GeneratorKind> kinds = generator_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const GeneratorKind& kind) { return kind.name == name; });
}

TEST(Generate, AShippedModelIsWrittenAsItsAuthorWroteIt) {
  for (const formats::ShippedModel& shipped : formats::shipped_models()) {
    const std::string name(shipped.name);
    if (is_rule(name)) continue;
    const Result<GenerateAnswer> answer = generate(name, {.text = GeneratedText::kModel});
    ASSERT_TRUE(answer) << name << ": " << to_string(answer.error());
    EXPECT_EQ(answer->text, shipped.text) << name;
  }
}

TEST(Generate, TheSameSeedGivesTheSameModelAndAnotherOneAnother) {
  const auto text = [](std::uint64_t seed) {
    return generate("random", {.seed = seed, .text = GeneratedText::kModel})->text;
  };
  EXPECT_EQ(text(3), text(3));
  EXPECT_NE(text(3), text(4));
}

TEST(Generate, WritesAnotherFormatAndTellsWhatItCannotSay) {
  const Result<GenerateAnswer> answer =
      generate("chain", {.text = GeneratedText::kModel, .to = formats::Format::kMjcf});
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_NE(answer->text.find("<mujoco"), std::string::npos);
  EXPECT_TRUE(answer->conversion);
}

TEST(Generate, TheGraphOfAMechanismHasAnEdgeForEachJoint) {
  const Result<GenerateAnswer> answer = generate("ladder", {.text = GeneratedText::kGraph});
  ASSERT_TRUE(answer) << to_string(answer.error());
  const auto graph = nlohmann::json::parse(answer->text);
  EXPECT_EQ(graph["edges"].size(), to_index(answer->count.movable_joints));
  EXPECT_EQ(graph["vertices"], answer->count.groups + 1);
}

TEST(Generate, NamesTheOptionThatAKindDoesNotHave) {
  const struct {
    const char* kind;
    GenerateOptions options;
    const char* option;
  } cases[] = {{"chain", {.spatial = true}, "spatial"},   {"stack", {.grain = model::Grain::kBox}, "grain"},
               {"pile", {.thickness = 0.2}, "thickness"}, {"ladder", {.seed = 7}, "seed"},
               {"ladder", {.sizes = {1, 2}}, "sizes"},    {"four_bar", {.sizes = {1}}, "sizes"},
               {"3sat", {.spatial = true}, "spatial"},    {"3sat", {.to = formats::Format::kUrdf}, "to"},
               {"3sat", {.sizes = {5, 6, 7}}, "sizes"},   {"laddr", {}, "kind"},
               {"liu99_fig2a", {.sizes = {5}}, "sizes"},  {"liu99_fig2a", {.seed = 2}, "seed"},
               {"liu99_table3", {.sizes = {1}}, "sizes"}, {"liu99_table3", {.spatial = true}, "spatial"}};
  for (const auto& [kind, options, option] : cases) {
    const Result<GenerateAnswer> answer = generate(kind, options);
    ASSERT_FALSE(answer) << kind;
    EXPECT_EQ(answer.error().option, option) << kind;
  }
}

// [Liu99] 5.2: 2n + q + 2 vertices and 3n + 3q + 1 edges for n variables and q clauses.
TEST(Generate, AFormulaBecomesAGraphOfTheSizeOfTheProof) {
  const Result<GenerateAnswer> answer = generate("3sat", {.sizes = {5, 22}, .text = GeneratedText::kGraph});
  ASSERT_TRUE(answer) << to_string(answer.error());
  const auto document = nlohmann::json::parse(to_json(*answer));
  EXPECT_EQ(document["vertices"], 2 * 5 + 22 + 2);
  EXPECT_EQ(document["edges"], 3 * 5 + 3 * 22 + 1);
  EXPECT_EQ(document["text"], answer->text);
}

// 20 vertices and 32 edges, and a graph of 2000 edges that the seed decides.
TEST(Generate, ThePapersGraphsArePlainGraphs) {
  const GenerateAnswer figure = generate("liu99_fig2a", {.text = GeneratedText::kGraph}).value();
  const auto document = nlohmann::json::parse(to_json(figure));
  EXPECT_EQ(document["vertices"], 20);
  EXPECT_EQ(document["edges"], 32);
  EXPECT_EQ(nlohmann::json::parse(figure.text)["edges"][0], nlohmann::json({1, 9, 15}));
  const auto text = [](std::uint64_t seed) {
    return generate("liu99_table3", {.seed = seed, .text = GeneratedText::kGraph}).value().text;
  };
  EXPECT_EQ(nlohmann::json::parse(text(1))["edges"].size(), 2000u);
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

}  // namespace
}  // namespace espalier::study
