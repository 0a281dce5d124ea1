#include "espalier/modes/structure.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes {
namespace {

using detail::Builder;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  // A median is a length that is there; a mean would be no one's where lengths spread over decades.
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median length of the elastic bodies; without one that of the arms at which elements hold their vertices.
double typical_length(const Builder& builder) {
  std::vector<double> lengths;
  for (const model::Body& body : builder.model.bodies) {
    if (body.beam) lengths.push_back((body.beam->to - body.beam->from).norm());
  }
  if (!lengths.empty()) return median(lengths);
  for (const Element& element : builder.structure.elements) {
    for (const Matrix6& to_local : element.to_local) {
      // The cross matrix of an arm has its length twice in its norm, squared.
      const double arm = to_local.topRightCorner<3, 3>().norm() / std::sqrt(2.0);
      if (arm > 1e-9) lengths.push_back(arm);
    }
  }
  return lengths.empty() ? 1 : median(lengths);
}

void note_speed(Builder& builder) {
  const model::Model& model = builder.model;
  const auto note = [&](const Where& where) {
    builder.structure.notes.push_back({"velocities do not count: these are the modes of the structure at rest", where});
  };
  for (const model::Body& body : model.bodies) {
    if (body.velocity && (body.velocity->linear.norm() > 0 || body.velocity->angular.norm() > 0))
      return note(body.where);
  }
  for (const model::Joint& joint : model.joints) {
    for (const double rate : joint.spec.velocity) {
      if (rate != 0) return note(joint.where);
    }
  }
}

int freedom(const Beam& beam) { return beam.axial + beam.torsion + 2 * beam.bend_y + 2 * beam.bend_z; }

int freedom(const Hinge& hinge) {
  const auto held = std::count(hinge.kind.begin(), hinge.kind.end(), Hinge::Kind::kRigid);
  return std::max(1, 6 - static_cast<int>(held));
}

}  // namespace

Result<Structure> make_structure(const model::Model& model, const StructureOptions& options) {
  // Welds that close loops are closed by frames, not by equations.
  const model::Model closed = model::close_welds(model);
  Builder builder{closed, options, detail::make_items(closed), {}, {}};
  // In this order: elements need vertices, checks need all elements.
  for (const auto step :
       {detail::add_vertices, detail::add_beams, detail::add_joints, detail::add_forces, detail::check_magnitudes}) {
    const Result<void> done = step(builder);
    ESPALIER_TRY(done);
  }
  builder.structure.length_unit = typical_length(builder);
  const Result<void> weight = detail::check_weight(builder);
  ESPALIER_TRY(weight);
  // Last of all, since a direction is empty only if no element has claimed it.
  detail::hold_empty_directions(builder.structure);
  note_speed(builder);
  return std::move(builder.structure);
}

StructureNetwork make_network(const Structure& structure) {
  StructureNetwork result;
  std::vector<int> number(structure.vertices.size(), -1);
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    if (!detail::moves(structure.vertices[v])) continue;
    number[v] = static_cast<int>(result.vertex.size());
    result.vertex.push_back(static_cast<int>(v));
    result.network.vertex_names.push_back(structure.vertices[v].name);
  }
  result.network.graph.vertices = static_cast<int>(result.vertex.size());
  for (std::size_t e = 0; e < structure.elements.size(); ++e) {
    const Element& element = structure.elements[e];
    const int a = number[to_index(element.vertex[0])];
    const int b = number[to_index(element.vertex[1])];
    // Elements to supports are no edges: a support is a boundary and joins nothing.
    if (a < 0 || b < 0) continue;
    const int f = std::visit([](const auto& law) { return freedom(law); }, element.law);
    result.element.push_back(static_cast<int>(e));
    result.network.graph.edges.push_back({a, b});
    // A joint of the tree costs as much as it has free directions, so that those with few of them stay in it.
    result.network.weight.push_back(f);
    result.network.length.push_back(f);
    result.network.freedom.push_back(f);
    result.network.edge_names.push_back(element.name);
  }
  return result;
}

bool is_damped(const Structure& structure) {
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) {
      if (beam->viscous != 0 || beam->kelvin_voigt != 0) return true;
    } else {
      const Hinge& hinge = std::get<Hinge>(element.law);
      if (std::any_of(hinge.damping.begin(), hinge.damping.end(), [](double c) { return c != 0; })) return true;
    }
  }
  return std::any_of(structure.vertices.begin(), structure.vertices.end(),
                     [](const Vertex& vertex) { return !vertex.damping.isZero(0); });
}

Structure without_damping(Structure structure) {
  for (Vertex& vertex : structure.vertices) vertex.damping.setZero();
  for (Element& element : structure.elements) {
    if (Hinge* hinge = std::get_if<Hinge>(&element.law)) {
      hinge->damping.fill(0);
      for (std::size_t k = 0; k < 6; ++k) {
        if (hinge->kind[k] == Hinge::Kind::kElastic && hinge->stiffness[k] == 0)
          // A damper alone holds nothing when its damping is gone.
          hinge->kind[k] = Hinge::Kind::kReleased;
      }
    } else {
      std::get<Beam>(element.law).viscous = 0;
      std::get<Beam>(element.law).kelvin_voigt = 0;
    }
  }
  return structure;
}

}  // namespace espalier::modes
