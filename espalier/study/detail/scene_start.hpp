#pragma once

// What `check` tells of shapes: files of meshes that are not there, and how a scene begins.

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/study/check.hpp"

namespace espalier::study::detail {

// A note for each file of a mesh that is named and cannot be found, at the first shape that names it. No answer needs
// more of a mesh than contact does, so that it changes none.
void add_missing_meshes(const model::Model& model, std::vector<model::Note>& notes);

// Of a model with `contact`. Errors: what contact::make_scene refuses. One process looks at the whole scene.
Result<SceneStart> look_at_scene(const model::Model& model);

}  // namespace espalier::study::detail
