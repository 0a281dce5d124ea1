#pragma once

// Numbers as short texts: quantised, differenced, deflated, in base64. viewer/decode.js takes them apart again.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::draw::detail {

using Bytes = std::vector<std::uint8_t>;

// zlib's format, which browsers call "deflate". `level` 1 to 9.
Bytes deflated(std::span<const std::uint8_t> bytes, int level = 6);
Bytes deflated(std::string_view text, int level = 6);
std::string base64(std::span<const std::uint8_t> bytes);

// A number of [low, low + span] in 16 bits; the error is at most span / 131070.
std::uint16_t quantised(double value, double low, double span);

// A unit quaternion w x y z in three words: the largest part is left out, the others have 15 bits each.
std::array<std::uint16_t, 3> packed_turn(const std::array<double, 4>& quaternion);

// Series of `frames` words each, one after the other, as low and high bytes of zigzag differences: to the word before
// (order 1), or to the line through the two before (order 2).
Bytes differences(std::span<const std::uint16_t> words, std::size_t frames, int order);

// The shorter of both orders, deflated.
struct PackedSeries {
  int order = 1;
  Bytes bytes;
};
PackedSeries packed_series(std::span<const std::uint16_t> words, std::size_t frames);

}  // namespace espalier::draw::detail
