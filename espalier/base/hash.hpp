#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier {

// Sixty-four bits of fingerprint, FNV-1a [Fowler91]: the same on every machine and in every version. It tells
// files and states apart that differ by accident, not by intent.
class Hash {
 public:
  Hash& add(std::string_view bytes);
  // The bits of the numbers: 0 and -0 differ.
  Hash& add(std::span<const double> numbers);
  Hash& add(std::int64_t number);

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace espalier
