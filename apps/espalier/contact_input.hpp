#pragma once

#include <string>
#include <vector>

#include "apps/espalier/commands.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/io/contact_run.hpp"

namespace espalier::app {

// Whether the command asks for the contact engine: by its option, by the run it goes on with, or by a model that has a
// `contact` section which is on. A model that cannot be read asks for nothing.
bool wants_contact(const SimulateCommand& command);

// The run of a scene that can begin, on each rank.
struct ContactInput {
  contact::Scene scene;
  io::SceneRecord record;
  // On the root alone:
  io::SceneLayout layout;
  contact::RunState start;
  std::string folder;      // empty: no files are written
  bool continued = false;  // the folder is there, with what was computed up to `start`
  std::size_t bodies = 0, joints = 0;
  std::vector<std::string> notes;  // what the user should know before the run
};

// Reads the model; with `restart` the folder of the run too.
Result<ContactInput> read_contact_input(const SimulateCommand& command, bool is_root);

}  // namespace espalier::app
