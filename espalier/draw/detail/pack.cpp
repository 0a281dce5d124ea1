#include "espalier/draw/detail/pack.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <zlib.h>

namespace espalier::draw::detail {

Bytes deflated(std::span<const std::uint8_t> bytes, int level) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes out(size);
  // It fails only where memory or the level is wrong, and both are ours.
  const int status = compress2(out.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), level);
  out.resize(status == Z_OK ? size : 0);
  return out;
}

Bytes deflated(std::string_view text, int level) {
  return deflated(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), level);
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    // Missing bytes are zeros, and their letters = signs.
    for (std::size_t i = 0; i < 3; ++i) word = word << 8 | (i < left ? bytes[k + i] : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += i <= left ? kLetters[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::uint16_t quantised(double value, double low, double span) {
  // A constant is its lowest value.
  if (!(span > 0) || !std::isfinite(value)) return 0;
  return static_cast<std::uint16_t>(std::lround(std::clamp((value - low) / span, 0.0, 1.0) * 65535));
}

std::array<std::uint16_t, 3> packed_turn(const std::array<double, 4>& quaternion) {
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 4; ++k) {
    // The largest part follows from the others, and with the least error.
    if (std::abs(quaternion[k]) > std::abs(quaternion[largest])) largest = k;
  }
  // q and -q are the same turn: the part that is left out is taken as positive.
  const double sign = quaternion[largest] < 0 ? -1 : 1;
  std::array<std::uint16_t, 3> words{};
  std::size_t next = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (k == largest) continue;
    // The other parts are at most 1/sqrt(2) in size.
    const double part = std::clamp(sign * quaternion[k] * std::sqrt(2.0), -1.0, 1.0);
    words[next++] = static_cast<std::uint16_t>(std::lround((part + 1) / 2 * 32767));
  }
  // Which part is missing takes two bits: the top ones of the first two words, which need fifteen.
  words[0] = static_cast<std::uint16_t>(words[0] | (largest & 1) << 15);
  words[1] = static_cast<std::uint16_t>(words[1] | (largest >> 1) << 15);
  return words;
}

Bytes differences(std::span<const std::uint16_t> words, std::size_t frames, int order) {
  const std::size_t count = words.size();
  Bytes out(2 * count);
  for (std::size_t begin = 0; begin < count; begin += frames) {
    for (std::size_t k = 0; k < frames; ++k) {
      const int last = k > 0 ? words[begin + k - 1] : 0;
      // By the line through the two before: right for all that moves evenly.
      const int guess = order == 2 && k > 1 ? 2 * last - words[begin + k - 2] : last;
      // Modulo 2^16: small steps either way become small numbers.
      const auto step = static_cast<std::int16_t>(static_cast<std::uint16_t>(words[begin + k] - guess));
      // Signs to the lowest bit, so that a small step back has zeros above it too.
      const auto zigzag = static_cast<std::uint16_t>(static_cast<std::uint16_t>(step * 2) ^ (step < 0 ? 0xffff : 0));
      out[begin + k] = static_cast<std::uint8_t>(zigzag & 0xff);
      // High bytes apart from the low ones: they are zero nearly everywhere.
      out[count + begin + k] = static_cast<std::uint8_t>(zigzag >> 8);
    }
  }
  return out;
}

PackedSeries packed_series(std::span<const std::uint16_t> words, std::size_t frames) {
  PackedSeries first{1, deflated(differences(words, frames, 1))};
  // Trying both costs twice the time, which large piles do not give back.
  if (words.size() > 8'000'000 || frames < 3) return first;
  PackedSeries second{2, deflated(differences(words, frames, 2))};
  return second.bytes.size() < first.bytes.size() ? second : first;
}

}  // namespace espalier::draw::detail
