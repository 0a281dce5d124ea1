#include "espalier/record/plan_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

TEST(MachineFile, ComesBackAsItWasWritten) {
  plan::MachineConstants machine;
  machine.seconds = {1e-9, 0, 1.0 / 3 * 1e-8, 4e-9, 5e-9, 6e-9, 7e-10, 8e-10, 9e-9};
  machine.synchronisation = 1.5e-7;
  const Result<plan::MachineConstants> back = read_machine_text(machine_json(machine), "machine.json");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, machine);
}

TEST(MachineFile, SaysHowWellItPredictsWhereItIsKnown) {
  const plan::PredictionSpread spread = {0.125, 0.5};
  EXPECT_EQ(read_machine_spread_text(machine_json({}, spread)), spread);
  EXPECT_TRUE(read_machine_text(machine_json({}, spread), "machine.json"));
  EXPECT_FALSE(read_machine_spread_text(machine_json({})));
  EXPECT_FALSE(read_machine_spread_text("{\"typical_error\": 0.1, \"largest_error\": 0.2}"));
}

void expect_refused(const std::string& text, const std::string& word) {
  const Result<plan::MachineConstants> read = read_machine_text(text, "machine.json");
  ASSERT_FALSE(read) << text;
  EXPECT_NE(read.error().message.find(word), std::string::npos) << read.error().message;
  EXPECT_EQ(read.error().where.file, "machine.json");
}

TEST(MachineFile, SaysWhatIsWrong) {
  expect_refused("", "not the constants");
  expect_refused("[1, 2]", "not the constants");
  expect_refused("{}", "'joint' is missing");
  const std::string good = machine_json({});
  const auto with = [&](const std::string& value) {
    const std::size_t from = good.find("\"loop\":") + 7;
    return good.substr(0, from) + value + good.substr(good.find(',', from));
  };
  EXPECT_TRUE(read_machine_text(with("0"), "machine.json"));
  expect_refused(with("-1e-9"), "'loop' is -1e-09");
  expect_refused(with("\"fast\""), "'loop' must be a number");
  expect_refused(good.substr(0, good.rfind(',')) + "}", "'synchronisation' is missing");
}

class MachinePlace : public TestFolder {
 protected:
  MachinePlace() { ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1); }
  ~MachinePlace() override {
    before_ ? ::setenv("XDG_CONFIG_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
  }

 private:
  static std::optional<std::string> value(const char* name) {
    const char* found = std::getenv(name);
    return found == nullptr ? std::nullopt : std::optional<std::string>(found);
  }
  std::optional<std::string> before_ = value("XDG_CONFIG_HOME");
};

TEST_F(MachinePlace, IsMeasuredOnceTheFileIsThere) {
  EXPECT_EQ(machine_place(), (folder_ / "espalier/machine.json").string());
  EXPECT_EQ(measured_machine(), "");
  std::filesystem::create_directories(folder_ / "espalier");
  std::ofstream(machine_place()) << machine_json({});
  EXPECT_EQ(measured_machine(), machine_place());
  EXPECT_TRUE(read_machine(measured_machine()));
}

}  // namespace
}  // namespace espalier::record
