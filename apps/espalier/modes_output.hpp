#pragma once

#include <functional>
#include <string>

#include "apps/espalier/commands.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/draw/pages.hpp"

namespace espalier::app {

// What an answer about vibrations looks like in each form; only those that the command asks for are made.
struct ModesOutput {
  std::function<std::string()> json, text, csv;
  std::function<Result<draw::ModePage>()> page;
};

// Writes the files that the command names and prints the rest, on the root rank. Returns the exit code.
int finish(const comm::Comm& comm, const ModesCommand& command, const ModesOutput& output);

// The questions beside that for modes. Collective. They return the exit code.
Result<int> run_response(const comm::Comm& comm, const ModesCommand& command);
Result<int> run_mode_sweep(const comm::Comm& comm, const ModesCommand& command);
Result<int> run_matrix(const comm::Comm& comm, const ModesCommand& command);

}  // namespace espalier::app
