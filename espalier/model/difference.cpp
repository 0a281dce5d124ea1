#include "espalier/model/notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/math/rotation.hpp"
#include "espalier/model/detail/coupling_law.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::model {
namespace {

using detail::CouplingLaw;
using Eigen::Vector3d;

std::string text_of(bool value) { return value ? "yes" : "no"; }
// Six digits: a difference is for reading, and the comparison itself has all of them.
std::string text_of(double value) { return fmt::format("{:.6g}", value); }
std::string text_of(std::span<const double> values) {
  if (values.empty()) return "none";
  return values.size() == 1 ? text_of(values[0]) : fmt::format("[{:.6g}]", fmt::join(values, ", "));
}
std::string text_of(const Vector3d& v) { return text_of(std::span<const double>(v.data(), 3)); }
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "none";
}

// Compares the fields of one element and notes those that differ.
class Element {
 public:
  Element(std::vector<Difference>& all, double tolerance, std::string kind, std::string name)
      : all_(all), tolerance_(tolerance), kind_(std::move(kind)), name_(std::move(name)) {}

  void note(const char* field, std::string before, std::string after) {
    all_.push_back({kind_, name_, field, std::move(before), std::move(after)});
  }

  void same(const char* field, const std::string& before, const std::string& after) {
    if (before != after) note(field, before, after);
  }
  void same(const char* field, bool before, bool after) { same(field, text_of(before), text_of(after)); }
  void same(const char* field, int before, int after) {
    same(field, fmt::format("{}", before), fmt::format("{}", after));
  }

  // Quantities without a natural scale of 1: masses, stiffnesses. A gram is a difference beside a tonne too, which one
  // scale for the model would hide.
  void close_relative(const char* field, double before, double after) {
    if (!near(before, after, std::max(std::abs(before), std::abs(after)))) note(field, text_of(before), text_of(after));
  }

  void close(const char* field, const std::optional<double>& before, const std::optional<double>& after) {
    // A value that is given and one that is left out differ, even where the default is the same number.
    const bool equal =
        before.has_value() == after.has_value() && (!before || near(*before, *after, scale(*before, *after)));
    if (!equal) note(field, text_of(before), text_of(after));
  }

  void close(const char* field, const Vector3d& before, const Vector3d& after) {
    // As vectors: a component that is small beside the others carries their rounding.
    const double size = std::max({1.0, before.norm(), after.norm()});
    if ((before - after).norm() > tolerance_ * size) note(field, text_of(before), text_of(after));
  }

  void close(const char* field, std::span<const double> before, std::span<const double> after) {
    if (!are_close(before, after)) note(field, text_of(before), text_of(after));
  }

  bool are_close(std::span<const double> before, std::span<const double> after) const {
    bool equal = before.size() == after.size();
    for (std::size_t k = 0; equal && k < before.size(); ++k)
      equal = before[k] == after[k] || near(before[k], after[k], scale(before[k], after[k]));
    return equal;
  }

  // As lists, where "none" and "all zero" mean the same.
  void close_or_zero(const char* field, std::vector<double> before, std::vector<double> after) {
    before.resize(std::max(before.size(), after.size()), 0.0);
    after.resize(before.size(), 0.0);
    close(field, before, after);
  }

  void close(const char* field, const math::Pose& before, const math::Pose& after) {
    const math::PoseGap gap = math::gap_between(before, after);
    const double size = std::max(1.0, before.position.norm());
    // An angle goes through a quaternion and back, which costs it more digits than a length.
    if (gap.distance > tolerance_ * size || gap.angle > 4 * tolerance_) {
      note(field, describe(before), describe(after));
    }
  }

