#pragma once

#include <string>

#include "apps/espalier/reader_notes.hpp"
#include "espalier/study/tune_folder.hpp"

namespace espalier::app {

struct TuneReport {
  std::string folder;
  int ranks = 1, threads = 1;
  ReaderNotes reader = {};
};

// "generation 12 of 200  best 3.2e-05  832 designs  ETA 0:12": fits 60 columns.
std::string tune_progress(const study::TuneState& state, int generations, double seconds);

// "generation 13 of 200  17 of 64 designs of it".
std::string generation_progress(int generation, int generations, std::size_t done, std::size_t of);

// Every band and every other limit, by the best design.
bool limits_held(const study::DesignSpace& space, const study::Tuned& tuned);

std::string tune_text(const study::DesignSpace& space, const study::TuneRecord& record, const study::Tuned& tuned,
                      const TuneReport& report);
std::string tune_json(const study::DesignSpace& space, const study::TuneRecord& record, const study::Tuned& tuned,
                      const TuneReport& report);

}  // namespace espalier::app
