#pragma once

#include <string>

#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact {

// Why a model makes no scene; empty where it makes one.
inline std::string refusal(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  if (!model) return "no model";
  const Result<Scene> scene = make_scene(*model);
  return scene ? "" : scene.error().message;
}

}  // namespace espalier::contact
