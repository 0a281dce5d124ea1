#pragma once

// What `tune` prints.

#include <string>

#include "espalier/study/tune_run.hpp"

namespace espalier::app {

// "generation 12 of 200  best 3.2e-05  832 designs  ETA 0:12": fits 60 columns.
std::string tune_progress(const study::TuneState& state, int generations, double seconds);

// "generation 13 of 200  17 of 64 designs of it".
std::string generation_progress(int generation, int generations, std::size_t done, std::size_t of);

std::string tune_text(const study::TuneAnswer& answer);

}  // namespace espalier::app
