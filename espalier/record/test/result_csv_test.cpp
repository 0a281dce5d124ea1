#include "espalier/record/detail/result_csv.hpp"

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record::detail {
namespace {

class CsvFile : public TestFolder {
 protected:
  std::filesystem::path path() const { return folder_ / "result.csv"; }
  std::string text() const { return *files::read_text_file(path()); }
};

// The ground has no columns; a ball has its pose and the energies.
TEST_F(CsvFile, HasALinePerFrameBelowItsHead) {
  Result<CsvWriter> writer = CsvWriter::create(path(), ball_layout());
  ASSERT_TRUE(writer.has_value());
  const std::string head =
      "time,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,kinetic,potential,strain,total\n";
  EXPECT_EQ(text(), head);
  const SceneFrame scene(1);
  ASSERT_TRUE(writer->append(scene.frame).has_value());
  // Gathered: nothing is written before it is asked for.
  EXPECT_EQ(text(), head);
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(text(), head + "0.1,1.07,1.08,1.09,1.1,1.11,1.12,1.13,2,3,0.5,5.5\n");
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(text(), head + "0.1,1.07,1.08,1.09,1.1,1.11,1.12,1.13,2,3,0.5,5.5\n");
}

TEST_F(CsvFile, NamesWithCommasAndQuotesStayOneField) {
  ASSERT_TRUE(CsvWriter::create(path(), small_layout()).has_value());
  EXPECT_MENTIONS(text(), "time,A,\"B \"\"two\"\"\nlines.qw\",kinetic,");
}

// Rows behind the checkpoint come again: they are dropped.
TEST_F(CsvFile, GoesOnBehindTheRowsThatAreKept) {
  Result<CsvWriter> writer = CsvWriter::create(path(), ball_layout());
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(writer->append(SceneFrame(k).frame).has_value());
  ASSERT_TRUE(writer->flush().has_value());
  const std::string whole = text();
  Result<CsvWriter> again = CsvWriter::reopen(path(), ball_layout(), 1);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_LT(text().size(), whole.size());
  for (int k = 1; k < 3; ++k) ASSERT_TRUE(again->append(SceneFrame(k).frame).has_value());
  ASSERT_TRUE(again->flush().has_value());
  EXPECT_EQ(text(), whole);
}

TEST_F(CsvFile, DoesNotGoOnBehindItsEndOrUnderAnotherHead) {
  ASSERT_TRUE(CsvWriter::create(path(), ball_layout()).has_value());
  EXPECT_MENTIONS(CsvWriter::reopen(path(), ball_layout(), 1).error().message, "holds 0 rows");
  EXPECT_MENTIONS(CsvWriter::reopen(path(), small_layout(), 0).error().message, "written for another model");
}

}  // namespace
}  // namespace espalier::record::detail
