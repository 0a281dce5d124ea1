#include "espalier/study/load.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/files/text_file.hpp"

namespace espalier::study {
namespace {

// Whoever mends the error meets what was not read next: both are said at once.
Error with_notes(Error error, const std::vector<model::Note>& notes) {
  std::vector<std::string> words;
  for (const model::Note& note : notes) {
    const model::NoteKind kind = model::kind_of(note);
    const bool known = std::find(words.begin(), words.end(), kind.word) != words.end();
    if (model::changes(kind.effect, model::Use::kContact) && !known) words.push_back(kind.word);
  }
  if (words.empty()) return error;
  error.hint += fmt::format("{}the reader also left out what changes answers: {}", error.hint.empty() ? "" : "; ",
                            fmt::join(words, ", "));
  return error;
}

}  // namespace

Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options) {
  // Read once and as a whole, so that what is parsed is what the format was told from.
  const Result<std::string> text = files::read_text_file(file);
  ESPALIER_TRY(text);
  return load_text(*text, file.string(), options);
}

Result<LoadedModel> load_text(std::string_view text, const std::string& name, const LoadOptions& options) {
  Result<model::ModelSpec> spec = formats::read_model_text(text, name, options.read);
  ESPALIER_TRY(spec);
  // Compiled before anything else is asked of it: a verb never sees a model that is wrong.
  Result<LoadedModel> loaded = load_spec(*std::move(spec), name, options);
  ESPALIER_TRY(loaded);
  // Kept for reports; the reader has found it for itself.
  const Result<formats::Format> format = formats::detect_format(text, name);
  ESPALIER_TRY(format);
  loaded->format = *format;
  return loaded;
}

Result<LoadedModel> load_spec(model::ModelSpec spec, const std::string& name, const LoadOptions& options) {
  Result<model::Model> model = model::compile(spec);
  if (!model) return tl::unexpected(with_notes(model.error(), spec.notes));
  // The spec stays beside the model, since writers and hashes are about what the author wrote.
  return LoadedModel{name, formats::Format::kNative, options, std::move(spec), *std::move(model)};
}

Result<LoadedVariants> load_variants(const std::filesystem::path& file, const LoadOptions& options) {
  // Not compiled: a file may make a model only with the numbers that are put into it.
  Result<formats::ModelVariants> variants = formats::ModelVariants::read(file, options.read);
  ESPALIER_TRY(variants);
  return LoadedVariants{file.string(), options, *std::move(variants)};
}

Result<ReaderNotes> reader_notes(const LoadedModel& loaded, model::Use use) {
  return reader_notes(loaded.file, loaded.spec.notes, use, loaded.options.accept);
}

Result<ReaderNotes> reader_notes(const LoadedVariants& loaded, model::Use use) {
  return reader_notes(loaded.file, loaded.variants.notes(), use, loaded.options.accept);
}

Result<ReaderNotes> reader_notes(const std::string& file, const std::vector<model::Note>& notes, model::Use use,
                                 const std::vector<std::string>& accept) {
  // The words that were needed, which may be fewer than those that were accepted.
  Result<std::vector<std::string>> accepted = model::check_notes(notes, use, accept);
  ESPALIER_TRY(accepted);
  return ReaderNotes{file, notes, *std::move(accepted)};
}

}  // namespace espalier::study
