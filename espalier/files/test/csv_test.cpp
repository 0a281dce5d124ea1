#include "espalier/files/text_file.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::files {
namespace {

TEST(CsvField, PlainTextStaysAsItIs) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("crank 1; Größe"), "crank 1; Größe");
}

// A carriage return alone ends a line for some readers.
TEST(CsvField, WhatWouldEndAFieldIsQuoted) {
  EXPECT_EQ(csv_field("rod, long"), "\"rod, long\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("two\rlines"), "\"two\rlines\"");
}

TEST(CsvField, QuotesStandTwice) {
  EXPECT_EQ(csv_field("the \"B\""), "\"the \"\"B\"\"\"");
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
}

// Columns 0 and 2 of a table.
Result<CsvRows> outer_columns(std::string_view text) {
  const Result<CsvHead> head = read_csv_head(text, "drive.csv");
  ESPALIER_TRY(head);
  const std::size_t columns[] = {0, head->names.size() - 1};
  return read_csv_rows(text, "drive.csv", *head, columns);
}

TEST(ReadCsv, TakesCommasSemicolonsAndTabs) {
  for (const std::string text :
       {"t,x,y\n0,7,1\n0.5,7,-2e3\n", "t;x;y\r\n0;7;1\r\n0.5;7;-2e3", "t\tx\ty\n0\t\t1\n0.5\t\t-2e3\n\n",
        "\xEF\xBB\xBF# of a motor\n\nt , x , y\n 0 , , 1\n# half way\n\"0.5\",,-2e3\n"}) {
    const Result<CsvRows> rows = outer_columns(text);
    ASSERT_TRUE(rows) << to_string(rows.error()) << " in " << text;
    EXPECT_EQ(rows->columns, (std::vector<std::vector<double>>{{0, 0.5}, {1, -2000}}));
  }
}

TEST(ReadCsv, NamesStandInQuotesWhereTheyMust) {
  const Result<CsvHead> head = read_csv_head("\"time, s\",\"the \"\"B\"\"\",\"two\nlines\"\n1,2,3\n", "drive.csv");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->names, (std::vector<std::string>{"time, s", "the \"B\"", "two\nlines"}));
  EXPECT_EQ(head->next_line, 3);
}

// Lines are those of the file, remarks and lines without anything counted.
TEST(ReadCsv, KnowsTheLineOfEachRow) {
  const Result<CsvRows> rows = outer_columns("# head\nt,y\n\n0,1\n# between\n1,1\n");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->line, (std::vector<int>{4, 6}));
}

TEST(ReadCsv, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "drive.csv:1: the table is empty"},
      {"# nothing but a remark\n", "drive.csv:1: the table is empty"},
      {"0,1\n1,2\n", "drive.csv:1: numbers stand in the first line"},
      {"t,y\n0,1\n0.5\n", "drive.csv:3: the row has 1 field, and line 1 names 2 columns"},
      {"t;y\n0,5;1\n", "drive.csv:2: column 't': '0,5' is no finite number; write numbers with a point"},
      {"t,y\n0,nan\n", "drive.csv:2: column 'y': 'nan' is no finite number"},
      {"t,y\n0,1e999\n", "drive.csv:2: column 'y': '1e999' is no finite number"},
      {"t,y\n0,\n", "drive.csv:2: column 'y': the field is empty"},
  };
  for (const auto& [text, message] : cases) {
    const Result<CsvRows> rows = outer_columns(text);
    ASSERT_FALSE(rows) << text;
    EXPECT_EQ(to_string(rows.error()).substr(0, message.size()), message);
  }
}

}  // namespace
}  // namespace espalier::files
