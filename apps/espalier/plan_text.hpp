#pragma once

#include <string>

#include "espalier/study/plan.hpp"

namespace espalier::app {

// `all`: every joint that is cut and every alternative; otherwise the first few.
std::string plan_text(const study::PlanAnswer& answer, bool all);

}  // namespace espalier::app
