#pragma once

// What a coupling says, whatever way it is written in: two that say the same compare equal.

#include <map>
#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model::detail {

// sum ratio q = offset with the first ratio (by joint name) made 1, or the polynomial where it is not linear.
struct CouplingLaw {
  std::map<std::string, double> ratio;
  double offset = 0;
  std::vector<double> polynomial;
};
CouplingLaw law_of(const Model& model, const Coupling& coupling);

// Names of the joints, by which the couplings of two models are matched, and their ratios in that order.
std::string joints_of(const CouplingLaw& law);
std::vector<double> ratios_of(const CouplingLaw& law);

}  // namespace espalier::model::detail
