#pragma once

#include <functional>

#include "espalier/base/result.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model::detail {

// Density of a material name; nothing where the material is unknown or has none.
using DensityOf = std::function<std::optional<double>(const std::string& material)>;

// Mass properties of a body: as given, or completed from shapes and density. Fails where neither is enough, or where
// no body can have what is given (the triangle inequality alone may be broken where `impossible_allowed`).
Result<math::Inertia> body_inertia(const BodySpec& body, const DensityOf& density, bool impossible_allowed);

// Rounding in a file of four digits breaks the triangle inequality of a thin rod by this much.
inline constexpr double kImpossible = 1e-3;

}  // namespace espalier::model::detail
