#pragma once

#include <string>
#include <string_view>

#include "espalier/study/load.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {

// How the command line writes a field of the library's options: "--max-length" for "max_length", and "--accept tendon"
// with a value.
std::string option_text(std::string_view field, std::string_view value = {});

// A call that a report advises, as it can be typed: "espalier simulate --restart run-1".
std::string call_text(const study::Advice& advice);

// The same call with the options that say how the model is read: it would be another model without them. What is
// accepted stands in the folder of a run or a search.
study::Advice with_load(study::Advice advice, const study::LoadOptions& load);

// What continues a run in this folder; empty: it has none.
std::string restart_text(const std::string& folder);

// For reports on this terminal.
study::TextOptions text_options(bool all = false);

}  // namespace espalier::app
