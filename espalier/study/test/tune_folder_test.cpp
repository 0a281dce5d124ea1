#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/files/sealed_file.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/tune.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class TuneFolders : public TestFolder {
 protected:
  std::filesystem::path path() const { return folder_ / "checkpoint.bin"; }
  std::string text() const { return *files::read_text_file(path()); }
  void put(const std::string& bytes) const { ASSERT_TRUE(files::write_text_file(path(), bytes).has_value()); }
  Result<TuneRecord> read() {
    notes_.clear();
    return read_tune_checkpoint(folder_, notes_);
  }

  std::vector<std::string> notes_;
};

// A search in its fourth generation, with numbers that are easily lost.
TuneRecord half_way() {
  TuneRecord record;
  record.model = "beam.yaml";
  record.algorithm = "cmaes";
  record.population = 12;
  record.generations = 40;
  record.seed = ~std::uint64_t{0};
  record.pareto = true;
  record.enough = 0.1 + 0.2;
  record.accept = {"mesh"};
  record.state.study = 0xfedcba9876543210;
  record.state.seconds = 1e-300;
  optimize::SearchState& search = record.state.search;
  search.generation = 4;
  search.evaluations = 48;
  search.without_number = 3;
  search.best = {{1.0 / 3, -0.0}, {5e-324}, 0};
  search.memory = std::string("\0\xff\n", 3);
  search.population = {{{1}, {kNan}, kNan}, {{2, 3}, {}, 0.5}};
  search.archive = {{{4}, {5}, 6}};
  search.gain = {3, {{{10, 11}, {12}, 13}}};
  record.patience = 7;
  record.state.history = {{4, kNan, 2.5, {7}, {8, 9}}};
  return record;
}

TEST_F(TuneFolders, GiveBackEveryBit) {
  const TuneRecord record = half_way();
  ASSERT_TRUE(write_tune_checkpoint(folder_, record).has_value());
  const Result<TuneRecord> back = read();
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  EXPECT_EQ(back->model, record.model);
  EXPECT_EQ(back->algorithm, record.algorithm);
  EXPECT_EQ(back->population, record.population);
  EXPECT_EQ(back->generations, record.generations);
  EXPECT_EQ(back->seed, record.seed);
  EXPECT_TRUE(back->pareto);
  EXPECT_EQ(back->enough, record.enough);
  EXPECT_EQ(back->accept, record.accept);
  EXPECT_EQ(back->state.study, record.state.study);
  EXPECT_EQ(back->state.seconds, record.state.seconds);
  const optimize::SearchState &search = back->state.search, &expected = record.state.search;
  EXPECT_EQ(search.generation, 4);
  EXPECT_EQ(search.evaluations, 48);
  EXPECT_EQ(search.without_number, 3);
  EXPECT_EQ(search.best.parameters, expected.best.parameters);
  EXPECT_TRUE(std::signbit(search.best.parameters[1]));
  EXPECT_EQ(search.best.goals, expected.best.goals);
  EXPECT_EQ(search.memory, expected.memory);
  ASSERT_EQ(search.population.size(), 2u);
  EXPECT_TRUE(std::isnan(search.population[0].goals[0]) && std::isnan(search.population[0].excess));
  EXPECT_EQ(search.population[1].parameters, (std::vector<double>{2, 3}));
  EXPECT_EQ(search.archive[0].excess, 6);
  EXPECT_EQ(search.gain.generation, 3);
  ASSERT_EQ(search.gain.designs.size(), 1u);
  EXPECT_EQ(search.gain.designs[0].parameters, (std::vector<double>{10, 11}));
  EXPECT_EQ(back->patience, 7);
  ASSERT_EQ(back->state.history.size(), 1u);
  EXPECT_TRUE(std::isnan(back->state.history[0].best));
  EXPECT_EQ(back->state.history[0].mean, 2.5);
  EXPECT_EQ(back->state.history[0].frequencies, (std::vector<double>{8, 9}));
}

TEST_F(TuneFolders, AreSealedAsCheckpointsOfRunsAre) {
  ASSERT_TRUE(write_tune_checkpoint(folder_, half_way()).has_value());
  EXPECT_TRUE(text().starts_with("espalier checkpoint 2 tune\n"));
  ASSERT_TRUE(files::write_sealed(path(), {"mechanism", "words of a run"}).has_value());
  std::filesystem::remove(files::checkpoint_before(path()));
  EXPECT_MENTIONS(read().error().message, "a checkpoint of the kind 'mechanism', not of a design search");
}

// Whatever happens to the last one, the one before stands in for it and a note says so; without it the file is refused.
TEST_F(TuneFolders, ADamagedCheckpointIsNotBelieved) {
  TuneRecord record = half_way();
  ASSERT_TRUE(write_tune_checkpoint(folder_, record).has_value());
  record.state.search.generation = 5;
  ASSERT_TRUE(write_tune_checkpoint(folder_, record).has_value());
  const std::string whole = text();
  for (std::size_t k = 0; k < whole.size(); k += 7) {
    std::string bad = whole;
    bad[k] = static_cast<char>(bad[k] ^ 1);
    put(bad);
    const Result<TuneRecord> before = read();
    ASSERT_TRUE(before.has_value()) << k;
    EXPECT_EQ(before->state.search.generation, 4) << k;
    EXPECT_EQ(notes_.size(), 1u) << k;
  }
  std::filesystem::remove(files::checkpoint_before(path()));
  EXPECT_FALSE(read().has_value());
}

TEST_F(TuneFolders, OfTheVersionBeforeAreRefusedWithTheWayOut) {
  const std::string old = "{\"espalier_tune\":2,\"model\":\"m.yaml\",\"checksum\":\"0000000000000000\"}\n";
  ASSERT_TRUE(files::write_text_file(folder_ / "checkpoint.json", old).has_value());
  const Result<TuneRecord> refused = read();
  ASSERT_FALSE(refused.has_value());
  EXPECT_MENTIONS(refused.error().where.file, "checkpoint.json");
  EXPECT_MENTIONS(refused.error().message, "continue it with the program that wrote it");
  // Nor is it taken for an empty folder.
  EXPECT_FALSE(make_tune_folder(folder_).has_value());
}

TEST_F(TuneFolders, WithASearchAreNotOverwritten) {
  ASSERT_TRUE(make_tune_folder(folder_).has_value());
  ASSERT_TRUE(write_tune_checkpoint(folder_, {}).has_value());
  EXPECT_MENTIONS(make_tune_folder(folder_).error().message, "holds a design search already");
  EXPECT_FALSE(make_tune_folder("/dev/null/none").has_value());
}

}  // namespace
}  // namespace espalier::study
