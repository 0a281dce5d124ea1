#pragma once

#include <string>

#include "espalier/study/check.hpp"

namespace espalier::app {

// Items of each listing without --all.
inline constexpr std::size_t kFewItems = 6;

// `all`: every loop, finding and note; otherwise the first few of each.
std::string check_text(const study::CheckAnswer& answer, bool all);

}  // namespace espalier::app
