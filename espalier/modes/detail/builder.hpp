#pragma once

// A structure in the making: the steps of make_structure, each in a file of its own.

#include <string>
#include <vector>

#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// A point between the ends of an elastic body at which a joint holds it.
struct Station {
  double at = 0;  // from the start, as a fraction of the length
  int item = 0;
};

// A rigid body, or one held point of an elastic one: what fixed joints hold together is one vertex.
struct Items {
  // 2 b for a rigid body b and for the start of an elastic one, 2 b + 1 for its end. 0: the ground. The stations of
  // all bodies follow.
  std::vector<std::vector<Station>> stations;  // by body, ascending
  std::vector<model::BodyId> body;             // by item

  static int of_body(model::BodyId body) { return 2 * body.value(); }
  static int of_end(model::BodyId body, int end) { return 2 * body.value() + end; }
  // What a joint holds whose frame stands at `point` of the body.
  int at(const model::Model& model, model::BodyId body, const Eigen::Vector3d& point) const;
  // The fraction of its length at which an item holds an elastic body.
  double fraction(int item) const;
};
Items make_items(const model::Model& model);
// "boom.from", "boom.to", or "boom.1.5m" for a place that far from its start.
std::string held_name(const model::Body& body, double at);

struct Builder {
  const model::Model& model;  // its welds are closed
  const StructureOptions& options;
  Items items;
  Structure structure;
  std::vector<int> vertex_of;  // by item; -1: the ground, or something that may not move at all
};

// One end of an element: its vertex, and the point it holds there, in the world.
struct Port {
  int vertex = -1;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

// The vertex of an item; where that stands still, a new support called `name`.
Port make_port(Builder& builder, int item, const Eigen::Vector3d& point, const std::string& name);

// Displacement of a port in local axes, whose rows are given for translations and rotations, from that of its vertex.
Matrix6 to_local(const Builder& builder, const Port& port, const Eigen::Matrix3d& translation,
                 const Eigen::Matrix3d& rotation);

// True where the row of to_local sees a direction in which the vertex moves, by more than rounding.
bool is_moved(const Vertex& vertex, const Matrix6& to_local, int row);

// True for a vertex with a direction to move in.
bool moves(const Vertex& vertex);
int add_vertex(Builder& builder, Vertex vertex);

// The steps, in this order.
Result<void> add_vertices(Builder& builder);
Result<void> add_beams(Builder& builder);
Result<void> add_joints(Builder& builder);
Result<void> add_forces(Builder& builder);
// An error where a number is so large that products of it are none.
Result<void> check_magnitudes(Builder& builder);
// Directions in which nothing weighs and nothing pulls: an end of a rod may move across it. They have no frequency;
// they are taken away, or held where they are not along the axes.
void hold_empty_directions(Structure& structure);
// An error where gravity or a constant load changes the answer, a note where it does not.
Result<void> check_weight(Builder& builder);

}  // namespace espalier::modes::detail
