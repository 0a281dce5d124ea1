#pragma once

// The large parts of a page as a short document and a block of bytes each.

#include <span>

#include <nlohmann/json.hpp>

#include "espalier/draw/detail/pack.hpp"
#include "espalier/draw/view_page.hpp"

namespace espalier::draw::detail {

struct PackedPart {
  nlohmann::ordered_json json;
  Bytes bytes;  // deflated
};

// Frames of the bodies that move: 12 bytes a pose, 6 where a body is a ball about its origin in a large pile.
struct PackedFrames : PackedPart {
  double position_error = 0;  // [m]
  double angle_error = 0;     // [rad]
};
PackedFrames packed_frames(const ViewFrames& frames, const Scene& scene, std::size_t bodies);

PackedPart packed_curves(std::span<const ViewCurve> curves);
PackedPart packed_contacts(const ViewContacts& contacts);
PackedPart packed_ranks(const ViewRanks& ranks, std::size_t bodies);

}  // namespace espalier::draw::detail
