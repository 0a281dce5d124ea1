#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf_writer.hpp"
#include "espalier/formats/detail/urdf_zero.hpp"

namespace espalier::formats::detail {
namespace {

using model::Coupling;

// The position of a joint at the file's zero.
double zero_of(const UrdfOutput& out, model::JointId id) {
  const auto entry = out.in_tree.find(id);
  return entry == out.in_tree.end() || entry->second->zero.empty() ? 0 : entry->second->zero[0];
}

// The same law between coordinates counted from the file's zero.
Coupling from_file_zero(const UrdfOutput& out, Coupling coupling) {
  // q = q' + zero in the equation: each ratio moves its share to the right side.
  for (std::size_t k = 0; k < coupling.ratio.size(); ++k) {
    coupling.offset -= coupling.ratio[k] * zero_of(out, coupling.joints[k]);
  }
  if (coupling.polynomial.empty()) return coupling;
  const double by = coupling.joints.size() > 1 ? zero_of(out, coupling.joints[1]) : 0;
  if (by != 0) coupling.polynomial = shifted_polynomial(std::move(coupling.polynomial), by);
  coupling.polynomial[0] -= zero_of(out, coupling.joints[0]);
  return coupling;
}

void write_coupling(UrdfOutput& out, const Coupling& coupling) {
  out.xml.open("coupling");
  if (!coupling.name.empty()) out.xml.attribute("name", coupling.name);
  // Zero is what a missing offset means.
  if (coupling.offset != 0) out.xml.attribute("offset", coupling.offset);
  if (!coupling.polynomial.empty()) out.xml.attribute("polynomial", coupling.polynomial);
  for (std::size_t k = 0; k < coupling.joints.size(); ++k) {
    out.xml.open("joint").attribute("name", out.model.joint(coupling.joints[k]).name);
    if (!coupling.ratio.empty()) out.xml.attribute("ratio", coupling.ratio[k]);
    out.xml.close();
  }
  out.xml.close();
  out.remark("a <coupling> that <mimic> cannot say: other readers of URDF pass over it",
             coupling.name.empty() ? out.model.joint(coupling.joints[0]).name : coupling.name);
}

}  // namespace

void choose_urdf_mimics(UrdfOutput& out) {
  for (std::size_t k = 0; k < out.model.couplings.size(); ++k) {
    const Coupling& coupling = out.model.couplings[k];
    // URDF's <mimic> is a line between two joints, solved for the first.
    const bool pair = coupling.polynomial.empty() && coupling.joints.size() == 2 && coupling.ratio[0] != 0;
    // A joint follows one other at most, and a <loop> follows none.
    if (pair && out.in_tree.contains(coupling.joints[0])) out.mimics.emplace(coupling.joints[0], k);
  }
}

void write_urdf_mimic(UrdfOutput& out, std::size_t index) {
  const Coupling coupling = from_file_zero(out, out.model.couplings[index]);
  out.xml.open("mimic").attribute("joint", out.model.joint(coupling.joints[1]).name);
  out.xml.attribute("multiplier", -coupling.ratio[1] / coupling.ratio[0]);
  out.xml.attribute("offset", coupling.offset / coupling.ratio[0]);
  if (!coupling.name.empty()) out.xml.attribute("name", coupling.name);
  out.xml.close();
}

void write_urdf_couplings(UrdfOutput& out) {
  for (std::size_t k = 0; k < out.model.couplings.size(); ++k) {
    const auto mimic = out.mimics.find(out.model.couplings[k].joints[0]);
    // It stands in its joint already.
    if (mimic != out.mimics.end() && mimic->second == k) continue;
    write_coupling(out, from_file_zero(out, out.model.couplings[k]));
  }
}

}  // namespace espalier::formats::detail
