#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

constexpr double kOpen = 1e-9;  // [m, rad]; what is less is rounding, and such bodies stay bit for bit as drawn

bool is_open(const Model& model, const Joint& joint) {
  const math::PoseGap gap = drawn_gap(model, joint);
  return gap.distance > kOpen || gap.angle > kOpen;
}

}  // namespace

Model close_welds(Model model) {
  std::vector<std::vector<std::size_t>> welds(model.bodies.size());  // by body
  std::vector<std::size_t> open;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.type != JointType::kFixed) continue;
    welds[joint.a.index()].push_back(j);
    welds[joint.b.index()].push_back(j);
    // Closed welds are walked over too: they carry a body along when its neighbour moves.
    if (is_open(model, joint)) open.push_back(j);
  }
  // Nothing to close: the model comes back with the bits it had.
  if (open.empty()) return model;
  const std::vector<int> group = weld_groups(model);
  std::vector<bool> placed(model.bodies.size(), false);
  // From the first body of the group outward; it stays where it is drawn and the others move to it.
  for (const std::size_t j : open) {
    const auto first = to_index(group[model.joints[j].a.index()]);
    if (placed[first]) continue;
    placed[first] = true;
    std::vector<std::size_t> waiting = {first};
    while (!waiting.empty()) {
      const std::size_t from = waiting.back();
      waiting.pop_back();
      for (const std::size_t w : welds[from]) {
        const Joint& weld = model.joints[w];
        // A weld can be walked from either of its bodies.
        const bool forward = weld.a.index() == from;
        const std::size_t to = forward ? weld.b.index() : weld.a.index();
        // The last weld of a ring stays as it is: its bodies are placed already.
        if (placed[to]) continue;
        placed[to] = true;
        // A weld closes where F and M coincide, so that M's inverse takes F to the body.
        const math::Pose X_AB = weld.X_AF * weld.X_BM.inverse();
        model.bodies[to].X_WB = model.bodies[from].X_WB * (forward ? X_AB : X_AB.inverse());
        waiting.push_back(to);
      }
    }
  }
  return model;
}

}  // namespace espalier::model
