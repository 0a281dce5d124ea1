#pragma once

// Several lists in one message: put them in, send the bytes, take them out in the same order.

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "espalier/base/check.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::comm {

class Parcel {
 public:
  template <Plain T>
  void put(std::span<const T> values) {
    add(values.size());
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <Plain T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  template <Plain T>
  void put(const T& value) {
    put(std::span<const T>(&value, 1));
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void add(std::size_t count) {
    const auto bytes = std::as_bytes(std::span(&count, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> bytes_;
};

// Reads a parcel that outlives it. A list that is not there stops with a failed check.
class ParcelReader {
 public:
  explicit ParcelReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  template <Plain T>
  std::vector<T> take() {
    std::vector<T> values(take_count(sizeof(T)));
    copy(std::as_writable_bytes(std::span(values)));
    return values;
  }
  template <Plain T>
  T take_one() {
    ESPALIER_CHECK(take_count(sizeof(T)) == 1, "a parcel holds a list where one value was put");
    T value;
    copy(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

 private:
  std::size_t take_count(std::size_t size) {
    std::size_t count = 0;
    copy(std::as_writable_bytes(std::span(&count, 1)));
    ESPALIER_CHECK(count <= rest_.size() / size, "a parcel ends too soon");
    return count;
  }
  void copy(std::span<std::byte> to) {
    ESPALIER_CHECK(to.size() <= rest_.size(), "a parcel ends too soon");
    if (!to.empty()) std::memcpy(to.data(), rest_.data(), to.size());
    rest_ = rest_.subspan(to.size());
  }

  std::span<const std::byte> rest_;
};

}  // namespace espalier::comm
