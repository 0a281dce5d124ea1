#include "espalier/study/detail/result_size.hpp"

#include <gtest/gtest.h>

#include "espalier/record/run_folder.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/test/sweep_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study::detail {
namespace {

using ResultSizes = TestFolder;

// Bytes of all rows that are in the file.
double bytes_of(const std::filesystem::path& file) {
  const Result<record::Recording> recording = record::read_result(file);
  EXPECT_TRUE(recording.has_value()) << to_string(recording.error());
  double bytes = 0;
  for (const auto& [path, values] : recording->rows) bytes += 8 * static_cast<double>(values.size());
  return bytes;
}

TEST_F(ResultSizes, AreThoseOfTheFilesThatAreWritten) {
  std::string text = kPendulum;
  // Numbers with all their digits: at rest it would write zeros.
  text.replace(text.find("[0, 0, -9.81]"), 13, "[0, 3, -9.81]");
  const LoadedModel model = *load_text(text, "pendulum.yaml");
  for (const double end : {0.0, 0.5, 0.503}) {
    SimulateOptions options;
    options.end_time = end;
    options.folder = folder_ / std::to_string(end);
    options.quantities = "pin.position, pin.acceleration, energy.kinetic, bob.velocity.y";
    const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), model, options);
    ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
    // The frame of an end between two outputs is one more.
    EXPECT_NEAR(answer->expected.frames, static_cast<double>(answer->frames), end == 0.503 ? 1 : 0);
    const double csv = static_cast<double>(std::filesystem::file_size(options.folder / "result.csv"));
    EXPECT_NEAR(answer->expected.bytes, bytes_of(options.folder / "result.h5") + csv,
                0.1 * answer->expected.bytes + 500);
  }
}

TEST_F(ResultSizes, OfAPartAreWhatIsLeft) {
  const LoadedModel model = *load_text(kPendulum, "pendulum.yaml");
  SimulateOptions options;
  options.end_time = 0.5;
  options.folder = folder_ / "run";
  const Result<SimulateAnswer> begun = simulate(comm::Comm::serial(), model, options);
  ASSERT_TRUE(begun.has_value());
  record::RunRecord record = *record::read_run(options.folder);
  const record::ResultLayout layout = record::make_layout(begun->mechanism->system);
  record.options().end_time = 2;
  EXPECT_EQ(result_size(record, layout, 51).frames, 150);
  EXPECT_EQ(result_size(record, layout, 300).frames, 0);
}

TEST_F(ResultSizes, ThatDoNotFitTheDiskAreRefused) {
  ResultSize size{.frames = 1e12, .bytes = 3e18};
  const Result<void> fits = check_free_space(folder_ / "a/b/run", size);
  ASSERT_FALSE(fits.has_value());
  EXPECT_EQ(fits.error().code, ErrorCode::kOption);
  EXPECT_EQ(fits.error().option, "output_step");
  EXPECT_MENTIONS(fits.error().message, "about 3.0 EB in 1e+12 frames");
  EXPECT_MENTIONS(fits.error().message, "are free in " + folder_.string());
  size.bytes = 1000;
  EXPECT_TRUE(check_free_space(folder_ / "a/b/run", size).has_value());
  EXPECT_TRUE(check_free_space("", {}).has_value());
}

TEST(SizeText, HasTwoOrThreeDigitsAndAUnit) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(999.6), "1.0 kB");
  EXPECT_EQ(bytes_text(123456), "123 kB");
  EXPECT_EQ(bytes_text(9.4e15), "9.4 PB");
  EXPECT_EQ(bytes_text(7e21), "7000 EB");
  EXPECT_EQ(size_text({.frames = 1, .bytes = 2000}), "about 2.0 kB in 1 frame");
  EXPECT_EQ(size_text({.frames = 999999, .bytes = 2e9, .has_contacts = true}),
            "about 2.0 GB in 999999 frames, without the contacts");
}

TEST(ChooseQuantities, RefusesWhatNamesNothingAsAnOption) {
  record::ResultLayout layout;
  layout.bodies = {"ground", "arm"};
  EXPECT_TRUE(choose_quantities(layout, "")->columns().empty());
  EXPECT_EQ(choose_quantities(layout, "arm.velocity")->columns().size(), 6u);
  for (const char* words : {"arn.velocity", " ,"}) {
    const Result<record::Selection> selection = choose_quantities(layout, words);
    ASSERT_FALSE(selection.has_value());
    EXPECT_EQ(selection.error().code, ErrorCode::kOption);
    EXPECT_EQ(selection.error().option, "csv");
  }
}

}  // namespace
}  // namespace espalier::study::detail