  void close_matrix(const char* field, const Eigen::Matrix3d& before, const Eigen::Matrix3d& after) {
    // As a whole: products of inertia that cancel to zero keep the rounding of the moments.
    const double size = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
    // Moments are turned from both sides on their way through a file.
    if ((before - after).cwiseAbs().maxCoeff() > 10 * tolerance_ * size) {
      const Eigen::Matrix<double, 6, 1> b = math::moments_from_matrix(before);
      const Eigen::Matrix<double, 6, 1> a = math::moments_from_matrix(after);
      note(field, text_of(std::span<const double>(b.data(), 6)), text_of(std::span<const double>(a.data(), 6)));
    }
  }

 private:
  bool near(double a, double b, double size) const { return std::abs(a - b) <= tolerance_ * size; }
  // At least 1: two numbers near zero differ by rounding, not by a factor.
  static double scale(double a, double b) { return std::max({1.0, std::abs(a), std::abs(b)}); }
  static std::string describe(const math::Pose& pose) {
    return fmt::format("{} turned {}", text_of(pose.position), text_of(math::rotation_log(pose.rotation)));
  }

  std::vector<Difference>& all_;
  double tolerance_;
  std::string kind_;
  std::string name_;
};

class Comparison {
 public:
  Comparison(const Model& before, const Model& after, double tolerance)
      : before_(before), after_(after), tolerance_(tolerance) {}

  // In the order of the file, so that a report reads along with it.
  std::vector<Difference> run() {
    Element model = element("model", before_.name);
    model.same("name", before_.name, after_.name);
    model.close("gravity", before_.gravity, after_.gravity);
    // What has a name is found by it: formats do not keep the order of a list.
    by_name("material", before_.materials, after_.materials, &Comparison::material);
    by_name("body", before_.bodies, after_.bodies, &Comparison::body);
    by_name("joint", before_.joints, after_.joints, &Comparison::joint);
    couplings();
    forces();
    contact();
    by_name("keyframe", before_.keyframes, after_.keyframes, &Comparison::keyframe);
    return std::move(all_);
  }

 private:
  Element element(const char* kind, const std::string& name) { return {all_, tolerance_, kind, name}; }

  template <class T>
  void by_name(const char* kind, const std::vector<T>& before, const std::vector<T>& after,
               void (Comparison::*compare)(const T&, const T&)) {
    std::map<std::string, const T*> index;
    for (const T& item : after) index[item.name] = &item;
    for (const T& item : before) {
      const auto match = index.find(item.name);
      if (match == index.end()) {
        all_.push_back({kind, item.name, "", "present", ""});
      } else {
        (this->*compare)(item, *match->second);
        // What stays in the index has no partner before.
        index.erase(match);
      }
    }
    for (const T& item : after) {
      if (index.contains(item.name)) all_.push_back({kind, item.name, "", "", "new"});
    }
  }

  void material(const MaterialSpec& before, const MaterialSpec& after) {
    Element e = element("material", before.name);
    e.close("density", before.density, after.density);
    e.close("E", before.young, after.young);
    e.close("G", before.shear, after.shear);
    e.close("friction", before.friction, after.friction);
    e.close("restitution", before.restitution, after.restitution);
  }

  void body(const Body& before, const Body& after) {
    Element e = element("body", before.name);
    // The rest is compared all the same: what else changed along with the kind is worth knowing.
    e.same("kind", std::string(word(before.kind)), word(after.kind));
    // In the world: a format may place a body's frame where it likes, and the body is the same.
    const math::Inertia inertia = math::transformed(before.X_WB, before.inertia);
    const math::Inertia other = math::transformed(after.X_WB, after.inertia);
    e.close_relative("mass", inertia.mass, other.mass);
    // The centre of nothing is nowhere.
    if (inertia.mass > 0) e.close("com", inertia.com, other.com);
    e.close_matrix("inertia", inertia.about_com, other.about_com);
    velocity(e, before, after);
    // As words: a list of six flags tells nobody which direction is new.
    e.same("active", directions(before.active), directions(after.active));
    beam(e, before, after);
    shapes(e, before, after);
  }

