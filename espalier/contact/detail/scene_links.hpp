#pragma once

#include "espalier/contact/scene.hpp"

namespace espalier::contact::detail {

// Joints and forces of the Model as links, loads and formulas of the scene, whose bodies are there already.
Result<void> add_links(const model::Model& model, Scene& scene);

}  // namespace espalier::contact::detail
