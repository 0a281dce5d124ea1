// Builds a slider-crank in code, draws it closed, and writes it as URDF with its loop.
//
// Run: build/dev/bin/example_02_build_a_model
//
// Prints:
//   slider-crank: 1 loop, freedom 1
//   <loop name="guide" type="prismatic">
//   read back, 0 things have changed

#include <cstdio>

#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/plan/network.hpp"

using namespace espalier;

namespace {

model::BodySpec bar(const char* name) {
  model::BodySpec body;
  body.name = name;
  body.mass = 1;
  body.inertia = Eigen::Matrix3d(Eigen::Vector3d(0.01, 0.08, 0.08).asDiagonal());
  return body;
}

// `at` places a joint in the world, in the pose the mechanism is drawn in: nothing to compute for a closed loop.
model::JointSpec joint(const char* name, model::JointType type, const char* a, const char* b, double x,
                       const Eigen::Vector3d& axis) {
  model::JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.a = a;
  spec.b = b;
  spec.at = math::Pose{{x, 0, 0}, math::rotation_with_z(axis)};
  return spec;
}

}  // namespace

int main() {
  using enum model::JointType;
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  model::ModelSpec spec;
  spec.name = "slider-crank";
  spec.bodies = {bar("crank"), bar("rod"), bar("slider")};
  spec.joints = {
      joint("main", kRevolute, model::kGround, "crank", 0, z), joint("big_end", kRevolute, "crank", "rod", 1, z),
      joint("small_end", kRevolute, "rod", "slider", 3, z), joint("guide", kPrismatic, model::kGround, "slider", 3, x)};
  const Result<model::Model> model = model::compile(spec);
  if (!model) return std::printf("%s\n", to_string(model.error()).c_str()), 2;
  const plan::Count count = plan::count(*model, plan::make_mechanism(*model));
  std::printf("%s: %d loop, freedom %d\n", model->name.c_str(), count.loops, count.freedom);
  const Result<formats::Conversion> urdf = formats::convert(spec, formats::Format::kUrdf);
  if (!urdf) return std::printf("%s\n", to_string(urdf.error()).c_str()), 2;
  const std::size_t loop = urdf->written.text.find("<loop");
  std::printf("%s\n", urdf->written.text.substr(loop, urdf->written.text.find('>', loop) + 1 - loop).c_str());
  std::printf("read back, %zu things have changed\n", urdf->changes.size());
}
