#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/builder.hpp"
#include "espalier/modes/detail/tapered.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Rows: local x, y, z in the world.
Matrix3d local_axes(const model::Body& body) {
  const Vector3d x = body.beam->to - body.beam->from;
  const Eigen::Quaterniond axes = math::rotation_with_xy(x, body.beam->y_axis.value_or(model::default_y_axis(x)));
  return (body.X_WB.rotation * axes).toRotationMatrix().transpose();
}

int segment_count(const model::Body& body, const StructureOptions& options) {
  // A constant section is solved exactly in one element.
  if (!is_tapered(body.beam->section)) return 1;
  const int asked = body.beam->segments > 0 ? body.beam->segments : options.segments > 0 ? options.segments : kSegments;
  return std::max(1, static_cast<int>(std::lround(asked * options.refine)));
}

// Only what its ends can excite: a beam that may only move in a plane has no torsion.
void leave_out_fields(const Structure& structure, Element& element) {
  Beam& beam = std::get<Beam>(element.law);
  const auto excited = [&](std::initializer_list<int> rows) {
    for (std::size_t end = 0; end < 2; ++end) {
      const Vertex& vertex = structure.vertices[to_index(element.vertex[end])];
      for (const int row : rows) {
        if (is_moved(vertex, element.to_local[end], row)) return true;
      }
    }
    return false;
  };
  beam.axial = beam.axial && excited({0});
  beam.torsion = beam.torsion && excited({3});
  beam.bend_y = beam.bend_y && excited({1, 5});
  beam.bend_z = beam.bend_z && excited({2, 4});
}

Result<void> check_torsion(const model::Body& body, const Beam& beam) {
  if (!beam.torsion || beam.GJ > 0) return {};
  return make_error(ErrorCode::kValue, body.where,
                    fmt::format("{} {} can twist, but its material has no `G`; give it one, or keep the model in a "
                                "plane with `active`",
                                model::word(body.kind), in_quotes(body.name)));
}

Result<std::array<double, 2>> kappa_of(const model::Body& body, const model::MaterialSpec& material) {
  if (body.kind != model::BodyKind::kBeam || body.beam->theory != model::BeamTheory::kTimoshenko) {
    return std::array{1.0, 1.0};
  }
  const std::optional<std::array<double, 2>> kappa =
      shear_factors(body.beam->section, material.young.value_or(0), material.shear.value_or(1));
  if (kappa) return *kappa;
  return make_error(ErrorCode::kValue, body.where,
                    fmt::format("beam {} is of Timoshenko's kind and its section given by its moments, which do not "
                                "say how it shears; give `shear_factors: [ky, kz]` in its section",
                                in_quotes(body.name)));
}

// A stretch of an elastic body between two places that joints hold, or its ends.
struct Stretch {
  double from = 0, to = 1;  // of the length
  int start = 0, end = 1;   // items
  int segments = 1;
};

std::vector<Stretch> stretches_of(const Builder& builder, model::BodyId id) {
  std::vector<Stretch> all = {{0, 1, Items::of_end(id, 0), Items::of_end(id, 1), 1}};
  for (const Station& station : builder.items.stations[id.index()]) {
    Stretch rest = all.back();
    rest.from = all.back().to = station.at;
    rest.start = all.back().end = station.item;
    all.push_back(rest);
  }
  const int segments = segment_count(builder.model.body(id), builder.options);
  for (Stretch& stretch : all) {
    stretch.segments = std::max(1, static_cast<int>(std::lround(segments * (stretch.to - stretch.from))));
    // Both ends at one vertex, or both held: without a vertex in between nothing would tell of its modes.
    if (builder.vertex_of[to_index(stretch.start)] == builder.vertex_of[to_index(stretch.end)]) {
      stretch.segments = std::max(stretch.segments, 2);
    }
  }
  return all;
}

// From its start to its end: ports where it is held, and vertices between the segments.
std::vector<Port> make_ports(Builder& builder, model::BodyId id, const std::vector<Stretch>& stretches) {
  const model::Body& body = builder.model.body(id);
  const Vector3d from = body.X_WB * body.beam->from;
  const Vector3d to = body.X_WB * body.beam->to;
  const auto held = [&](int item, double at) {
    const Vector3d point = at == 0 ? from : at == 1 ? to : Vector3d(from + at * (to - from));
    return make_port(builder, item, point, held_name(body, at));
  };
  std::vector<Port> ports = {held(stretches.front().start, 0)};
  for (const Stretch& stretch : stretches) {
    for (int k = 1; k < stretch.segments; ++k) {
      const double at = stretch.from + (stretch.to - stretch.from) * (static_cast<double>(k) / stretch.segments);
      Vertex vertex;
      vertex.name = fmt::format("{}.{}", body.name, ports.size());
      vertex.point = from + (to - from) * at;
      vertex.moves = body.active;
      const Vector3d point = vertex.point;
      ports.push_back({add_vertex(builder, std::move(vertex)), point});
    }
    ports.push_back(held(stretch.end, stretch.to));
  }
  return ports;
}

// A segment between two ports: how long it is, and its section.
struct Segment {
  double length = 0;
  model::SectionValues section;
};

std::vector<Segment> segments_of(const model::Body& body, const std::vector<Stretch>& stretches) {
  std::vector<Segment> segments;
  for (const Stretch& stretch : stretches) {
    const double length = (body.beam->to - body.beam->from).norm() * (stretch.to - stretch.from) / stretch.segments;
    for (const model::SectionValues& section :
         segment_sections(body.beam->section, stretch.segments, stretch.from, stretch.to)) {
      segments.push_back({length, section});
    }
  }
  return segments;
}

Result<void> add_beam(Builder& builder, model::BodyId id) {
  const model::Body& body = builder.model.body(id);
  // What may not move at all carries nothing between its ends.
  if (body.active == Directions{}) return {};
  const model::MaterialSpec& material = builder.model.materials[body.material.index()];
  const Result<std::array<double, 2>> kappa = kappa_of(body, material);
  ESPALIER_TRY(kappa);
  const std::vector<Stretch> stretches = stretches_of(builder, id);
  const std::vector<Port> ports = make_ports(builder, id, stretches);
  const std::vector<Segment> segments = segments_of(body, stretches);
  const Matrix3d axes = local_axes(body);
  if (is_tapered(body.beam->section)) ++builder.structure.segmented_bodies;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    Element element;
    element.name = segments.size() == 1 ? body.name : fmt::format("{}[{}]", body.name, k + 1);
    element.vertex = {ports[k].vertex, ports[k + 1].vertex};
    element.to_local = {to_local(builder, ports[k], axes, axes), to_local(builder, ports[k + 1], axes, axes)};
    Beam beam = make_beam(body, material, segments[k].section, segments[k].length, *kappa);
    beam.body = id;
    element.law = beam;
    leave_out_fields(builder.structure, element);
    const Beam& carried = std::get<Beam>(element.law);
    const Result<void> torsion = check_torsion(body, carried);
    ESPALIER_TRY(torsion);
    // Nothing that its ends can do reaches the beam.
    if (!(carried.axial || carried.torsion || carried.bend_y || carried.bend_z)) continue;
    builder.structure.elements.push_back(std::move(element));
  }
  return {};
}

}  // namespace

Result<void> add_beams(Builder& builder) {
  for (std::size_t b = 1; b < builder.model.bodies.size(); ++b) {
    if (!builder.model.bodies[b].beam) continue;
    const Result<void> done = add_beam(builder, model::BodyId(b));
    ESPALIER_TRY(done);
  }
  return {};
}

}  // namespace espalier::modes::detail
