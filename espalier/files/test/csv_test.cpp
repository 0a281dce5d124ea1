#include "espalier/files/text_file.hpp"

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

}  // namespace
}  // namespace espalier::files
