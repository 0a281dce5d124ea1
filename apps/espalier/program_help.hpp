#pragma once

// What the program takes, as plain data (manual/manual.hpp), read from the definitions of its options.

#include <string>
#include <string_view>
#include <vector>

#include "espalier/manual/manual.hpp"

namespace CLI {
class App;
}

namespace espalier::app {

manual::VerbHelp describe_verb(const CLI::App& verb);
manual::ProgramHelp describe_program(const CLI::App& app);

// Commands that work as they stand, in a folder where the models are that they name.
std::vector<manual::ExampleHelp> examples_of(std::string_view verb);

// "espalier 0.1.0", how it was built, and the versions of the libraries that decide what it can do.
std::string version_text();

}  // namespace espalier::app