  static std::string directions(const ActiveDirections& active) {
    std::string text;
    for (std::size_t k = 0; k < 6; ++k) text += active[k] ? fmt::format("{} ", kDirectionWords[k]) : "";
    return text;
  }

  void velocity(Element& e, const Body& before, const Body& after) {
    if (before.velocity.has_value() != after.velocity.has_value()) {
      return e.note("velocity", text_of(before.velocity.has_value()), text_of(after.velocity.has_value()));
    }
    if (!before.velocity) return;
    // Both at one point: the frames' origins may differ.
    const Vector3d point = before.X_WB * before.inertia.com;
    const auto there = [&](const Body& body) -> Vector3d {
      return body.velocity->linear + body.velocity->angular.cross(point - body.X_WB.position);
    };
    e.close("velocity", there(before), there(after));
    e.close("angular velocity", before.velocity->angular, after.velocity->angular);
  }

  void beam(Element& e, const Body& before, const Body& after) {
    // Only where both are beams: another kind is noted above already.
    if (!before.beam || !after.beam) return;
    const BeamSpec& b = *before.beam;
    const BeamSpec& a = *after.beam;
    // Of other bodies the shapes name it.
    e.same("material", material_name(before_, before.material), material_name(after_, after.material));
    e.close("from", before.X_WB * b.from, after.X_WB * a.from);
    e.close("to", before.X_WB * b.to, after.X_WB * a.to);
    e.same("theory", std::string(word(b.theory)), word(a.theory));
    e.close("viscous", b.viscous, a.viscous);
    e.close("kelvin_voigt", b.kelvin_voigt, a.kelvin_voigt);
    e.close("foundation", b.foundation, a.foundation);
    e.same("segments", b.segments, a.segments);
    // One that is left out follows from the body frame (default_y_axis) and has no numbers to compare.
    e.same("y_axis", b.y_axis.has_value(), a.y_axis.has_value());
    if (b.y_axis && a.y_axis) e.close("y_axis", before.X_WB.rotation * *b.y_axis, after.X_WB.rotation * *a.y_axis);
    // Each measure by itself and relative to its size: an area and a moment of area are powers of ten apart.
    const auto section = [](const SectionSpec& s) {
      std::vector<double> all = {static_cast<double>(s.kind)};
      for (const SectionSpec::Ends& ends : {s.b, s.h, s.wall, s.radius, s.inner_radius, s.area, s.Iy, s.Iz, s.J,
                                            // What a missing value stands for, so that writing it out is no difference.
                                            s.polar.value_or(SectionSpec::Ends{s.Iy[0] + s.Iz[0], s.Iy[1] + s.Iz[1]}),
                                            s.shear_factors.value_or(SectionSpec::Ends{0, 0})}) {
        all.insert(all.end(), ends.begin(), ends.end());
      }
      return all;
    };
    const std::vector<double> sb = section(b.section);
    const std::vector<double> sa = section(a.section);
    for (std::size_t k = 0; k < sb.size(); ++k) e.close_relative("section", sb[k], sa[k]);
  }

  void shapes(Element& e, const Body& before, const Body& after) {
    // Without names, one missing shape would shift all later ones: the count alone is told then.
    if (before.shapes.size() != after.shapes.size()) {
      return e.note("shapes", fmt::format("{}", before.shapes.size()), fmt::format("{}", after.shapes.size()));
    }
    for (std::size_t k = 0; k < before.shapes.size(); ++k) {
      // Shapes may have no names: they are matched by their order.
      const ShapeSpec& b = before.shapes[k].spec;
      const ShapeSpec& a = after.shapes[k].spec;
      e.same("shape", std::string(word(b.kind)), word(a.kind));
      e.close("shape size", b.size, a.size);
      e.close("shape pose", before.X_WB * b.pose, after.X_WB * a.pose);
      e.same("shape role", std::string(word(b.role)), word(a.role));
      e.same("shape name", b.name, a.name);
      e.same("shape file", b.file, a.file);
      e.close("shape scale", b.scale, a.scale);
      e.same("shape material", material_name(before_, before.shapes[k].material),
             material_name(after_, after.shapes[k].material));
      bool same_points = b.points.size() == a.points.size();
      for (std::size_t p = 0; same_points && p < b.points.size(); ++p)
        same_points = (b.points[p] - a.points[p]).norm() <= tolerance_;
      if (!same_points)
        e.note("shape points", fmt::format("{} points", b.points.size()), fmt::format("{} points", a.points.size()));
    }
  }

