#include <utility>

#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

// Parts in the order of the model: bodies, then joints, then forces.
class PartList {
 public:
  PartList(const ModesAnswer& answer, const modes::ShapeResult& shape) : answer_(answer) {
    for (const model::Body& body : answer.model.bodies) bodies_.push_back({"bodies", body.name, {}});
    add_vertices(shape);
    add_elements(shape);
  }

  // Bodies first, also those of which nothing moves: a table has a line for each body of the model.
  std::vector<EnergyPart> all() const {
    std::vector<EnergyPart> parts = bodies_;
    parts.insert(parts.end(), others_.begin(), others_.end());
    return parts;
  }

 private:
  // A vertex of several bodies: its energy by the share of each body's own mass.
  void add_vertices(const modes::ShapeResult& shape) {
    const modes::Structure& structure = answer_.structure;
    for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
      const std::vector<model::BodyId>& bodies = structure.vertices[v].bodies;
      const modes::Energy& whole = shape.energies.vertices[v];
      // Where only elastic bodies meet, their elements have all of the energy.
      if (bodies.empty()) continue;
      const std::vector<double> kinetic = modes::body_shares(answer_.model, structure.vertices[v], shape.shape[v]);
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        // A share of the whole, so that parts add up to it however the mass is spread.
        bodies_[bodies[k].index()].energy.kinetic += kinetic[k] * whole.kinetic;
      }
      // What holds the vertex against the ground and is no joint: gravity, springs at points.
      bodies_[bodies.front().index()].energy += {0, whole.potential, whole.lost};
    }
  }

  void add_elements(const modes::ShapeResult& shape) {
    for (std::size_t e = 0; e < answer_.structure.elements.size(); ++e) {
      const modes::Element& element = answer_.structure.elements[e];
      // A beam belongs to its body, any other element to a joint or a force.
      if (const auto* beam = std::get_if<modes::Beam>(&element.law)) {
        bodies_[beam->body.index()].energy += shape.energies.elements[e];
      } else {
        const bool joint = std::get<modes::Hinge>(element.law).joint.valid();
        others_.push_back({joint ? "joints" : "forces", element.name, shape.energies.elements[e]});
      }
    }
  }

  const ModesAnswer& answer_;
  std::vector<EnergyPart> bodies_, others_;
};

}  // namespace

std::vector<EnergyPart> energy_parts(const ModesAnswer& answer, const modes::ShapeResult& shape) {
  return PartList(answer, shape).all();
}

}  // namespace espalier::study
