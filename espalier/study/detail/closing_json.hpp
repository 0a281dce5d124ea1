#pragma once

// Closed loops in the JSON documents of the verbs.

#include <nlohmann/json_fwd.hpp>

#include "espalier/study/closing.hpp"

namespace espalier::study::detail {

// What was changed in the joints' frames so that redundant equations agree; null where nothing was.
nlohmann::ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction);
// The fields to add to a document; none where the loops were not closed.
nlohmann::ordered_json closing_json(const Closing& closing);

}  // namespace espalier::study::detail