  static std::string material_name(const Model& model, MaterialId id) {
    return id.valid() ? model.materials[id.index()].name : "";
  }

  // The two bodies of a joint, a spring or a bushing.
  static std::string between(const Model& model, const auto& pair) {
    return fmt::format("{} - {}", model.body(pair.a).name, model.body(pair.b).name);
  }

  void joint(const Joint& before, const Joint& after) {
    Element e = element("joint", before.name);
    // `between` goes with the order of the bodies: exchanged they change the sign of a coordinate.
    e.same("type", std::string(joint_kind(before.type).name), std::string(joint_kind(after.type).name));
    e.same("between", between(before_, before), between(after_, after));
    // The frames of two different joints mean different things.
    if (before.type != after.type) return;
    // From here on both are of one type, so that lists have the same length.
    e.close("pitch", before.pitch, after.pitch);
    frames(e, before, after);
    const JointSpec& b = before.spec;
    const JointSpec& a = after.spec;
    e.close_or_zero("velocity", b.velocity, a.velocity);
    e.close_or_zero("stiffness", b.stiffness, a.stiffness);
    e.close_or_zero("damping", b.damping, a.damping);
    e.close_or_zero("rest", b.rest, a.rest);
    e.close_or_zero("friction", b.friction, a.friction);
    e.close_or_zero("armature", b.armature, a.armature);
    // Flat lists of numbers, because a missing list must differ from one of zeros here.
    const auto flat = [](const std::vector<std::array<double, 2>>& limits) {
      std::vector<double> all;
      for (const auto& [low, high] : limits) all.insert(all.end(), {low, high});
      return all;
    };
    const std::vector<double> limits = flat(b.limits);
    const std::vector<double> other = flat(a.limits);
    e.close("limits", limits, other);
    e.close("effort_limit", b.effort_limit, a.effort_limit);
    e.close("velocity_limit", b.velocity_limit, a.velocity_limit);
    e.same("actuated", b.actuated, a.actuated);
    e.same("transmission", transmission_text(b.transmission), transmission_text(a.transmission));
    e.same("reaction wanted", b.reaction_wanted, a.reaction_wanted);
    e.close("weight", b.weight, a.weight);
    e.close("length", b.length, a.length);
  }

  static std::string transmission_text(const std::optional<TransmissionSpec>& transmission) {
    if (!transmission) return "none";
    return fmt::format("{} {} {}", transmission->name, text_of(transmission->reduction),
                       word_of(transmission->interface));
  }

