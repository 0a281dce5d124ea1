#include "espalier/study/tune.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/study/detail/tune_charts.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kCheckpoint = "checkpoint.bin";
// Before it was sealed as the checkpoints of runs are, it was a text with a sum of its own.
constexpr const char* kCheckpointBefore = "checkpoint.json";

// JSON has no NaN: null stands for it. Infinities do not occur, goals are finite or NaN.
ordered_json numbers_json(const std::vector<double>& numbers) {
  ordered_json list = ordered_json::array();
  for (const double x : numbers) list.push_back(std::isnan(x) ? ordered_json(nullptr) : ordered_json(x));
  return list;
}

double number_from(const ordered_json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> numbers_from(const ordered_json& json) {
  std::vector<double> numbers;
  for (const ordered_json& item : json) numbers.push_back(number_from(item));
  return numbers;
}

ordered_json design_json(const optimize::Design& design) {
  return {{"parameters", numbers_json(design.parameters)},
          {"goals", numbers_json(design.goals)},
          {"excess", numbers_json({design.excess})[0]}};
}

optimize::Design design_from(const ordered_json& json) {
  return {numbers_from(json.at("parameters")), numbers_from(json.at("goals")), number_from(json.at("excess"))};
}

ordered_json gain_json(const optimize::Gain& gain) {
  ordered_json designs = ordered_json::array();
  for (const optimize::Design& design : gain.designs) designs.push_back(design_json(design));
  return {{"generation", gain.generation}, {"designs", std::move(designs)}};
}

optimize::Gain gain_from(const ordered_json& json) {
  optimize::Gain gain;
  json.at("generation").get_to(gain.generation);
  for (const ordered_json& design : json.at("designs")) gain.designs.push_back(design_from(design));
  return gain;
}

ordered_json step_json(const TuneStep& step) {
  return {{"generation", step.generation},
          {"best", numbers_json({step.best})[0]},
          {"mean", numbers_json({step.mean})[0]},
          {"parameters", numbers_json(step.parameters)},
          {"frequencies", numbers_json(step.frequencies)}};
}

TuneStep step_from(const ordered_json& json) {
  return {json.at("generation").get<int>(), number_from(json.at("best")), number_from(json.at("mean")),
          numbers_from(json.at("parameters")), numbers_from(json.at("frequencies"))};
}

// The text of a pagmo algorithm may hold any byte.
std::string to_hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t k = 0; k + 1 < text.size(); k += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(k, 2), nullptr, 16));
  }
  return bytes;
}

ordered_json record_json(const TuneRecord& record) {
  const optimize::SearchState& search = record.state.search;
  ordered_json population = ordered_json::array(), archive = ordered_json::array(), history = ordered_json::array();
  for (const optimize::Design& design : search.population) population.push_back(design_json(design));
  for (const optimize::Design& design : search.archive) archive.push_back(design_json(design));
  for (const TuneStep& step : record.state.history) history.push_back(step_json(step));
  ordered_json json = {{"model", record.model},
                       {"study", record.study},
                       // As text: JSON's numbers hold 53 bits of it.
                       {"study_hash", hash_text(record.state.study)},
                       {"algorithm", record.algorithm},
                       {"population_size", record.population},
                       {"generations", record.generations},
                       {"seed", record.seed},
                       {"pareto", record.pareto},
                       {"enough", nullptr},
                       {"seconds", record.state.seconds},
                       {"generation", search.generation},
                       {"evaluations", search.evaluations},
                       {"without_number", search.without_number},
                       {"best", design_json(search.best)},
                       {"gain", gain_json(search.gain)},
                       {"memory", to_hex(search.memory)},
                       {"population", std::move(population)},
                       {"archive", std::move(archive)},
                       {"history", std::move(history)}};
  // Keys that came later are written only where they say something: older programs read the rest.
  if (record.enough) json["enough"] = *record.enough;
  if (record.patience > 0) json["patience"] = record.patience;
  if (!record.accept.empty()) json["accept"] = record.accept;
  return json;
}

