#include "espalier/study/detail/prepare_variant.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::study::detail {

Result<dynamics::Prepared> prepare_variant(const model::Model& model, const plan::Plan& plan,
                                           const std::string& keyframe) {
  dynamics::StartOptions options;
  const std::vector<model::Keyframe>& keyframes = model.keyframes;
  // Sought again for each run: its place in memory is another one in each variant of the model.
  const auto pose = std::find_if(keyframes.begin(), keyframes.end(),
                                 [&](const model::Keyframe& candidate) { return candidate.name == keyframe; });
  if (!keyframe.empty() && pose == keyframes.end()) {
    return make_error(ErrorCode::kName, {}, fmt::format("no keyframe is called {}", in_quotes(keyframe)));
  }
  if (pose != keyframes.end()) options.keyframe = &*pose;
  dynamics::Prepared prepared = dynamics::prepare(model, plan::make_mechanism(model), plan, options);
  // Rounded is not closed: there is no room for the doubt here, and the single run explains it.
  if (prepared.start.assembly.outcome != dynamics::Assembly::Outcome::kClosed) {
    return make_error(ErrorCode::kTopology, {}, "the loops do not close");
  }
  const Result<std::vector<model::Note>> laws = dynamics::check_laws(prepared.system);
  ESPALIER_TRY(laws);
  return prepared;
}

}  // namespace espalier::study::detail
