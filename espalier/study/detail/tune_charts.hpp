#pragma once

#include <string>
#include <utility>
#include <vector>

#include "espalier/draw/pages.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::study::detail {

// (name, text) of each file: fitness.svg, frequencies.svg and bands.svg where goals need some, front.svg of the first
// two goals where there is a front, and index.html with the shapes of the best design.
std::vector<std::pair<std::string, std::string>> draw_tune_charts(const DesignSpace& space, const Tuned& tuned,
                                                                  const TuneFiles& files,
                                                                  const draw::Motion& best = {});

}  // namespace espalier::study::detail
