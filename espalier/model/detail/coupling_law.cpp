#include "espalier/model/detail/coupling_law.hpp"

#include <algorithm>

namespace espalier::model::detail {

CouplingLaw law_of(const Model& model, const Coupling& coupling) {
  CouplingLaw law;
  // Numbers of joints may change on the way, so that a law speaks of names.
  const auto name = [&](std::size_t k) { return model.joint(coupling.joints[k]).name; };
  const std::size_t degree = coupling.polynomial.size();
  const bool linear = degree == 0 || std::all_of(coupling.polynomial.begin() +
                                                     std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(degree)),
                                                 coupling.polynomial.end(), [](double c) { return c == 0; });
  if (!linear) {
    // Not linear: the roles of the joints matter, so that their places stand in for ratios.
    for (std::size_t k = 0; k < coupling.joints.size(); ++k) law.ratio[name(k)] = static_cast<double>(k + 1);
    law.polynomial = coupling.polynomial;
    // Zeros at the end are a matter of writing.
    while (!law.polynomial.empty() && law.polynomial.back() == 0) law.polynomial.pop_back();
    return law;
  }
  // q0 = c0 + c1 q1 is q0 - c1 q1 = c0: a format that knows only ratios keeps the law.
  if (degree > 0) {
    law.ratio[name(0)] = 1;
    if (coupling.joints.size() > 1) law.ratio[name(1)] = degree > 1 ? -coupling.polynomial[1] : 0;
    law.offset = coupling.polynomial[0];
  } else {
    for (std::size_t k = 0; k < coupling.joints.size(); ++k) law.ratio[name(k)] = coupling.ratio[k];
    law.offset = coupling.offset;
  }
  // Any multiple of an equation says the same; the first ratio made 1 picks one of them.
  const auto first =
      std::find_if(law.ratio.begin(), law.ratio.end(), [](const auto& entry) { return entry.second != 0; });
  const double unit = first == law.ratio.end() ? 1 : first->second;
  for (auto& [joint, ratio] : law.ratio) ratio /= unit;
  law.offset /= unit;
  return law;
}

std::string joints_of(const CouplingLaw& law) {
  std::string text;
  for (const auto& [joint, ratio] : law.ratio) text += (text.empty() ? "" : ", ") + joint;
  return text;
}

std::vector<double> ratios_of(const CouplingLaw& law) {
  std::vector<double> ratios;
  for (const auto& [joint, ratio] : law.ratio) ratios.push_back(ratio);
  return ratios;
}

}  // namespace espalier::model::detail
