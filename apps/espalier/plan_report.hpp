#pragma once

#include <string>

#include "espalier/plan/compare.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {

// What the user decided, behind the word "optimal": " given your cuts and your root", or nothing.
std::string given_text(const plan::PlanOptions& options);

// The plan in words: size, cost and bound, cut joints, critical branch, levels, schedule. `all`: every cut joint.
std::string plan_text(const std::string& name, const plan::Plan& plan, const std::string& given, int workers, bool all);

// Whose constants a time was predicted with.
std::string machine_text(const std::string& machine, int workers);

// For each loop which joint is cut, why, and what cutting another one would cost.
std::string explanation_text(const plan::Plan& plan, const plan::PlanOptions& options, bool all);

// All pairs (L, W) that no tree betters.
std::string front_text(const plan::Plan& plan);

std::string matrices_text(const plan::Plan& plan);

// A table of all methods, and which of them do not suit the problem.
std::string comparison_text(const plan::Comparison& comparison);

}  // namespace espalier::app
