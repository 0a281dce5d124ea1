#pragma once

// What `modes` prints of shapes beside their numbers: masses that take part, and where energy is.

#include <string>

#include <nlohmann/json.hpp>

#include "apps/espalier/modes_report.hpp"

namespace espalier::app {

// The whole structure: `mass`, `centre`.
void add_results(const ModesReport& report, nlohmann::ordered_json& json);
// Of mode `k`: `modal_mass`, `participation`, `effective_mass`, `energy`, each with one entry for each shape.
void add_results(const ModesReport& report, std::size_t k, nlohmann::ordered_json& json);

// "61 % y": the direction in which the mode has the largest part of all mass; empty where that is below 1 %.
std::string most_mass(const ModesReport& report, std::size_t k);
// "stem 45 %": what has most potential energy.
std::string most_energy(const ModesReport& report, std::size_t k);

}  // namespace espalier::app