TuneRecord record_from(const ordered_json& json) {
  TuneRecord record;
  json.at("model").get_to(record.model);
  json.at("study").get_to(record.study);
  json.at("algorithm").get_to(record.algorithm);
  json.at("population_size").get_to(record.population);
  json.at("generations").get_to(record.generations);
  json.at("seed").get_to(record.seed);
  json.at("pareto").get_to(record.pareto);
  // Files that were written before there was such a key.
  record.accept = json.value("accept", record.accept);
  record.patience = json.value("patience", record.patience);
  if (!json.at("enough").is_null()) record.enough = json.at("enough").get<double>();
  record.state.study = std::stoull(json.at("study_hash").get<std::string>(), nullptr, 16);
  json.at("seconds").get_to(record.state.seconds);
  optimize::SearchState& search = record.state.search;
  json.at("generation").get_to(search.generation);
  json.at("evaluations").get_to(search.evaluations);
  json.at("without_number").get_to(search.without_number);
  search.best = design_from(json.at("best"));
  // Checkpoints were without it once: gains are then counted from where the search continues.
  if (json.contains("gain")) search.gain = gain_from(json.at("gain"));
  search.memory = from_hex(json.at("memory").get<std::string>());
  for (const ordered_json& design : json.at("population")) search.population.push_back(design_from(design));
  for (const ordered_json& design : json.at("archive")) search.archive.push_back(design_from(design));
  for (const ordered_json& step : json.at("history")) record.state.history.push_back(step_from(step));
  return record;
}

std::string number_cell(double x) { return std::isnan(x) ? "" : number_text(x); }

void add_cells(std::string& row, const std::vector<double>& numbers) {
  for (const double x : numbers) row += ',' + number_cell(x);
}

std::string history_csv(const DesignSpace& space, const TuneState& state) {
  std::string text = "generation,best,mean";
  for (const formats::TuningParameter& parameter : space.tuning.parameters) {
    text += ',' + files::csv_field(parameter.name);
  }
  for (int k = 1; k <= space.modes; ++k) text += fmt::format(",frequency {}", k);
  text += '\n';
  for (const TuneStep& step : state.history) {
    text += fmt::format("{},{},{}", step.generation, number_cell(step.best), number_cell(step.mean));
    add_cells(text, step.parameters);
    add_cells(text, step.frequencies);
    text += '\n';
  }
  return text;
}

std::string front_csv(const DesignSpace& space, const Tuned& tuned) {
  std::string text;
  for (const formats::TuningGoal& goal : space.tuning.goals) text += files::csv_field(goal.name) + ',';
  for (const formats::TuningParameter& parameter : space.tuning.parameters) {
    text += files::csv_field(parameter.name) + ',';
  }
  // Every name has brought a comma.
  text.back() = '\n';
  for (const FrontDesign& design : tuned.front) {
    std::string row;
    add_cells(row, design.goals);
    add_cells(row, design.parameters);
    // Without the comma in front.
    text += row.substr(1) + '\n';
  }
  return text;
}

Result<std::string> best_model(const fs::path& folder, const DesignSpace& space, const Tuned& tuned) {
  // From the file as its author wrote it, with other numbers in it.
  const Result<model::ModelSpec> spec = space.model.with(field_values(space, tuned.parameters));
  ESPALIER_TRY(spec);
  Result<formats::WrittenModel> written = formats::write_model(*spec, formats::Format::kNative, {.folder = folder});
  ESPALIER_TRY(written);
  return std::move(written->text);
}

}  // namespace

Result<void> write_tune_checkpoint(const fs::path& folder, const TuneRecord& record) {
  // A path may be no UTF-8; who goes on then has to name the model again.
  return files::write_sealed(folder / kCheckpoint,
                             {word_of(record::RunKind::kTune),
                              record_json(record).dump(-1, ' ', false, ordered_json::error_handler_t::replace)});
}

