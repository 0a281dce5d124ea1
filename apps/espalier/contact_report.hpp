#pragma once

#include <string>

#include "apps/espalier/contact_run.hpp"

namespace espalier::app {

// What is known before the run: the scene, and what is odd about it.
std::string contact_head(const ContactInput& input, int ranks);
// What was done, how well, what was written, and the next command.
std::string contact_text(const ContactInput& input, const ContactRun& run);
// The same as one JSON document; docs/file-formats.md lists the fields.
std::string contact_json(const ContactInput& input, const ContactRun& run);
// "3 of 100 steps did not reach the tolerance 1e-06; the worst is at 2e-05". Empty where all did.
std::string unconverged_text(const record::SceneRecord& record);

}  // namespace espalier::app
