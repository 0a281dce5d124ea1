#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/builder.hpp"
#include "espalier/modes/detail/loose_motions.hpp"

// What gravity and constant loads do to small vibrations. On a structure that stands without them they add stiffness of
// the order of a weight by a length: left out, as usual. A mechanism has motions without any stiffness, and there the
// weight decides alone. So the question is which motions are left when all that is elastic is made rigid.
//   1  blocks: vertices that beams and hinges without a release hold together
//   2  Gram matrix of all conditions on the six displacements of each block; its null vectors are the motions
//   3  a weight does work on a motion, to second order, where a block turns about an axis that is not vertical, and to
//      first order where one sinks

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6>;

// Vertices that nothing joins to what stands still fall together, and weigh nothing on one another.
std::vector<bool> find_falling(const Structure& structure, const Vector3d& gravity) {
  const auto n = static_cast<int>(structure.vertices.size());
  DisjointSets sets(structure.vertices.size() + 1);
  for (int v = 0; v < n; ++v) {
    const Directions& may = structure.vertices[to_index(v)].moves;
    for (std::size_t k = 0; k < 3; ++k) {
      if (gravity[static_cast<int>(k)] != 0 && !may[k]) sets.join(v, n);
    }
  }
  for (const Element& element : structure.elements) sets.join(element.vertex[0], element.vertex[1]);
  std::vector<bool> falling;
  for (int v = 0; v < n; ++v) falling.push_back(sets.find(v) != sets.find(n));
  return falling;
}

// The first block that is not falling and on which `gravity` does work in one of the motions; -1.
int find_weighted(const Structure& structure, const Blocks& blocks, const MatrixXd& motions, const Vector3d& gravity) {
  constexpr double kRounding = 1e-6;
  const std::vector<bool> falling = find_falling(structure, gravity);
  const Vector3d down = gravity.normalized();
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    const int block = blocks.of_vertex[v];
    if (block < 0 || falling[v]) continue;
    const MatrixXd tilt = math::skew(down) * motions.middleRows(6 * block + 3, 3);
    const MatrixXd sink = down.transpose() * motions.middleRows(6 * block, 3);
    if (tilt.norm() > kRounding || sink.norm() > kRounding) return block;
  }
  return -1;
}

// Where to look: a joint that holds the block, or the first loose one.
const Element& loose_element(const Blocks& blocks, int block) {
  for (const Element* element : blocks.loose) {
    for (const int v : element->vertex) {
      if (blocks.of_vertex[to_index(v)] == block) return *element;
    }
  }
  return *blocks.loose.front();
}

const model::Force* constant_load(const model::Model& model) {
  for (const model::Force& force : model.forces) {
    const model::Load* load = std::get_if<model::Load>(&force.law);
    if (load == nullptr) continue;
    for (const model::Expression& value : load->value) {
      if (model::evaluate(value, 0) != 0) return &force;
    }
  }
  return nullptr;
}

Result<void> refuse_weight(const Builder& builder, const Blocks& blocks, int block) {
  Where where;
  std::string name;
  if (!blocks.loose.empty()) {
    const Element& element = loose_element(blocks, block);
    name = element.name;
    const Hinge* hinge = std::get_if<Hinge>(&element.law);
    if (hinge != nullptr && hinge->joint.valid()) where = builder.model.joint(hinge->joint).where;
  }
  return make_error(
      ErrorCode::kUnsupported, where,
      fmt::format("gravity decides how {} swings, and `modes` does not know that; set `gravity: [0, 0, "
                  "0]` for the modes without weight, or give the joint a stiffness",
                  name.empty() ? std::string("the mechanism") : "what is attached to " + in_quotes(name)));
}

void note(Structure& structure, std::string message, const Where& where) {
  structure.notes.push_back({std::move(message), where});
}

}  // namespace

Result<void> check_weight(Builder& builder) {
  Structure& structure = builder.structure;
  const Vector3d& gravity = builder.model.gravity;
  const model::Force* load = constant_load(builder.model);
  if (gravity.isZero(0) && load == nullptr) return {};
  const Blocks blocks = make_blocks(structure);
  if (blocks.count > kMostBlocks && !gravity.isZero(0)) return refuse_weight(builder, blocks, 0);
  const MatrixXd motions =
      blocks.count > 0 && blocks.count <= kMostBlocks ? loose_motions(structure, blocks).motions : MatrixXd();
  if (load != nullptr) {
    if (blocks.count > kMostBlocks || motions.cols() > 0) {
      return make_error(ErrorCode::kUnsupported, load->where,
                        "a constant load on a mechanism without stiffness changes how it moves, and `modes` does not "
                        "know that; remove it");
    }
    note(structure, "constant loads are part of the equilibrium; the little stiffness they add is left out",
         load->where);
  }
  if (gravity.isZero(0)) return {};
  if (motions.cols() > 0) {
    const int block = find_weighted(structure, blocks, motions, gravity);
    if (block >= 0) return refuse_weight(builder, blocks, block);
  }
  note(structure, "gravity is part of the equilibrium; the little stiffness it adds is left out", {});
  return {};
}

}  // namespace espalier::modes::detail
