#include "espalier/draw/detail/pack.hpp"

#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <zlib.h>

namespace espalier::draw::detail {
namespace {

TEST(Base64, WritesWhatOthersRead) {
  // [RFC4648] section 10.
  for (const auto& [plain, text] : {std::pair<std::string, std::string>{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="},
                                    {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}}) {
    EXPECT_EQ(base64(std::span(reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size())), text);
  }
}

TEST(Deflated, ComesBack) {
  const std::string text(100'000, 'x');
  const Bytes bytes = deflated(text);
  EXPECT_LT(bytes.size(), 1000u);
  std::string back(text.size(), ' ');
  uLongf size = back.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size, bytes.data(), bytes.size()), Z_OK);
  EXPECT_EQ(back, text);
}

// What viewer/decode.js does, here in C++.
std::array<double, 4> unpacked(const std::array<std::uint16_t, 3>& words) {
  const std::size_t largest = static_cast<std::size_t>((words[0] >> 15) | ((words[1] >> 15) << 1));
  std::array<double, 4> q{};
  double sum = 0;
  for (std::size_t k = 0, next = 0; k < 4; ++k) {
    if (k == largest) continue;
    q[k] = ((words[next++] & 0x7fff) / 32767.0 * 2 - 1) * std::sqrt(0.5);
    sum += q[k] * q[k];
  }
  q[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return q;
}

TEST(PackedTurn, IsOffByLessThanThePageSays) {
  std::mt19937 random(1);
  std::normal_distribution<double> part;
  double worst = 0;
  for (int k = 0; k < 20'000; ++k) {
    std::array<double, 4> q = {part(random), part(random), part(random), part(random)};
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double dot = 0;
    for (double& x : q) x /= norm;
    const std::array<double, 4> back = unpacked(packed_turn(q));
    for (std::size_t i = 0; i < 4; ++i) dot += q[i] * back[i];
    worst = std::max(worst, 2 * std::sqrt(std::max(0.0, 1 - dot * dot)));
  }
  EXPECT_LT(worst, 4 * std::sqrt(1.5) / 32767) << "the bound in view_data.cpp";
  EXPECT_GT(worst, 5e-5) << "fifteen bits are not that exact";
}

TEST(Differences, AreZeroWhereNothingMovesOrMovesEvenly) {
  const std::vector<std::uint16_t> still(50, 777);
  std::vector<std::uint16_t> even;
  for (int k = 0; k < 50; ++k) even.push_back(static_cast<std::uint16_t>(100 + 7 * k));
  const Bytes first = differences(still, 50, 1), second = differences(even, 50, 2);
  for (std::size_t k = 2; k < 50; ++k) {
    EXPECT_EQ(first[k], 0);
    EXPECT_EQ(second[k], 0);
  }
}

TEST(Quantised, KeepsEndsAndMiddle) {
  EXPECT_EQ(quantised(-1, -1, 2), 0);
  EXPECT_EQ(quantised(1, -1, 2), 65535);
  EXPECT_NEAR(-1 + 2 * quantised(0.3, -1, 2) / 65535.0, 0.3, 2.0 / 131070 + 1e-12);
  EXPECT_EQ(quantised(5, 5, 0), 0) << "what does not move has no range";
}

}  // namespace
}  // namespace espalier::draw::detail
