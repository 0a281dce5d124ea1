#pragma once

#include <string>

#include "espalier/study/tune_folder.hpp"

namespace espalier::app {

struct TuneReport {
  std::string folder;
  int ranks = 1, threads = 1;
};

// "generation 12 of 200  best 3.2e-05  832 designs  ETA 0:12": fits 60 columns.
std::string tune_progress(const study::TuneState& state, int generations, double seconds);

std::string tune_text(const study::DesignSpace& space, const study::TuneRecord& record, const study::Tuned& tuned,
                      const TuneReport& report);
std::string tune_json(const study::DesignSpace& space, const study::TuneRecord& record, const study::Tuned& tuned,
                      const TuneReport& report);

}  // namespace espalier::app
