#pragma once

#include "espalier/contact/scene.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact::detail {

// Joints and forces of the Model as links, loads and formulas of the scene, whose bodies are there already. What this
// engine does not do has been refused (check_laws.hpp).
Result<void> add_links(const model::Model& model, const model::Laws& laws, Scene& scene);

}  // namespace espalier::contact::detail
