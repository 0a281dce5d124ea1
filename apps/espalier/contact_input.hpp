#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/record/contact_run.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::app {

// Which engine the command asks for: by its option, by the run it goes on with, or by a model that has a `contact`
// section which is on. To be asked on one rank.
struct Engine {
  bool is_contact = false;
  std::optional<model::ModelSpec> spec;  // the model, where it had to be read to tell
};
Result<Engine> choose_engine(const SimulateCommand& command);

// The run of a scene that can begin. Ranks other than the root have the options of the record alone.
struct ContactInput {
  contact::Scene scene;
  record::SceneRecord record;
  record::SceneLayout layout;
  contact::RunState start;
  std::string folder;      // empty: no files are written
  bool continued = false;  // the folder is there, with what was computed up to `start`
  std::size_t bodies = 0, joints = 0;
  std::vector<std::string> notes;                     // what the user should know before the run
  std::optional<files::FolderLock> lock = std::nullopt;  // on the root, of a folder that is there
  ReaderNotes reader;
};

// Collective. On the root alone it reads what is to be read: the model unless `spec` has it, with `restart` the folder
// of the run too.
Result<ContactInput> read_contact_input(const comm::Comm& comm, const SimulateCommand& command,
                                        std::optional<model::ModelSpec> spec);

}  // namespace espalier::app
