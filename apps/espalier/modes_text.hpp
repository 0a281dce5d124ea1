#pragma once

// What `modes` prints.

#include <string>

#include "espalier/study/mode_sweep.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/response.hpp"
#include "espalier/study/transfer_matrix.hpp"

namespace espalier::app {

std::string modes_text(const study::ModesAnswer& answer);
std::string response_text(const study::ResponseAnswer& answer);
std::string sweep_text(const study::ModeSweepAnswer& answer);
std::string matrix_text(const study::MatrixAnswer& answer);

}  // namespace espalier::app
