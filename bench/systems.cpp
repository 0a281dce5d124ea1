#include "bench/systems.hpp"

#include <algorithm>

namespace bench {

namespace model = espalier::model;
namespace plan = espalier::plan;

espalier::dynamics::System make_system(const model::ModelSpec& spec, const std::vector<std::string>& pinned) {
  const model::Model compiled = need(model::compile(spec));
  const plan::Mechanism mechanism = plan::make_mechanism(compiled);
  plan::PlanOptions options;
  for (std::size_t e = 0; e < mechanism.joints.size(); ++e) {
    const std::string& name = compiled.joint(mechanism.joints[e]).name;
    if (std::find(pinned.begin(), pinned.end(), name) != pinned.end()) options.pin.push_back(static_cast<int>(e));
  }
  return espalier::dynamics::make_system(compiled, mechanism, need(plan::make_plan(compiled, options)));
}

}  // namespace bench
