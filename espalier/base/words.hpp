#pragma once

// The words of an enumeration, as users type them and files hold them. One list beside the enumeration is all it takes:
//   enum class Order { kKeys, kRanks };
//   constexpr Words<Order, 2> words(Order) { return {{{"keys", Order::kKeys}, {"ranks", Order::kRanks}}}; }

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

template <class T>
struct Word {
  const char* text;
  T value;
};
template <class T, std::size_t count>
using Words = std::array<Word<T>, count>;

// "keys" of Order::kKeys; empty for a value that is not in the list.
template <class T>
constexpr const char* word_of(T value) {
  for (const Word<T>& word : words(T())) {
    if (word.value == value) return word.text;
  }
  return "";
}

// Order::kKeys of "keys"; nothing for any other text.
template <class T>
constexpr std::optional<T> find_word(std::string_view text) {
  for (const Word<T>& word : words(T())) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

// "keys, ranks", for messages.
template <class T>
std::string all_words() {
  std::string all;
  for (const Word<T>& word : words(T())) all.append(all.empty() ? "" : ", ").append(word.text);
  return all;
}

}  // namespace espalier
