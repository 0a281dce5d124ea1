#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

// Products of two such numbers and of the square of a frequency are still numbers.
constexpr double kLargest = 1e100;

struct Quantity {
  const char* what;
  const char* unit;
  double value;
};

// The first that is too large, or no number.
const Quantity* find_too_large(std::initializer_list<Quantity> quantities) {
  return std::find_if(quantities.begin(), quantities.end(),
                      // Written so that a value that is no number is found too.
                      [](const Quantity& q) { return !(std::abs(q.value) <= kLargest); });
}

Result<void> check(std::initializer_list<Quantity> quantities, const std::string& name, const Where& where) {
  const Quantity* bad = find_too_large(quantities);
  if (bad == quantities.end()) return {};
  return make_error(ErrorCode::kValue, where,
                    fmt::format("{} has a {} of {:.4g} {}; modes are computed with numbers up to {:.0e}: is one of the "
                                "model's numbers wrong, or not in SI units?",
                                in_quotes(name), bad->what, bad->value, bad->unit, kLargest));
}

Result<void> check_vertex(const Builder& builder, const Vertex& vertex) {
  const auto shifts = [](const Matrix6& matrix) { return matrix.topLeftCorner<3, 3>().cwiseAbs().maxCoeff(); };
  const auto rotations = [](const Matrix6& matrix) { return matrix.bottomRows<3>().cwiseAbs().maxCoeff(); };
  const Where where = vertex.bodies.empty() ? Where{} : builder.model.body(vertex.bodies.front()).where;
  return check({{"mass", "kg", shifts(vertex.mass)},
                {"moment of inertia", "kg m^2", rotations(vertex.mass)},
                {"stiffness to the ground", "N/m", shifts(vertex.stiffness)},
                {"stiffness to the ground", "N m/rad", rotations(vertex.stiffness)},
                {"damping to the ground", "N s/m", shifts(vertex.damping)},
                {"damping to the ground", "N m s/rad", rotations(vertex.damping)}},
               vertex.name, where);
}

Result<void> check_beam(const Builder& builder, const Beam& beam, const std::string& name) {
  return check({{"length", "m", beam.length},
                {"axial stiffness E A", "N", beam.EA},
                {"torsional stiffness G J", "N m^2", beam.GJ},
                {"bending stiffness E I", "N m^2", std::max(beam.EIy, beam.EIz)},
                {"mass", "kg/m", beam.rho_A},
                {"rotary inertia", "kg m", std::max({beam.rho_Ip, beam.rho_Iy, beam.rho_Iz})},
                {"viscous damping", "N s/m^2", beam.viscous},
                {"Kelvin-Voigt damping", "s", beam.kelvin_voigt},
                {"foundation", "N/m^2", beam.foundation}},
               name, builder.model.body(beam.body).where);
}

Result<void> check_hinge(const Builder& builder, const Hinge& hinge, const std::string& name) {
  const Where where = hinge.joint.valid() ? builder.model.joint(hinge.joint).where : Where{};
  const std::array<double, 6>&k = hinge.stiffness, &c = hinge.damping;
  return check({{"stiffness", "N/m", *std::max_element(k.begin(), k.begin() + 3)},
                {"stiffness", "N m/rad", *std::max_element(k.begin() + 3, k.end())},
                {"damping", "N s/m", *std::max_element(c.begin(), c.begin() + 3)},
                {"damping", "N m s/rad", *std::max_element(c.begin() + 3, c.end())}},
               name, where);
}

}  // namespace

Result<void> check_magnitudes(Builder& builder) {
  for (const Vertex& vertex : builder.structure.vertices) {
    const Result<void> good = check_vertex(builder, vertex);
    ESPALIER_TRY(good);
  }
  for (const Element& element : builder.structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    const Result<void> good = beam != nullptr ? check_beam(builder, *beam, element.name)
                                              : check_hinge(builder, std::get<Hinge>(element.law), element.name);
    ESPALIER_TRY(good);
  }
  return {};
}

}  // namespace espalier::modes::detail
