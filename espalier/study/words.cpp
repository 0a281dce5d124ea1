#include "espalier/study/words.hpp"

#include <algorithm>
#include <array>

#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/optimize/optimize.hpp"
#include "espalier/plan/words.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study {
namespace {

using List = std::vector<std::string>;

// What `generate` makes: rules, graphs, and models that come with the program.
List kinds() {
  List list;
  for (const GeneratorKind& kind : generator_kinds()) list.push_back(kind.name);
  for (const formats::ShippedModel& model : formats::shipped_models()) {
    const std::string name(model.name);
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }
  return list;
}

struct Entry {
  std::string_view verb, option;  // an empty verb: all
  List (*words)();
};

constexpr std::array kEntries = {
    Entry{"", "base",
          [] {
            return List{"floating", "fixed"};
          }},
    Entry{"", "to",
          [] {
            return List{"native", "urdf", "sdf", "mjcf", "usda"};
          }},
    Entry{"", "objective", word_list<plan::Objective>},
    Entry{"generate", "kind", kinds},
    Entry{"generate", "grain", word_list<model::Grain>},
    Entry{"plan", "method", word_list<plan::Method>},
    Entry{"plan", "weights", word_list<EdgeWeights>},
    Entry{"plan", "start", word_list<plan::Start>},
    Entry{"plan", "sweep", word_list<plan::Sweep>},
    Entry{"simulate", "engine", word_list<Engine>},
    Entry{"simulate", "integrator", word_list<dynamics::Integrator>},
    Entry{"simulate", "storage", word_list<contact::Storage>},
    Entry{"simulate", "bisection", word_list<contact::Bisection>},
    Entry{"simulate", "weights",
          [] {
            return List{"measured", "counted"};
          }},
    Entry{"simulate", "order", word_list<contact::Order>},
    Entry{"simulate", "solver", word_list<contact::Solver>},
    Entry{"modes", "method", word_list<modes::Method>},
    Entry{"modes", "distribution", word_list<modes::Distribution>},
    Entry{"modes", "scaling", word_list<modes::Scaling>},
    Entry{"tune", "algorithm", word_list<optimize::Algorithm>},
};

}  // namespace

List option_words(std::string_view verb, std::string_view option) {
  for (const Entry& entry : kEntries) {
    if (entry.option == option && (entry.verb.empty() || entry.verb == verb)) return entry.words();
  }
  return {};
}

}  // namespace espalier::study
