#pragma once

#include <vector>

#include "espalier/dynamics/detail/kernel.hpp"
#include "espalier/dynamics/detail/program.hpp"

namespace espalier::dynamics::detail {

// The kernel of a Workspace and the program it runs.
struct Engine {
  Engine(const System& system, const std::vector<bool>& dropped_rows)
      : dropped(dropped_rows), program(make_program(system, dropped)), kernel(program) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::vector<bool> dropped;  // by row of the system
  Program program;
  Kernel<double> kernel;
};

}  // namespace espalier::dynamics::detail
