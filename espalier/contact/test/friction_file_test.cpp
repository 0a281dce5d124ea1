#include "espalier/contact/friction_file.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/base/index.hpp"

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const std::string kPair =
    "contacts 2\nblocks 4\nc 0 0.5 1 2 3\nc 1 0 4 5 6\nb 0 0 9 0 0 0 9 0 0 0 9\nb 0 1 1 0 0 0 1 0 0 0 1\n"
    "b 1 0 1 0 0 0 1 0 0 0 1\nb 1 1 8 0 0 0 8 0 0 0 8\n";

std::string message(const std::string& text) {
  const Result<LocalProblem> problem = parse_friction_problem(text, "f");
  return problem ? "" : to_string(problem.error());
}

TEST(ParseFrictionProblem, PutsTheNormalLastAndNamesTheLineOfAMistake) {
  const auto problem = parse_friction_problem("contacts 1\nblocks 1\nc 0 0.5 1 2 3\nb 0 0 1 2 3 4 5 6 7 8 9\n", "f");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->B[0], Vector3d(2, 3, 1));
  EXPECT_EQ(problem->block[0], (Matrix3d() << 5, 6, 4, 8, 9, 7, 2, 3, 1).finished());
  const auto wrong = parse_friction_problem("contacts 1\nblocks 1\nc 1 0.5 1 2 3\n", "f.fc3d");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(to_string(wrong.error()), "f.fc3d:3: 1 is no contact; they count from 0 to 0");
}

TEST(ParseFrictionProblem, SizesThatTheFileDoesNotHoldAreNotBelieved) {
  EXPECT_EQ(message("contacts 10000000\nblocks 0\n"),
            "f:1: the file promises 10000000 contacts and is too short for them: it was cut off");
  EXPECT_EQ(message("contacts 1\nblocks 2\nc 0 0.5 1 2 3\nb 0 0 1 2 3 4 5 6 7 8 9\n"),
            "f: the file promises 2 blocks and holds 1");
  EXPECT_EQ(message(kPair + "contacts 1\n"), "f:9: the number of contacts has been given before");
  EXPECT_EQ(message("contacts 0.5\n"), "f:1: a size is a whole number up to 1000000000");
  EXPECT_EQ(message("contacts nan\n"), "f:1: a size is a whole number up to 1000000000");
}

TEST(ParseFrictionProblem, AFileCutOffAnywhereIsRefused) {
  ASSERT_EQ(message(kPair), "");
  // The last character but the line's end is a digit of a number that is as good without it; none is in between.
  for (std::size_t length = 1; length + 3 < kPair.size(); ++length) {
    EXPECT_NE(message(kPair.substr(0, length)), "") << length;
  }
}

// Whatever the words: an error, or rows that name contacts which are there.
TEST(ParseFrictionProblem, AnyWordsGiveAnErrorOrAProblemThatIsWhole) {
  const std::vector<std::string> words = {"contacts", "blocks", "c",     "b",   "0", "1",
                                          "2",        "-1",     "1e300", "nan", "x", "\n"};
  EXPECT_TRUE(rc::check([&] {
    std::string text = *rc::gen::element(std::string(), kPair);
    for (const std::size_t word :
         *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, words.size()))) {
      text += words[word] + " ";
    }
    const Result<LocalProblem> problem = parse_friction_problem(text, "f");
    if (!problem) return;
    const std::size_t rows = problem->rows.size();
    RC_ASSERT(problem->begin.size() == rows + 1);
    RC_ASSERT(problem->diagonal.size() == rows);
    for (const int column : problem->column) RC_ASSERT(column >= 0 && to_index(column) < rows);
  }));
}

TEST(ParseFrictionProblem, AnyBytesGiveAnErrorOrAProblem) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { (void)parse_friction_problem(bytes, "f"); }));
}

}  // namespace
}  // namespace espalier::contact
