#include "espalier/files/sealed_file.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/files/text_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

TEST(Words, StandLowestByteFirst) {
  std::string text;
  put(text, std::uint64_t{0x0807060504030201});
  EXPECT_EQ(text, "\1\2\3\4\5\6\7\10");
  EXPECT_EQ(WordReader(text).word(), 0x0807060504030201u);
}

TEST(Words, NumbersKeepTheirBits) {
  const std::vector<double> numbers = {-0.0, 0.1, std::numeric_limits<double>::denorm_min(), -1e300};
  std::string text;
  put(text, std::span<const double>(numbers));
  put(text, 2.5);
  WordReader reader(text);
  const std::vector<double> read = reader.numbers();
  ASSERT_EQ(read, numbers);
  EXPECT_TRUE(std::signbit(read[0]));
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.number(), 2.5);
  EXPECT_TRUE(reader.at_end());
}

TEST(Words, BehindTheEndAreZerosThatAreRemembered) {
  std::string text;
  put(text, std::uint64_t{7});
  WordReader reader(std::string_view(text).substr(0, 7));
  EXPECT_EQ(reader.word(), 0u);
  EXPECT_FALSE(reader.at_end());
}

// A damaged length must not ask for all memory.
TEST(Words, ALengthThatTheTextCannotHoldIsNone) {
  std::string text;
  put(text, std::uint64_t{2});
  put(text, 1.0);
  WordReader short_list(text);
  EXPECT_TRUE(short_list.numbers().empty());
  EXPECT_FALSE(short_list.at_end());
  std::string huge;
  put(huge, ~std::uint64_t{0});
  EXPECT_TRUE(WordReader(huge).numbers().empty());
}

class SealedFile : public TestFolder {
 protected:
  std::string problem(const std::string& text) {
    EXPECT_TRUE(write_text_file(path_, text).has_value());
    const Result<Sealed> sealed = read_sealed(path_);
    return sealed ? "whole" : sealed.error().message;
  }
  // A first line and a body with the sum over both.
  static std::string with_sum(std::string text) {
    put(text, Hash().add(std::string_view(text)).value());
    return text;
  }

  std::filesystem::path path_ = folder_ / "checkpoint.bin";
};

TEST_F(SealedFile, ComesBackWithItsKind) {
  const std::string body("any\nbytes\0at all", 16);
  ASSERT_TRUE(write_sealed(path_, {"scene", body}).has_value());
  const Result<Sealed> sealed = read_sealed(path_);
  ASSERT_TRUE(sealed.has_value()) << to_string(sealed.error());
  EXPECT_EQ(sealed->kind, "scene");
  EXPECT_EQ(sealed->body, body);
}

TEST_F(SealedFile, OfVersionOneIsReadByItsFirstLine) {
  EXPECT_EQ(problem(with_sum("espalier scene checkpoint 1\nbody")), "whole");
  EXPECT_EQ(read_sealed(path_)->kind, "scene");
  EXPECT_EQ(problem(with_sum("espalier checkpoint 1\nbody")), "whole");
  EXPECT_EQ(read_sealed(path_)->kind, "mechanism");
  EXPECT_EQ(read_sealed(path_)->body, "body");
  EXPECT_MENTIONS(problem(with_sum("espalier checkpoint 3 scene\nbody")), "not a checkpoint of this version");
}

TEST_F(SealedFile, IsRefusedWhereOneBitIsWrong) {
  const std::string whole = with_sum("espalier checkpoint 2 scene\nbody");
  for (std::size_t at = whole.find("scene"); at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(problem(damaged), "whole") << at;
  }
  EXPECT_MENTIONS(problem("espalier checkpoint 2 scene\n1234567"), "is cut off");
  EXPECT_MENTIONS(problem("something else\n"), "not a checkpoint");
}

}  // namespace
}  // namespace espalier::files
