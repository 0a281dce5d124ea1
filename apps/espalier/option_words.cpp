#include <algorithm>
#include <array>

#include "apps/espalier/program_help.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/optimize/optimize.hpp"
#include "espalier/plan/words.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::app {
namespace {

using List = std::vector<std::string>;

// Those by which the program reads the option.
template <class T>
List of() {
  List list;
  for (const Word<T>& word : words(T())) list.emplace_back(word.text);
  return list;
}

template <class T, std::size_t N>
List of(const std::array<T, N>& values) {
  List list;
  for (const T value : values) list.emplace_back(word(value));
  return list;
}

// What `generate` makes: rules, graphs, and models that come with the program.
List kinds() {
  List list;
  for (const study::GeneratorKind& kind : study::generator_kinds()) list.push_back(kind.name);
  for (const formats::ShippedModel& model : formats::shipped_models()) {
    const std::string name(model.name);
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }
  return list;
}

List algorithms() {
  using optimize::Algorithm;
  return of(std::array{Algorithm::kGenetic, Algorithm::kNsga2, Algorithm::kPso, Algorithm::kAco, Algorithm::kCmaes,
                       Algorithm::kDe});
}

List modes_methods() {
  return of(std::array{modes::Method::kAuto, modes::Method::kRecursive, modes::Method::kBisection});
}

List distributions() {
  using modes::Distribution;
  return of(std::array{Distribution::kDynamic, Distribution::kPaper, Distribution::kElements});
}

struct Entry {
  std::string_view verb, option;  // an empty verb: all
  List (*words)();
};

constexpr std::array kEntries = {
    Entry{"", "--base",
          [] {
            return List{"floating", "fixed"};
          }},
    Entry{"", "--to",
          [] {
            return List{"native", "urdf", "sdf", "mjcf"};
          }},
    Entry{"", "--objective", of<plan::Objective>},
    Entry{"generate", "kind", kinds},
    Entry{"generate", "--grain", of<model::Grain>},
    Entry{"plan", "--method", of<plan::Method>},
    Entry{"plan", "--weights", of<study::EdgeWeights>},
    Entry{"plan", "--start", of<plan::Start>},
    Entry{"plan", "--sweep", of<plan::Sweep>},
    Entry{"simulate", "--engine", of<study::Engine>},
    Entry{"simulate", "--integrator", of<dynamics::Integrator>},
    Entry{"simulate", "--storage", of<contact::Storage>},
    Entry{"simulate", "--bisection", of<contact::Bisection>},
    Entry{"simulate", "--weights",
          [] {
            return List{"measured", "counted"};
          }},
    Entry{"simulate", "--order", of<contact::Order>},
    Entry{"simulate", "--solver", of<contact::Solver>},
    Entry{"modes", "--method", modes_methods},
    Entry{"modes", "--distribution", distributions},
    Entry{"modes", "--scaling",
          [] {
            return List{"largest", "mass"};
          }},
    Entry{"tune", "--algorithm", algorithms},
    Entry{"completion", "shell",
          [] {
            return List{"bash", "zsh", "fish"};
          }},
};

}  // namespace

List option_words(std::string_view verb, std::string_view option) {
  for (const Entry& entry : kEntries) {
    if (entry.option == option && (entry.verb.empty() || entry.verb == verb)) return entry.words();
  }
  return {};
}

}  // namespace espalier::app