Result<TuneRecord> read_tune_checkpoint_text(const std::string& text, const std::string& file) {
  const Result<void> small = files::check_json_text(text, file);
  ESPALIER_TRY(small);
  try {
    // A key that is missing or of another type throws; all of them mean the same here.
    return record_from(ordered_json::parse(text));
  } catch (const std::exception& problem) {
    return make_error(ErrorCode::kFormat, {file, 0, 0},
                      fmt::format("not the state of a design search, or a broken one: {}", problem.what()));
  }
}

Result<TuneRecord> read_tune_checkpoint(const fs::path& folder, std::vector<std::string>& notes) {
  const Result<void> own = files::check_own_files(folder);
  ESPALIER_TRY(own);
  std::error_code code;
  if (!fs::exists(folder / kCheckpoint, code) && fs::exists(folder / kCheckpointBefore, code)) {
    return make_error(ErrorCode::kFormat, {(folder / kCheckpointBefore).string(), 0, 0},
                      "a design search of an earlier version; continue it with the program that wrote it, or begin it "
                      "again in another folder");
  }
  const auto read = [](const fs::path& path) -> Result<TuneRecord> {
    const Result<files::Sealed> sealed = files::read_sealed(path);
    ESPALIER_TRY(sealed);
    // Runs through time are sealed in files of this name too.
    if (sealed->kind != word_of(record::RunKind::kTune)) {
      return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                        fmt::format("a checkpoint of the kind {}, not of a design search", in_quotes(sealed->kind)));
    }
    return read_tune_checkpoint_text(sealed->body, path.string());
  };
  return files::read_last_checkpoint(folder / kCheckpoint, read, notes);
}

Result<files::FolderLock> make_tune_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                      fmt::format("the folder cannot be made: {}", code.message()));
  }
  Result<files::FolderLock> lock = files::FolderLock::take(folder);
  ESPALIER_TRY(lock);
  // Under the lock: before, another process may have been about to write it.
  if (!fs::exists(folder / kCheckpoint, code) && !fs::exists(folder / kCheckpointBefore, code)) {
    // A folder of somebody's own files is no place for ours.
    const Result<void> only = files::check_holds_only(folder, std::array<std::string_view, 1>{".lock"});
    ESPALIER_TRY(only);
    return lock;
  }
  return tl::unexpected(Error{ErrorCode::kFile,
                              "holds a design search already",
                              {folder.string(), 0, 0},
                              "restart",
                              "continue it with `restart`, or choose another folder"});
}

namespace {

// Shapes of the best design, as many as its goals look at and some more; none where it has no modes.
draw::Motion best_motion(const DesignSpace& space, const std::string& model) {
  constexpr int kLeast = 6;
  if (space.modes == 0 && space.upto == 0) return {};
  const Result<LoadedModel> loaded = load_text(model, "best.yaml");
  if (!loaded) return {};
  ModesOptions options;
  options.count = std::max(kLeast, space.modes);
  const Result<ModesAnswer> answer = modes(comm::Comm::serial(), *loaded, options);
  return answer && answer->results ? make_motion(*answer) : draw::Motion();
}

}  // namespace

Result<std::vector<std::string>> write_tune_results(const fs::path& folder, const DesignSpace& space,
                                                    const Tuned& tuned, const TuneFiles& files) {
  const Result<std::string> model = best_model(folder, space, tuned);
  ESPALIER_TRY(model);
  std::vector<std::pair<std::string, std::string>> texts = {
      {"tune.json", files.json}, {"history.csv", history_csv(space, tuned.state)}, {"best.yaml", *model}};
  if (!tuned.front.empty()) texts.emplace_back("front.csv", front_csv(space, tuned));
  for (auto& chart : detail::draw_tune_charts(space, tuned, files, best_motion(space, *model)))
    texts.push_back(std::move(chart));
  std::vector<std::string> names;
  for (const auto& [name, text] : texts) {
    const Result<void> written = files::write_text_file(folder / name, text);
    ESPALIER_TRY(written);
    names.push_back(name);
  }
  return names;
}

}  // namespace espalier::study
