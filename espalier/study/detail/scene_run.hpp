#pragma once

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/study/detail/scene_input.hpp"

namespace espalier::study::detail {

// Collective. Runs it and writes the folder of the run on the root. The error: the folder cannot be made.
Result<SimulateAnswer> run_scene(const comm::Comm& comm, SceneInput input, const SimulateOptions& options);

}  // namespace espalier::study::detail
