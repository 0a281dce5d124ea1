#include "espalier/study/modes.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

using comm::Comm;

ModesAnswer answer_of(const std::string& text, const ModesOptions& options = {}) {
  Result<ModesAnswer> answer = modes(Comm::serial(), loaded_of(text), options);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return *std::move(answer);
}

Error error_of(const std::string& text, const ModesOptions& options) {
  const Result<ModesAnswer> answer = modes(Comm::serial(), loaded_of(text), options);
  EXPECT_FALSE(answer);
  return answer ? Error{} : answer.error();
}

TEST(Modes, TwoMassesHaveTheFrequenciesOfTheClosedForm) {
  const ModesAnswer answer = answer_of(kMasses);
  ASSERT_EQ(answer.set.modes.size(), 2u);
  EXPECT_EQ(answer.set.certainty, modes::Certainty::kProved);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(answer.set.modes[k].s.imag(), closed_frequencies()[k], 1e-9);
}

TEST(Modes, AFrequencyInHertzBoundsThem) {
  ModesOptions options;
  options.max_frequency = (closed_frequencies()[0] + closed_frequencies()[1]) / 2 / kTurn;
  EXPECT_EQ(answer_of(kMasses, options).set.modes.size(), 1u);
}

TEST(Modes, AllMassTakesPartInAllModes) {
  const ModesAnswer answer = answer_of(kMasses);
  ASSERT_TRUE(answer.results);
  double along_x = 0;
  for (const auto& shapes : answer.results->modes) along_x += shapes.front().effective_mass[0];
  EXPECT_NEAR(along_x, kFirstMass + kSecondMass, 1e-9);
}

TEST(Modes, WithoutShapesThereAreNoResults) {
  ModesOptions options;
  options.shapes = false;
  EXPECT_FALSE(answer_of(kMasses, options).results);
}

// A tapered beam stands as segments; a second search tells what that costs.
TEST(Modes, SegmentsAreEstimatedUnlessNotWanted) {
  std::string tapered = kBeam;
  tapered.replace(tapered.find("h: 0.01"), 7, "h: [0.01, 0.005]");
  ModesOptions options;
  options.count = 2;
  EXPECT_TRUE(answer_of(tapered, options).set.modes.front().segment_error);
  options.no_estimate = true;
  EXPECT_FALSE(answer_of(tapered, options).set.modes.front().segment_error);
}

TEST(Modes, FreeMotionsAreRefusedWhereNoneIsWanted) {
  std::string loose = kMasses;
  loose.replace(loose.find("stiffness: 200"), 14, "stiffness: 0  ");
  EXPECT_EQ(answer_of(loose).set.free_motions, 1);
  ModesOptions options;
  options.no_free_motion = true;
  const Error error = error_of(loose, options);
  EXPECT_EQ(error.option, "no_free_motion");
  EXPECT_EQ(error.where.file, "model.yaml");
  EXPECT_NE(error.message.find("1 free motion: 'first', 'second' move (x)"), std::string::npos) << error.message;
}

TEST(Modes, OptionsOutOfTheirRangeAreNamed) {
  const auto option_of = [](auto change) {
    ModesOptions options;
    change(options);
    const Error error = error_of(kMasses, options);
    EXPECT_EQ(error.code, ErrorCode::kOption);
    EXPECT_NE(error.message.find("`" + error.option + "`"), std::string::npos) << error.message;
    EXPECT_EQ(full_message(error).find("--"), std::string::npos) << "doors word options";
    return error.option;
  };
  EXPECT_EQ(option_of([](ModesOptions& o) { o.count = 0; }), "count");
  EXPECT_EQ(option_of([](ModesOptions& o) { o.max_frequency = -3; }), "max_frequency");
  EXPECT_EQ(option_of([](ModesOptions& o) { o.max_frequency = std::numeric_limits<double>::quiet_NaN(); }),
            "max_frequency");
  EXPECT_EQ(option_of([](ModesOptions& o) { o.max_decay = 1e300; }), "max_decay");
  EXPECT_EQ(option_of([](ModesOptions& o) { o.box = modes::Box{0, 1, 0, 10}; }), "box");
  const auto grid_option_of = [&](auto change) {
    return option_of([&](ModesOptions& o) { o.method = modes::Method::kRecursive, change(o); });
  };
  EXPECT_EQ(grid_option_of([](ModesOptions& o) { o.samples = {2, 10}; }), "samples");
  EXPECT_EQ(grid_option_of([](ModesOptions& o) { o.resolution = 0; }), "resolution");
  EXPECT_EQ(grid_option_of([](ModesOptions& o) { o.threads = 0; }), "threads");
}

TEST(Modes, OptionsThatWouldDoNothingAreRefused) {
  const auto refused = [](modes::Method method, auto change) {
    ModesOptions options;
    options.method = method;
    change(options);
    const Result<modes::ModesOptions> search = search_options(options);
    return search ? "" : search.error().option;
  };
  const auto samples = [](ModesOptions& o) { o.samples = {10, 10}; };
  const auto threads = [](ModesOptions& o) { o.threads = 2; };
  const auto distribution = [](ModesOptions& o) { o.distribution = modes::Distribution::kPaper; };
  EXPECT_EQ(refused(modes::Method::kAuto, samples), "samples");
  EXPECT_EQ(refused(modes::Method::kAuto, [](ModesOptions& o) { o.resolution = 1; }), "resolution");
  EXPECT_EQ(refused(modes::Method::kBisection, samples), "");
  EXPECT_EQ(refused(modes::Method::kBisection, threads), "threads");
  EXPECT_EQ(refused(modes::Method::kBisection, distribution), "distribution");
  EXPECT_EQ(refused(modes::Method::kRecursive, threads), "");
}

TEST(EnergyParts, AddUpToTheWhole) {
  const ModesAnswer answer = answer_of(kMasses);
  for (const auto& shapes : answer.results->modes) {
    const modes::ShapeResult& shape = shapes.front();
    double kinetic = 0, potential = 0;
    for (const EnergyPart& part : energy_parts(answer, shape)) {
      kinetic += part.energy.kinetic;
      potential += part.energy.potential;
      if (std::string(part.kind) == "bodies") {
        EXPECT_NEAR(part.energy.potential, 0, 1e-12) << part.name;
      }
    }
    EXPECT_NEAR(kinetic / shape.energies.total.kinetic, 1, 1e-12);
    EXPECT_NEAR(potential / shape.energies.total.potential, 1, 1e-12);
  }
}

TEST(ModesPage, ShowsEachShapeAndItsEigenfrequency) {
  const ModesAnswer answer = answer_of(kMasses);
  const Result<draw::ModePage> page = make_page(answer, "text", "command");
  ASSERT_TRUE(page) << to_string(page.error());
  EXPECT_EQ(page->motion.shapes.size(), 2u);
  EXPECT_NEAR(page->motion.shapes[0].frequency, closed_frequencies()[0] / kTurn, 1e-9);
  double largest = 0;
  for (const Eigen::Vector3cd& u : page->motion.shapes[0].displacement) largest = std::max(largest, u.norm());
  EXPECT_NEAR(largest, 1, 1e-12);
  EXPECT_EQ(page->charts.front().curves.back().x.size(), 2u);
}

TEST(ModesDocument, SaysWhatStandsBehindTheNumbers) {
  const std::string json = to_json(answer_of(kMasses));
  for (const char* part : {R"("file": "model.yaml")", R"("certainty": "proved")", R"("found": 2)", R"("accepted": [])"})
    EXPECT_NE(json.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace espalier::study
