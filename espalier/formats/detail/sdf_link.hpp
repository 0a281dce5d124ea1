#pragma once

#include "espalier/formats/detail/xml.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// Mass and shapes of a <link>; its name and pose are the caller's business. A <visual> and a <collision> of one name
// and one geometry become one shape.
model::BodySpec read_sdf_link(XmlReader& xml, const XMLElement* link);

}  // namespace espalier::formats::detail
