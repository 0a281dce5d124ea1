#include "apps/espalier/plan_words.hpp"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/machine_place.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

using plan::Method;
using plan::Objective;
using study::EdgeWeights;

template <class T>
using Words = std::vector<std::pair<std::string, T>>;

constexpr std::array kObjectives = {
    Objective::kMccst,   Objective::kMwst,    Objective::kScbst,   Objective::kScbmwst,    Objective::kMwscbst,
    Objective::kBcbmwst, Objective::kBwscbst, Objective::kBcbbwst, Objective::kSequential, Objective::kTime};
constexpr std::array kMethods = {Method::kAuto, Method::kExact, Method::kSearch,   Method::kA1,
                                 Method::kA2,   Method::kA3,    Method::kExchange, Method::kDfs,
                                 Method::kBfs,  Method::kPrim,  Method::kKruskal};

template <class Values>
auto words_of(const Values& values) {
  Words<typename Values::value_type> words;
  for (const auto value : values) words.emplace_back(plan::to_string(value), value);
  return words;
}

// The value whose word this is; an empty word leaves `value` as it is.
template <class T, class Value>
Result<void> find_word(const char* option, const std::string& word, const Words<T>& words, Value& value) {
  if (word.empty()) return {};
  std::vector<std::string> known;
  for (const auto& [name, meant] : words) {
    if (name == word) return value = meant, Result<void>();
    known.push_back(name);
  }
  return make_option_error(option, fmt::format("`{}` {} is unknown; it is one of {}{}", option, in_quotes(word),
                                               fmt::join(known, ", "), did_you_mean(word, known)));
}

// What was measured here, if anything was.
std::string machine_file(const PlanCommand& command) {
  std::error_code ignored;
  if (!command.machine.empty()) return command.machine;
  return std::filesystem::exists(machine_place(), ignored) ? machine_place() : "";
}

}  // namespace

Result<study::PlanningOptions> planning_options(const PlanCommand& command) {
  study::PlanningOptions options;
  for (const Result<void>& read :
       {find_word("objective", command.objective, words_of(kObjectives), options.objective),
        find_word("method", command.method, words_of(kMethods), options.method),
        find_word<plan::Start>("start", command.start, {{"scbst", plan::Start::kScbst}, {"mwst", plan::Start::kMwst}},
                               options.start),
        find_word<plan::Sweep>(
            "sweep", command.sweep,
            {{"near", plan::Sweep::kNear}, {"far", plan::Sweep::kFar}, {"centre-out", plan::Sweep::kCentreOut}},
            options.sweep),
        find_word<EdgeWeights>("weights", command.weights,
                               {{"file", EdgeWeights::kFile},
                                {"liu", EdgeWeights::kLiu},
                                {"wang", EdgeWeights::kWang},
                                {"measured", EdgeWeights::kMeasured}},
                               options.weights)}) {
    ESPALIER_TRY(read);
  }
  options.beta = command.beta;
  options.max_length = command.max_length;
  options.max_weight = command.max_weight;
  options.free_root = command.root == "free";
  if (command.root != "auto" && !options.free_root) options.root = command.root;
  options.pin = command.pin;
  options.cut = command.cut;
  options.cut_body = command.cut_body;
  options.exponent = command.exponent;
  options.time_limit = command.time_limit;
  options.seed = command.seed;
  options.workers = command.workers;
  options.machine = machine_file(command);
  options.front = command.front;
  options.explain = command.explain;
  options.matrices = command.matrices;
  options.trace = command.trace;
  options.compare = command.compare;
  options.all_trees = command.all_trees;
  return options;
}

}  // namespace espalier::app