  // What of the two frames is physics depends on the joint: of a ball joint only the points, of a hinge the points and
  // the axes, ... An elastic joint has springs along its axes, so all of both frames counts.
  void frames(Element& e, const Joint& before, const Joint& after) {
    const math::Pose F = drawn_frame_a(before_, before);
    const math::Pose M = drawn_frame_b(before_, before);
    const math::Pose F2 = drawn_frame_a(after_, after);
    const math::Pose M2 = drawn_frame_b(after_, after);
    const math::PoseGap gap = drawn_gap(before_, before);
    const math::PoseGap gap2 = drawn_gap(after_, after);
    // A drawing that does not close is part of the model: dynamics would assemble it another way.
    e.close("gap", Vector3d(gap.distance, gap.angle, 0), Vector3d(gap2.distance, gap2.angle, 0));
    const bool elastic =
        std::any_of(before.spec.stiffness.begin(), before.spec.stiffness.end(), [](double k) { return k != 0; });
    const auto axis = [](const math::Pose& X, const Vector3d& unit) -> Vector3d { return X.rotation * unit; };
    switch (before.type) {
      case JointType::kFixed:
        // Where b goes when the weld closes, as a motion of the world.
        e.close("closed pose", F * M.inverse(), F2 * M2.inverse());
        break;
      case JointType::kSpherical:
        e.close("point in a", F.position, F2.position);
        e.close("point in b", M.position, M2.position);
        [[fallthrough]];
      case JointType::kFree:
        if (elastic) {
          e.close("frame in a", F, F2);
          e.close("frame in b", M, M2);
        }
        break;
      case JointType::kUniversal:
        e.close("point in a", F.position, F2.position);
        e.close("point in b", M.position, M2.position);
        // Its first axis goes with a, its second with b; where F and M point otherwise is free.
        e.close("axis", axis(F, Vector3d::UnitX()), axis(F2, Vector3d::UnitX()));
        e.close("axis2", axis(M, Vector3d::UnitY()), axis(M2, Vector3d::UnitY()));
        e.close("position", before.position, same_turn(before, after));
        break;
      // The whole frame: its origin and x are where its coordinates count from.
      case JointType::kPlanar:
        e.close("frame in a", F, F2);
        e.close("position", before.position, same_turn(before, after));
        break;
      case JointType::kRevolute:
      case JointType::kPrismatic:
      case JointType::kScrew:
      case JointType::kCylindrical:
        e.close("point in a", F.position, F2.position);
        e.close("point in b", M.position, M2.position);
        e.close("axis in a", axis(F, Vector3d::UnitZ()), axis(F2, Vector3d::UnitZ()));
        e.close("axis in b", axis(M, Vector3d::UnitZ()), axis(M2, Vector3d::UnitZ()));
        e.close("position", before.position, same_turn(before, after));
        break;
    }
  }

  // The position of `after`, its angles taken in the turn of `before`: +pi and -pi are one. A screw tells turns apart.
  static std::vector<double> same_turn(const Joint& before, const Joint& after) {
    std::vector<double> position = after.position;
    for (std::size_t k = 0; k < position.size(); ++k) {
      if (loses_turns(after.type, static_cast<int>(k)))
        position[k] = math::nearest_turn(position[k], before.position[k]);
    }
    return position;
  }

