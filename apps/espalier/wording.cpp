#include "apps/espalier/wording.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

// The words of the command line are the fields of the library with dashes, but for these.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOthers = {
    {{"end_time", "--end"}, {"folder", "-o"}}};

}  // namespace

std::string option_text(std::string_view field, std::string_view value) {
  std::string option = dashed_option(field);
  for (const auto& [name, word] : kOthers) {
    if (name == field) option = word;
  }
  return value.empty() ? option : fmt::format("{} {}", option, shell_word(std::string(value)));
}

std::string call_text(const study::Advice& advice) {
  // Measuring the machine is a verb of the library alone.
  std::string text = advice.verb == "calibrate" ? "espalier plan --calibrate" : "espalier " + advice.verb;
  if (!advice.model.empty()) text += " " + shell_word(advice.model);
  for (const auto& [field, value] : advice.options) text += " " + option_text(field, value);
  return text;
}

study::Advice with_load(study::Advice advice, const study::LoadOptions& load) {
  if (load.read.base) {
    advice.options.emplace_back("base", *load.read.base == formats::Base::kFixed ? "fixed" : "floating");
  }
  if (!load.read.spherical.empty()) advice.options.emplace_back("spherical", load.read.spherical);
  return advice;
}

std::string restart_text(const std::string& folder) {
  if (folder.empty()) return "no files were asked for";
  return "continue from the last checkpoint: " + call_text({"simulate", "", {{"restart", folder}}});
}

study::TextOptions text_options(bool all) { return {terminal_width(), all, {option_text, call_text}}; }

}  // namespace espalier::app
