#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::app {

// What the words of `tune` ask for, a new folder where none is named and comm::StopOnSignal included.
study::TuneOptions tune_options(const TuneCommand& command);

// For its report.
study::TextOptions tune_text(const TuneCommand& command);
// What continues a search in its folder.
std::string continue_text(const TuneCommand& command, const std::string& folder);

}  // namespace espalier::app
