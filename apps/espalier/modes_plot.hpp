#pragma once

#include "apps/espalier/commands.hpp"
#include "apps/espalier/modes_report.hpp"
#include "espalier/draw/chart.hpp"

namespace espalier::app {

// Draws into command.plot: as SVG the determinant and its roots, as HTML a page with the moving shapes, the table of
// modes and the same chart.
Result<void> plot_modes(const ModesCommand& command, const ModesReport& report);

// One chart, or a page of several with a text, as the ending of the file asks. The error: an ending that is neither.
Result<void> write_charts(const std::string& file, const draw::ChartPage& page);
// The error of write_charts() before anything is computed; none where nothing is to be drawn.
Result<void> check_plot(const std::string& file);

}  // namespace espalier::app
