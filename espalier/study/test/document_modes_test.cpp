#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/test/documents_support.hpp"
#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

std::string document_of(const std::string& text, const ModesOptions& options = {}) {
  const Result<ModesAnswer> answer = modes(comm::Comm::serial(), loaded_of(text), options);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return answer ? to_json(*answer) : "";
}

TEST(ModesDocument, HasTheFrequenciesOfTheClosedForm) {
  const std::string document = document_of(kMasses);
  const std::vector<double> omega = numbers_of(document, "omega"), hertz = numbers_of(document, "frequency");
  ASSERT_EQ(omega.size(), 2u);
  // And once more in the motion that pages draw.
  ASSERT_EQ(hertz.size(), 4u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(omega[k], closed_frequencies()[k], 1e-9);
    EXPECT_NEAR(hertz[k], omega[k] / kTurn, 1e-12);
  }
}

TEST(ModesDocument, OfAnUndampedModelHasRealShapesAndNoDamping) {
  const std::string document = document_of(kMasses);
  expect_parts(document, {R"("damped": false)", R"("max_decay": null)", R"("bracket": [)", R"("shapes": [[[)"});
  expect_no_part(document, R"("shapes": [[[[)");
  expect_no_part(document, R"("damping":)");
  expect_no_part(document, R"("lost":)");
}

TEST(ModesDocument, OfADampedModelHasPairsAndWhatIsLost) {
  std::string damped = kMasses;
  damped.replace(damped.find("stiffness: 500"), 14, "stiffness: 500, damping: 1");
  const std::string document = document_of(damped);
  expect_parts(document, {R"("damped": true)", R"("lost":)", R"("shapes": [[[[)"});
  expect_no_part(document, R"("bracket":)");
  for (const double ratio : numbers_of(document, "damping")) EXPECT_GT(ratio, 0);
}

TEST(ModesDocument, WithoutShapesHasNothingThatIsScaledWithThem) {
  ModesOptions options;
  options.shapes = false;
  const std::string document = document_of(kMasses, options);
  for (const char* key : {R"("shapes":)", R"("modal_mass":)", R"("scaling":)"}) expect_no_part(document, key);
}

TEST(ModesDocument, OfASearchThatCountsNothingHasNullAndNotZero) {
  ModesOptions options;
  options.method = modes::Method::kBisection;
  options.max_frequency = 10;
  expect_parts(document_of(kMasses, options), {R"("free_motions": null,"counted": null,"certainty": "none")"});
}

}  // namespace
}  // namespace espalier::study
