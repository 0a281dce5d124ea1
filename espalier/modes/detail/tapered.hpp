#pragma once

// A tapered elastic body as segments of constant section.

#include <array>
#include <optional>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/spec.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

bool is_tapered(const model::SectionSpec& section);

// Sections of `count` segments of equal length between two places along the body, 0 its start and 1 its end. A segment
// has the volume of what it stands for, and I = (I / A^2) A^2 with the ratio taken in its middle; J and the polar
// moment likewise. A square or a circle that tapers keeps its ratios, so that its segments are squares and circles of
// that volume: I = A^2 / 12, as the literature's tapered beam has it. The error of a frequency is of the order 1 /
// count^2.
std::vector<model::SectionValues> segment_sections(const model::SectionSpec& section, int count, double from = 0,
                                                   double to = 1);

// Timoshenko's kappa_y, kappa_z where the section does not say: [Cowper66] with Poisson's ratio E / 2G - 1; those of a
// tapered tube in its middle. Nothing for a section given by its moments.
std::optional<std::array<double, 2>> shear_factors(const model::SectionSpec& section, double young, double shear);

// Stiffness and mass of a segment. G may be missing where nothing twists: then GJ is 0.
Beam make_beam(const model::Body& body, const model::MaterialSpec& material, const model::SectionValues& section,
               double length, std::array<double, 2> kappa);

}  // namespace espalier::modes::detail
