#include <vector>

#include "espalier/draw/pages.hpp"
#include "espalier/draw/scene_picture.hpp"

namespace espalier::draw {

std::string draw_svg(const model::Model& model) {
  const Scene scene = make_scene(model);
  std::vector<math::Pose> poses;
  for (const model::Body& body : model.bodies) poses.push_back(body.X_WB);
  PictureOptions options;
  options.title = model.name;
  return draw_picture(model, scene, choose_view(model, scene, poses), poses, options);
}

}  // namespace espalier::draw
