#pragma once

// Goals of a tuning that look at runs, and how those are computed.

#include <filesystem>

#include "espalier/formats/detail/native_fields.hpp"
#include "espalier/formats/tuning.hpp"

namespace espalier::formats::detail {

// {end: QUANTITY, target: x} and those like it: true where the goal is one of them, failed or not.
bool read_quantity(NativeContext& context, Fields& fields, TuningGoal& goal);

// The same inside `minimise` and `maximise`, a map of one key: {maximum: QUANTITY}.
bool read_extreme_quantity(NativeContext& context, const YamlNode& node, const char* word, TuningGoal& goal);

// The map `simulate`.
TuningRun read_run(NativeContext& context, const YamlNode& node);

// What the goals need to know of each other and of the run.
void check_runs(NativeContext& context, const Tuning& tuning);

// The tables that goals name. Errors, with the line: no such file, no such column, times that do not ascend from 0.
Result<void> read_goal_tables(Tuning& tuning, const std::filesystem::path& folder);

}  // namespace espalier::formats::detail
