#include "espalier/study/text.hpp"

#include <fmt/format.h>

namespace espalier::study {

std::string word_field(std::string_view field, std::string_view value) {
  return value.empty() ? fmt::format("`{}`", field) : fmt::format("`{}` {}", field, value);
}

std::string word_call(const Advice& advice) {
  std::string inside = advice.model;
  for (const auto& [field, value] : advice.options) {
    if (!inside.empty()) inside += ", ";
    inside += fmt::format("{} = {}", field, value.empty() ? "true" : value);
  }
  return fmt::format("{}({})", advice.verb, inside);
}

}  // namespace espalier::study
