#pragma once

// What every verb starts from: a file read, its model compiled, and what its reader had to leave out.
//   In:   a model file in any format, or a spec that a program built
//   Out:  LoadedModel, which the verbs take
//
//   Result<LoadedModel> loaded = study::load("models/four_bar.yaml");
//   Result<CheckAnswer> answer = study::check(*loaded);

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::study {

struct LoadOptions {
  formats::ReadOptions read = {};         // What URDF leaves open; an error for other formats.
  std::vector<std::string> accept = {};   // Words of notes: verbs go on although this part of the file is not read.
};

// A plain value; nothing changes it later.
struct LoadedModel {
  std::string file;  // as it was named; for messages and documents
  formats::Format format = formats::Format::kNative;
  LoadOptions options;    // what it was loaded with
  model::ModelSpec spec;  // as the author wrote it, with the notes of the reader
  model::Model model;     // compiled from `spec`
};

// Reads and compiles a model file. Errors: those of formats::read_model and model::compile.
Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options = {});
// The same from memory; `name` stands for the file, and files it refers to are sought in its folder.
Result<LoadedModel> load_text(std::string_view text, const std::string& name, const LoadOptions& options = {});
// Compiles a spec that a program built; `name` stands for the file.
Result<LoadedModel> load_spec(model::ModelSpec spec, const std::string& name, const LoadOptions& options = {});

// A model file kept as its author wrote it, so that other numbers can be put into it: what sweeps over a number and
// design searches start from.
struct LoadedVariants {
  std::string file;
  LoadOptions options;
  formats::ModelVariants variants;
};
Result<LoadedVariants> load_variants(const std::filesystem::path& file, const LoadOptions& options = {});

// What the reader had to say of a file, and what of it was accepted for one use: part of every verb's answer.
struct ReaderNotes {
  std::string file;  // of the model
  std::vector<model::Note> notes;
  std::vector<std::string> accepted;  // words of what is not read and changes the answer
};

// An error where the reader left out what changes the answer of this use and was not accepted.
Result<ReaderNotes> reader_notes(const LoadedModel& loaded, model::Use use);
Result<ReaderNotes> reader_notes(const LoadedVariants& loaded, model::Use use);
// The same for notes of a file that is not loaded whole.
Result<ReaderNotes> reader_notes(const std::string& file, const std::vector<model::Note>& notes, model::Use use,
                                 const std::vector<std::string>& accept);

}  // namespace espalier::study
