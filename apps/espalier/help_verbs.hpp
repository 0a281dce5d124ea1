#pragma once

// The verbs that tell of the others, and what is said of a command that is none.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"

namespace CLI {
class App;
}

namespace espalier::app {

// Before all verbs, which take it over: the layout of `--help`.
void set_help_layout(CLI::App& app);
// `help`, `completion` and `man`, after all others.
void add_help_verbs(CLI::App& app, std::function<int()>& run);

// A verb or an option that there is not, with the nearest one that there is; nothing where that is not the mistake.
// CLI11 would say that a subcommand is required, or that a model is.
std::optional<Error> unknown_verb(const CLI::App& app, const std::vector<std::string>& words);
// After app.parse() has refused the command.
std::optional<Error> unknown_option(const CLI::App& app);

}  // namespace espalier::app
