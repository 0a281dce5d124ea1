#pragma once

// The fields of a JSON document, listed once for both ways. A list is a function of `fields` and of a struct: with a
// FieldWriter it writes the struct, in the order of the list, and with a FieldReader it reads it.
// Reading throws what nlohmann throws where a field is not there or of another type, or std::invalid_argument.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"

namespace espalier::record::detail {

class FieldWriter {
 public:
  explicit FieldWriter(nlohmann::ordered_json& json) : json_(json) {}

  // What is the same in every document.
  template <class T>
  void constant(const char* key, const T& value) const {
    json_[key] = value;
  }
  template <class T>
  void value(const char* key, const T& value) const {
    json_[key] = value;
  }
  // null where there is none.
  void value(const char* key, const std::optional<double>& value) const {
    json_[key] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  }
  // Left out where it is empty.
  template <class T>
  void unless_empty(const char* key, const T& value) const {
    if (!value.empty()) json_[key] = value;
  }
  template <class T>
  void word(const char* key, const T& value) const {
    json_[key] = word_of(value);
  }
  // `none` where there is none.
  template <class T>
  void word(const char* key, const std::optional<T>& value, const char* none) const {
    json_[key] = value ? word_of(*value) : none;
  }
  // Left out where there is none.
  template <class T, std::size_t count>
  void word(const char* key, const std::optional<T>& value, const Words<T, count>& words) const {
    for (const Word<T>& word : words) {
      if (value == word.value) json_[key] = word.text;
    }
  }
  // A text, since a JSON number keeps 53 bits of 64.
  void hash(const char* key, std::uint64_t value) const { json_[key] = hash_text(value); }
  template <class List>
  void group(const char* key, List list) const {
    nlohmann::ordered_json part = nlohmann::ordered_json::object();
    list(FieldWriter(part));
    json_[key] = std::move(part);
  }

 private:
  nlohmann::ordered_json& json_;
};

class FieldReader {
 public:
  explicit FieldReader(const nlohmann::ordered_json& json) : json_(json) {}

  template <class T>
  void constant(const char*, const T&) const {}
  // A number that is not finite has been written as null: it stays what it was.
  template <class T>
  void value(const char* key, T& value) const {
    const nlohmann::ordered_json& entry = json_.at(key);
    if (!entry.is_null()) entry.get_to(value);
  }
  void value(const char* key, std::optional<double>& value) const {
    const nlohmann::ordered_json& entry = json_.at(key);
    if (!entry.is_null()) value = entry.get<double>();
  }
  template <class T>
  void unless_empty(const char* key, T& value) const {
    if (json_.contains(key)) json_.at(key).get_to(value);
  }
  template <class T>
  void word(const char* key, T& value) const {
    const std::optional<T> found = find_word<T>(json_.at(key).get<std::string>());
    if (!found) throw std::invalid_argument(std::string(key) + " is one of " + all_words<T>());
    value = *found;
  }
  template <class T>
  void word(const char* key, std::optional<T>& value, const char* none) const {
    if (json_.at(key) != none) word(key, value.emplace());
  }
  template <class T, std::size_t count>
  void word(const char* key, std::optional<T>& value, const Words<T, count>& words) const {
    if (!json_.contains(key)) return;
    for (const Word<T>& word : words) {
      if (json_.at(key) == word.text) value = word.value;
    }
    if (!value) throw std::invalid_argument(std::string(key) + " is none of its words");
  }
  void hash(const char* key, std::uint64_t& value) const {
    value = std::stoull(json_.at(key).get<std::string>(), nullptr, 16);
  }
  template <class List>
  void group(const char* key, List list) const {
    list(FieldReader(json_.at(key)));
  }

 private:
  const nlohmann::ordered_json& json_;
};

}  // namespace espalier::record::detail
