#pragma once

// The reference systems of test/data as models, and the eigenvalues that independent methods found for them.
// test/models holds the same systems as model files, for what reads files.

#include <complex>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::modes {

inline nlohmann::json read_reference(const std::string& name) {
  std::ifstream file(source_dir() + "/espalier/modes/test/data/" + name + ".json");
  return nlohmann::json::parse(file);
}

inline double reference_number(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

// Frequencies [rad/s], each as often as it is multiple: "omega" of plain lists, or of "eigenvalues", where the
// transfer matrix value of 50 digits comes before that of finite elements.
inline std::vector<double> reference_frequencies(const nlohmann::json& data) {
  std::vector<double> omega;
  if (data.contains("omega")) {
    for (const nlohmann::json& value : data["omega"]) omega.push_back(reference_number(value));
    return omega;
  }
  for (const nlohmann::json& entry : data["eigenvalues"]) {
    const char* key = entry.contains("omega_mp_tmm") ? "omega_mp_tmm" : "omega";
    omega.insert(omega.end(), entry["multiplicity"].get<std::size_t>(), reference_number(entry[key]));
  }
  return omega;
}

// Pairs of strings: real and imaginary part [1/s].
inline std::vector<std::complex<double>> reference_eigenvalues(const nlohmann::json& list) {
  std::vector<std::complex<double>> values;
  for (const nlohmann::json& pair : list) values.emplace_back(reference_number(pair[0]), reference_number(pair[1]));
  return values;
}

inline model::Model compiled(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  if (!model) {
    ADD_FAILURE() << to_string(model.error());
    return {};
  }
  return *model;
}

inline model::ActiveDirections directions(const std::vector<std::string>& words) {
  model::ActiveDirections active{};
  for (const std::string& word : words) {
    for (std::size_t k = 0; k < 6; ++k) active[k] = active[k] || word == model::kDirectionWords[k];
  }
  return active;
}

inline model::ModelSpec weightless(const std::string& name, const std::vector<std::string>& active) {
  model::ModelSpec spec;
  spec.name = name;
  spec.gravity.setZero();
  spec.active = directions(active);
  return spec;
}

inline model::MaterialSpec material(const std::string& name, double density, double young, double shear = 0) {
  model::MaterialSpec spec;
  spec.name = name;
  spec.density = density;
  spec.young = young;
  if (shear > 0) spec.shear = shear;
  return spec;
}

inline model::BodySpec elastic(const std::string& name, model::BodyKind kind, const Eigen::Vector3d& from,
                               const Eigen::Vector3d& to, const std::string& made_of) {
  model::BodySpec body;
  body.name = name;
  body.kind = kind;
  body.material = made_of;
  body.beam.emplace();
  body.beam->from = from;
  body.beam->to = to;
  return body;
}

inline model::BodySpec point_mass(const std::string& name, double mass, const Eigen::Vector3d& position) {
  model::BodySpec body;
  body.name = name;
  body.kind = model::BodyKind::kPoint;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

// The axis becomes z of the joint's frame.
inline model::JointSpec joint_at(const std::string& name, model::JointType type, const std::string& a,
                                 const std::string& b, const Eigen::Vector3d& position,
                                 const Eigen::Vector3d& axis = {0, 0, 1}) {
  model::JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  joint.at = math::Pose{position, math::rotation_with_z(axis)};
  return joint;
}

// h01: steel, bending in the x-y plane, ends "clamped", "pinned", "slider" or "free" as in "clamped-free".
inline model::ModelSpec uniform_beam_spec(const std::string& ends) {
  model::ModelSpec spec = weightless(ends, {"y", "rz"});
  spec.materials = {material("steel", 7850, 2.1e11)};
  model::BodySpec beam = elastic("beam", model::BodyKind::kBeam, {0, 0, 0}, {1.2, 0, 0}, "steel");
  beam.beam->section.b = {0.03, 0.03};
  beam.beam->section.h = {0.02, 0.02};
  spec.bodies = {beam};
  const std::size_t dash = ends.find('-');
  const auto hold = [&](const std::string& name, const std::string& how, const Eigen::Vector3d& at) {
    using enum model::JointType;
    if (how == "free") return;
    const model::JointType type = how == "clamped" ? kFixed : how == "pinned" ? kRevolute : kPrismatic;
    const Eigen::Vector3d axis = how == "slider" ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    spec.joints.push_back(joint_at(name, type, "ground", "beam", at, axis));
  };
  hold("start", ends.substr(0, dash), {0, 0, 0});
  hold("end", ends.substr(dash + 1), {1.2, 0, 0});
  return spec;
}

// h03: ten aluminium rods and ten masses of 1 kg in a row.
inline model::ModelSpec ten_rods_spec() {
  model::ModelSpec spec = weightless("ten rods", {"x"});
  spec.materials = {material("aluminium", 2730, 6.9e10)};
  for (int k = 1; k <= 10; ++k) {
    const Eigen::Vector3d from(0.2 * (k - 1), 0, 0), to(0.2 * k, 0, 0);
    const std::string rod = fmt::format("rod_{}", k), mass = fmt::format("mass_{}", k);
    spec.bodies.push_back(elastic(rod, model::BodyKind::kRod, from, to, "aluminium"));
    spec.bodies.back().beam->section.b = spec.bodies.back().beam->section.h = {0.02, 0.02};
    spec.bodies.push_back(point_mass(mass, 1, to));
    const std::string before = k == 1 ? std::string(model::kGround) : fmt::format("mass_{}", k - 1);
    spec.joints.push_back(joint_at(fmt::format("start_{}", k), model::JointType::kFixed, before, rod, from));
    spec.joints.push_back(joint_at(fmt::format("end_{}", k), model::JointType::kFixed, rod, mass, to));
  }
  return spec;
}

// h05: the tapered cantilever, clamped at its thick end, in so many segments.
inline model::ModelSpec tapered_beam_spec(int segments = 50, double viscous = 40) {
  model::ModelSpec spec = weightless("tapered cantilever", {"y", "rz"});
  spec.materials = {material("aluminium", 2730, 6.9e10)};
  model::BodySpec boom = elastic("boom", model::BodyKind::kBeam, {0, 0, 0}, {4, 0, 0}, "aluminium");
  boom.beam->section.b = boom.beam->section.h = {0.04, 0.02};
  boom.beam->viscous = viscous;
  boom.beam->segments = segments;
  spec.bodies = {boom};
  spec.joints = {joint_at("clamp", model::JointType::kFixed, "ground", "boom", {0, 0, 0})};
  return spec;
}

// h12: 100 springs and 100 masses in a row.
inline model::ModelSpec chain_spec(const nlohmann::json& data) {
  model::ModelSpec spec = weightless("chain", {"x"});
  for (std::size_t k = 0; k < data["m"].size(); ++k) {
    const Eigen::Vector3d at(static_cast<double>(k + 1), 0, 0);
    const std::string mass = fmt::format("mass_{}", k + 1);
    const std::string before = k == 0 ? std::string(model::kGround) : fmt::format("mass_{}", k);
    spec.bodies.push_back(point_mass(mass, reference_number(data["m"][k]), at));
    model::JointSpec spring = joint_at(fmt::format("spring_{}", k + 1), model::JointType::kPrismatic, before, mass, at,
                                       Eigen::Vector3d::UnitX());
    spring.stiffness = {reference_number(data["k"][k])};
    spec.joints.push_back(spring);
  }
  return spec;
}

// Systems of nodes, beams, bodies and springs: h08, h09, h16, h18 and all of their kind.
class FrameReader {
 public:
  explicit FrameReader(const nlohmann::json& data) : data_(data["model"]) {
    spec_ = weightless(data["id"], data_.value("active", std::vector<std::string>{"x", "y", "z", "rx", "ry", "rz"}));
    spec_.impossible_inertia_allowed = true;  // a planar system may have any moment about its normal
    owner_.resize(data_["nodes"].size());
  }

  model::ModelSpec read() {
    for (std::size_t n = 0; n < owner_.size(); ++n) {
      const model::ActiveDirections own = active(n);
      if (own == model::ActiveDirections{}) owner_[n] = model::kGround;
    }
    for (const nlohmann::json& body : list("bodies")) add_body(body);
    for (const nlohmann::json& beam : list("beams")) add_beam(beam);
    for (const nlohmann::json& spring : list("springs")) add_spring(spring);
    return spec_;
  }

 private:
  nlohmann::json list(const char* key) const { return data_.value(key, nlohmann::json::array()); }

  static Eigen::Vector3d vector(const nlohmann::json& list) {
    return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
  }

  model::ActiveDirections active(std::size_t node) const {
    const model::ActiveDirections fixed = directions(data_["nodes"][node].value("fix", std::vector<std::string>{}));
    model::ActiveDirections own = *spec_.active;
    for (std::size_t k = 0; k < 6; ++k) own[k] = own[k] && !fixed[k];
    return own;
  }

  Eigen::Vector3d place(const nlohmann::json& port) const {
    const Eigen::Vector3d node = vector(data_["nodes"][port["node"].get<std::size_t>()]["xyz"]);
    return port.contains("offset") ? Eigen::Vector3d(node + vector(port["offset"])) : node;
  }

  void add_body(const nlohmann::json& data) {
    const std::size_t node = data["node"];
    model::BodySpec body = point_mass(fmt::format("body_{}", node), data["mass"], place(data));
    if (data.contains("J")) {
      body.kind = model::BodyKind::kRigid;
      body.inertia.emplace();
      for (int r = 0; r < 3; ++r) body.inertia->row(r) = vector(data["J"][to_index(r)]).transpose();
    }
    if (data.contains("com")) body.com = vector(data["com"]);
    body.active = active(node);
    owner_[node] = body.name;
    spec_.bodies.push_back(body);
  }

  std::string material_of(const nlohmann::json& beam) {
    const std::tuple key(beam["rho"].get<double>(), beam["E"].get<double>(), beam["G"].get<double>());
    const auto [entry, is_new] = materials_.emplace(key, fmt::format("material_{}", materials_.size()));
    const auto& [density, young, shear] = key;
    if (is_new) spec_.materials.push_back(material(entry->second, density, young, shear));
    return entry->second;
  }

  void add_beam(const nlohmann::json& data) {
    const std::string name = fmt::format("beam_{}", spec_.bodies.size());
    model::BodySpec body = elastic(name, model::BodyKind::kBeam, place(data["a"]), place(data["b"]), material_of(data));
    body.beam->y_axis = vector(data["y_axis"]);
    model::SectionSpec& section = body.beam->section;
    section.kind = model::SectionKind::kGeneral;
    section.area.fill(data["A"]);
    section.Iy.fill(data["Iy"]);
    section.Iz.fill(data["Iz"]);
    section.J.fill(data["J"]);
    spec_.bodies.push_back(body);
    for (const char* end : {"a", "b"}) {
      std::string& owner = owner_[data[end]["node"].get<std::size_t>()];
      if (owner.empty()) {
        owner = name;  // the first beam at a node without a body stands for it
        continue;
      }
      spec_.joints.push_back(
          joint_at(fmt::format("{}_{}", name, end), model::JointType::kFixed, owner, name, place(data[end])));
    }
  }

  void add_spring(const nlohmann::json& data) {
    const std::string a = data["a"].is_string() ? model::kGround : owner_[data["a"]["node"].get<std::size_t>()];
    model::JointSpec hinge = joint_at(fmt::format("hinge_{}", spec_.joints.size()), model::JointType::kFree, a,
                                      owner_[data["b"]["node"].get<std::size_t>()], place(data["b"]));
    hinge.stiffness = data["k"].get<std::vector<double>>();
    if (data.contains("c")) hinge.damping = data["c"].get<std::vector<double>>();
    spec_.joints.push_back(hinge);
  }

  nlohmann::json data_;
  model::ModelSpec spec_;
  std::vector<std::string> owner_;  // by node: the body or beam that stands for it
  std::map<std::tuple<double, double, double>, std::string> materials_;
};

inline model::ModelSpec frame_spec(const nlohmann::json& data) { return FrameReader(data).read(); }

}  // namespace espalier::modes
