#pragma once

#include <string>
#include <utility>
#include <vector>

#include "espalier/study/tune.hpp"

namespace espalier::study::detail {

// (name, text) of each file: fitness.svg, frequencies.svg where goals need some, front.svg of the first two goals where
// there is a front, index.html.
std::vector<std::pair<std::string, std::string>> draw_tune_charts(const DesignSpace& space, const Tuned& tuned,
                                                                  const TuneFiles& files);

}  // namespace espalier::study::detail
