#include "espalier/base/numbers.hpp"

#include <bit>

#include <fmt/format.h>

namespace espalier {
namespace {

// Of FNV-1a. It tells changes of results, not attacks.
constexpr std::uint64_t kPrime = 0x100000001b3;

// Byte by byte from the lowest, so that the order of bytes in memory does not matter.
std::uint64_t add_word(std::uint64_t hash, std::uint64_t word) {
  for (int k = 0; k < 8; ++k, word >>= 8) hash = (hash ^ (word & 0xff)) * kPrime;
  return hash;
}

}  // namespace

Hash& Hash::add(std::string_view bytes) {
  for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * kPrime;
  return *this;
}

Hash& Hash::add(std::span<const double> numbers) {
  for (const double number : numbers) value_ = add_word(value_, std::bit_cast<std::uint64_t>(number));
  return *this;
}

Hash& Hash::add(std::int64_t number) {
  value_ = add_word(value_, static_cast<std::uint64_t>(number));
  return *this;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace espalier
