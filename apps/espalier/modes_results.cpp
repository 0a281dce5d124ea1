#include "apps/espalier/modes_results.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace espalier::app {
namespace {

using modes::Energy;
using nlohmann::ordered_json;

// Something with a name that moves, yields or dissipates.
struct Part {
  const char* kind = "";  // of the JSON: bodies, joints, forces
  std::string name;
  Energy energy;
};

// Parts in the order of the model: bodies, then joints, then forces.
class PartList {
 public:
  explicit PartList(const ModesReport& report, const modes::ShapeResult& shape) : report_(report) {
    for (const model::Body& body : report.model_data.bodies) bodies_.push_back({"bodies", body.name, {}});
    add_vertices(shape);
    add_elements(shape);
  }

  std::vector<Part> all() const {
    std::vector<Part> parts = bodies_;
    parts.insert(parts.end(), others_.begin(), others_.end());
    return parts;
  }

 private:
  // A vertex of several bodies: its energy by the share of each body's own mass.
  void add_vertices(const modes::ShapeResult& shape) {
    const modes::Structure& structure = report_.structure;
    for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
      const std::vector<model::BodyId>& bodies = structure.vertices[v].bodies;
      const Energy& whole = shape.energies.vertices[v];
      if (bodies.empty()) continue;
      const std::vector<double> kinetic = modes::body_shares(report_.model_data, structure.vertices[v], shape.shape[v]);
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        bodies_[bodies[k].index()].energy.kinetic += kinetic[k] * whole.kinetic;
      }
      // What holds the vertex against the ground and is no joint: gravity, springs at points.
      bodies_[bodies.front().index()].energy += {0, whole.potential, whole.lost};
    }
  }

  void add_elements(const modes::ShapeResult& shape) {
    for (std::size_t e = 0; e < report_.structure.elements.size(); ++e) {
      const modes::Element& element = report_.structure.elements[e];
      if (const auto* beam = std::get_if<modes::Beam>(&element.law)) {
        bodies_[beam->body.index()].energy += shape.energies.elements[e];
      } else {
        const bool joint = std::get<modes::Hinge>(element.law).joint.valid();
        others_.push_back({joint ? "joints" : "forces", element.name, shape.energies.elements[e]});
      }
    }
  }

  const ModesReport& report_;
  std::vector<Part> bodies_, others_;
};

double part_of(double share, double whole) { return whole > 0 ? share / whole : 0; }

// What has a thousandth of a percent of anything.
ordered_json energy_json(const ModesReport& report, const modes::ShapeResult& shape) {
  constexpr double kLeast = 1e-5;
  ordered_json json = ordered_json::object();
  for (const char* kind : {"bodies", "joints", "forces"}) json[kind] = ordered_json::object();
  const Energy& total = shape.energies.total;
  for (const Part& part : PartList(report, shape).all()) {
    const double kinetic = part_of(part.energy.kinetic, total.kinetic);
    const double potential = part_of(part.energy.potential, total.potential);
    const double lost = part_of(part.energy.lost, total.lost);
    if (std::max({kinetic, std::abs(potential), lost}) < kLeast) continue;
    ordered_json shares = {{"kinetic", kinetic}, {"potential", potential}};
    if (report.set.damped) shares["lost"] = lost;
    json[part.kind][part.name] = std::move(shares);
  }
  return json;
}

ordered_json number_json(std::complex<double> number, bool damped) {
  return damped ? ordered_json({number.real(), number.imag()}) : ordered_json(number.real());
}

}  // namespace

void add_results(const ModesReport& report, ordered_json& json) {
  if (!report.results) return;
  json["scaling"] = report.results->scaling == modes::Scaling::kMass ? "mass" : "largest";
  json["mass"] = report.results->mass;
  const Eigen::Vector3d& centre = report.results->centre;
  json["centre"] = {centre.x(), centre.y(), centre.z()};
}

void add_results(const ModesReport& report, std::size_t k, ordered_json& json) {
  if (!report.results) return;
  ordered_json masses = ordered_json::array(), participation = ordered_json::array();
  ordered_json effective = ordered_json::array(), energy = ordered_json::array();
  const bool vibrates = report.set.modes[k].s != 0.0;
  for (const modes::ShapeResult& shape : report.results->modes[k]) {
    masses.push_back(shape.modal_mass);
    effective.push_back(shape.effective_mass);
    ordered_json row = ordered_json::array();
    for (const std::complex<double>& part : shape.participation) row.push_back(number_json(part, report.set.damped));
    participation.push_back(std::move(row));
    if (vibrates) energy.push_back(energy_json(report, shape));
  }
  json["modal_mass"] = std::move(masses);
  json["participation"] = std::move(participation);
  json["effective_mass"] = std::move(effective);
  if (vibrates) json["energy"] = std::move(energy);
}

std::string most_mass(const ModesReport& report, std::size_t k) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t d = 0; d < 6; ++d) {
    double sum = 0;
    for (const modes::ShapeResult& shape : report.results->modes[k]) sum += shape.effective_mass[d];
    const double part = part_of(sum, report.results->mass[d]);
    // A bending beam turns as well: a rotation is told where it says more.
    if (!(part > most * (d < 3 ? 1 + 1e-9 : 1.5))) continue;
    most = part;
    best = d;
  }
  return most < 0.01 ? "" : fmt::format("{:.0f} % {}", 100 * most, model::kDirectionWords[best]);
}

std::string most_energy(const ModesReport& report, std::size_t k) {
  if (report.set.modes[k].s == 0.0) return "";
  const modes::ShapeResult& shape = report.results->modes[k].front();
  std::string name;
  double most = 0;
  for (const Part& part : PartList(report, shape).all()) {
    const double share = part_of(part.energy.potential, shape.energies.total.potential);
    if (!(share > most * (1 + 1e-9))) continue;
    most = share;
    name = part.name;
  }
  return most > 0 ? fmt::format("{} {:.0f} %", name, 100 * most) : "";
}

}  // namespace espalier::app
