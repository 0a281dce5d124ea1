#pragma once

#include "apps/espalier/modes_report.hpp"
#include "espalier/draw/mode_page.hpp"

namespace espalier::app {

// Shapes along beams, and arms of rigid bodies from their vertex to what they hold. report.results must be there.
draw::Motion make_motion(const ModesReport& report);

}  // namespace espalier::app