  // Couplings may come back in another order and without a name: they are matched by the joints they couple.
  void couplings() {
    std::vector<CouplingLaw> after;
    for (const Coupling& coupling : after_.couplings) after.push_back(detail::law_of(after_, coupling));
    std::vector<bool> taken(after.size(), false);
    for (const Coupling& coupling : before_.couplings) {
      const CouplingLaw law = detail::law_of(before_, coupling);
      const std::string name = coupling.name.empty() ? detail::joints_of(law) : coupling.name;
      std::size_t match = 0;
      // The first that is still free: two couplings of the same joints are compared in their order.
      while (match < after.size() && (taken[match] || detail::joints_of(after[match]) != detail::joints_of(law)))
        ++match;
      if (match == after.size()) {
        all_.push_back({"coupling", name, "", "present", ""});
        continue;
      }
      taken[match] = true;
      Element e = element("coupling", name);
      e.close("ratio", detail::ratios_of(law), detail::ratios_of(after[match]));
      e.close("offset", law.offset, after[match].offset);
      e.close("polynomial", law.polynomial, after[match].polynomial);
    }
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (!taken[k]) all_.push_back({"coupling", detail::joints_of(after[k]), "", "", "new"});
    }
  }

  // Forces may have no name: then they are matched by what they act on, in their order, and called by number.
  void forces() {
    std::vector<bool> taken(after_.forces.size(), false);
    for (std::size_t k = 0; k < before_.forces.size(); ++k) {
      const Force& before = before_.forces[k];
      const std::string name = before.name.empty() ? fmt::format("#{}", k + 1) : before.name;
      const std::optional<std::size_t> match = match_of(before, taken);
      if (!match) {
        all_.push_back({"force", name, "", "present", ""});
        continue;
      }
      taken[*match] = true;
      force(name, before, after_.forces[*match]);
    }
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const std::string& name = after_.forces[k].name;
      if (!taken[k]) all_.push_back({"force", name.empty() ? fmt::format("#{}", k + 1) : name, "", "", "new"});
    }
  }

  std::optional<std::size_t> match_of(const Force& before, const std::vector<bool>& taken) const {
    for (const bool by_name : {true, false}) {
      for (std::size_t k = 0; k < taken.size(); ++k) {
        const Force& after = after_.forces[k];
        const bool named = !before.name.empty() && before.name == after.name;
        const bool alike = (before.name.empty() || after.name.empty()) && before.law.index() == after.law.index() &&
                           target_of(before_, before) == target_of(after_, after);
        if (!taken[k] && (by_name ? named : alike)) return k;
      }
    }
    return std::nullopt;
  }

  // The joint or body that a load or motion names; empty for forces between two bodies.
  static std::string target_of(const Model& model, const Force& force) {
    if (const auto* load = std::get_if<Load>(&force.law))
      return load->joint.valid() ? model.joint(load->joint).name : model.body(load->body).name;
    const auto* motion = std::get_if<Motion>(&force.law);
    return motion != nullptr ? model.joint(motion->joint).name : "";
  }

  void force(const std::string& name, const Force& before, const Force& after) {
    constexpr std::array kLaws = {"spring", "bushing", "load", "motion"};
    Element e = element("force", name);
    if (before.law.index() != after.law.index())
      return e.note("law", kLaws[before.law.index()], kLaws[after.law.index()]);
    std::visit([&](const auto& law) { compare_law(e, law, std::get<std::decay_t<decltype(law)>>(after.law)); },
               before.law);
  }

  void compare_law(Element& e, const Spring& before, const Spring& after) {
    e.same("between", between(before_, before), between(after_, after));
    // In the world, as all points here.
    e.close("point in a", before_.body(before.a).X_WB * before.point_a, after_.body(after.a).X_WB * after.point_a);
    e.close("point in b", before_.body(before.b).X_WB * before.point_b, after_.body(after.b).X_WB * after.point_b);
    e.close("stiffness", before.stiffness, after.stiffness);
    e.close("damping", before.damping, after.damping);
    e.close("length", before.length, after.length);
    e.close("tension", before.tension, after.tension);
    const auto limits = [](const Spring& spring) {
      return spring.limits ? fmt::format("[{}, {}]", (*spring.limits)[0], (*spring.limits)[1]) : std::string("none");
    };
    e.same("limits", limits(before), limits(after));
  }

  void compare_law(Element& e, const Bushing& before, const Bushing& after) {
    e.same("between", between(before_, before), between(after_, after));
    // The second frame coincides with it as drawn, so that one of them says all.
    e.close("frame", before_.body(before.a).X_WB * before.X_AF, after_.body(after.a).X_WB * after.X_AF);
    e.close("stiffness", before.stiffness, after.stiffness);
    e.close("damping", before.damping, after.damping);
  }

  void compare_law(Element& e, const Load& before, const Load& after) {
    e.same("acts on", target_of(before_, {"", before, {}}), target_of(after_, {"", after, {}}));
    e.same("torque", before.torque, after.torque);
    e.same("in body axes", before.in_body, after.in_body);
    if (before.body.valid() && after.body.valid())
      e.close("point", before_.body(before.body).X_WB * before.point, after_.body(after.body).X_WB * after.point);
    compare_values(e, "value", before.value, after.value, before.joint);
  }

  // By their texts: whether two formulas are equal for all times cannot be decided in general. It can of servos.
  void compare_values(Element& e, const char* field, const std::vector<Expression>& before,
                      const std::vector<Expression>& after, JointId joint) const {
    if (joint.valid() && before.size() == 1 && after.size() == 1) {
      const std::string& name = before_.joint(joint).name;
      const std::optional<StraightLoad> a = straight_load(before[0], name), b = straight_load(after[0], name);
      if (a && b && numbers_of(*a).size() == numbers_of(*b).size() && e.are_close(numbers_of(*a), numbers_of(*b)))
        return;
    }
    e.same(field, values_text(before), values_text(after));
  }

  static std::vector<double> numbers_of(const StraightLoad& law) {
    std::vector<double> numbers = {law.constant, law.position, law.rate};
    if (law.range) numbers.insert(numbers.end(), law.range->begin(), law.range->end());
    return numbers;
  }

  static std::string values_text(const std::vector<Expression>& values) {
    std::string text;
    for (const Expression& value : values) text += value.text + " ; ";
    return text;
  }

  void compare_law(Element& e, const Motion& before, const Motion& after) {
    e.same("joint", before_.joint(before.joint).name, after_.joint(after.joint).name);
    e.same("prescribes velocity", before.is_velocity, after.is_velocity);
    e.same("value", before.value.text, after.value.text);
  }

  void contact() {
    if (before_.contact.has_value() != after_.contact.has_value()) {
      all_.push_back({"contact", "", "", before_.contact ? "present" : "", after_.contact ? "new" : ""});
      return;
    }
    if (!before_.contact) return;
    Element e = element("contact", "");
    e.same("engine", before_.contact->on, after_.contact->on);
    e.close("margin", before_.contact->margin, after_.contact->margin);
    e.close("friction", before_.contact->friction, after_.contact->friction);
    e.close("restitution", before_.contact->restitution, after_.contact->restitution);
    e.same("excluded pairs", excluded(before_), excluded(after_));
  }

  static std::string excluded(const Model& model) {
    std::vector<std::string> pairs;
    for (const auto& [a, b] : model.contact->exclude) {
      // A pair has no order, and neither has the list of pairs.
      const auto [low, high] = std::minmax(model.body(a).name, model.body(b).name);
      pairs.push_back(low + "-" + high);
    }
    std::sort(pairs.begin(), pairs.end());
    return fmt::format("{}", fmt::join(pairs, ", "));
  }

  void keyframe(const Keyframe& before, const Keyframe& after) {
    Element e = element("keyframe", before.name);
    // By joint, in whatever order the keyframe lists them.
    std::map<std::string, std::vector<double>> positions;
    for (const auto& [joint, position] : after.positions) positions[after_.joint(joint).name] = position;
    for (const auto& [joint, position] : before.positions) {
      const std::string& name = before_.joint(joint).name;
      const auto match = positions.find(name);
      if (match == positions.end())
        e.note("position", name, "");
      else
        e.close("position", position, match->second);
      if (match != positions.end()) positions.erase(match);
    }
    for (const auto& [name, position] : positions) e.note("position", "", name);
    keyframe_loads(e, before, after);
  }

  // By the name that a keyframe has to give.
  void keyframe_loads(Element& e, const Keyframe& before, const Keyframe& after) const {
    std::map<std::string, const std::vector<Expression>*> loads;
    for (const auto& [force, value] : after.loads) loads[after_.forces[force].name] = &value;
    for (const auto& [force, value] : before.loads) {
      const auto match = loads.find(before_.forces[force].name);
      if (match == loads.end()) {
        e.note("load", before_.forces[force].name, "");
        continue;
      }
      compare_values(e, "load", value, *match->second, std::get<Load>(before_.forces[force].law).joint);
      loads.erase(match);
    }
    for (const auto& [name, value] : loads) e.note("load", "", name);
  }

  const Model& before_;
  const Model& after_;
  double tolerance_;
  std::vector<Difference> all_;
};

}  // namespace

std::vector<Difference> find_differences(const Model& before, const Model& after, double tolerance) {
  return Comparison(before, after, tolerance).run();
}

}  // namespace espalier::model
