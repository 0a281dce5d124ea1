#include "espalier/study/view.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/draw/pages.hpp"
#include "espalier/draw/scene_picture.hpp"
#include "espalier/draw/view_page.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/closing.hpp"
#include "espalier/study/detail/view_run.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/plan.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

// A search of minutes is not worth a picture.
constexpr std::size_t kMostPlannedJoints = 1500;
constexpr std::size_t kMostPictures = 5000;

using detail::model_title;

// Sums of steps are no round numbers.
std::string short_number(double value) { return number_text(std::stod(fmt::format("{:.6g}", value))); }

std::string counts_text(const model::Model& model) {
  std::string text = counted(model.bodies.size() - 1, "body", "bodies");
  if (!model.joints.empty()) text += ", " + counted(model.joints.size(), "joint");
  return text;
}

// The tree of the verb `plan`; a note where there is none.
void add_plan(const LoadedModel& loaded, draw::ViewPage& page) {
  const plan::Mechanism mechanism = plan::make_mechanism(loaded.model);
  if (mechanism.joints.empty()) return;
  if (mechanism.joints.size() > kMostPlannedJoints) {
    // Said, or its reader would look for the tree.
    page.notes.push_back("No plan was made: the mechanism is large. `plan -o plan.json` makes one that can be viewed.");
    return;
  }
  const Result<PlanAnswer> answer = plan(loaded);
  if (answer)
    page.tree = detail::view_tree(loaded.model, mechanism, answer->plan, record::read_cut_reasons(to_json(*answer)));
  else
    page.notes.push_back("There is no plan: " + full_message(answer.error()));
}

void add_file(const LoadedModel& loaded, draw::ViewPage& page) {
  page.facts.emplace_back("model", loaded.file);
  // Tells pages of two states of one file apart.
  if (const Result<std::uint64_t> hash = record::model_hash(loaded.spec)) {
    page.facts.emplace_back("hash of the model", fmt::format("{:016x}", *hash));
  }
  page.facts.emplace_back("drawn by", "espalier " ESPALIER_VERSION);
  for (const model::Note& note : loaded.spec.notes) page.notes.push_back(note.message);
}

ViewAnswer finish(draw::ViewPage page, ViewSubject subject, std::size_t run_frames) {
  ViewAnswer answer;
  answer.subject = subject;
  answer.title = page.title;
  answer.bodies = page.model ? page.model->bodies.size() - 1 : 0;
  answer.modes = page.modes ? page.modes->shapes.size() : 0;
  answer.frames = page.frames ? page.frames->times.size() : 0;
  answer.run_frames = run_frames;
  answer.missing = page.scene.missing;
  answer.notes = page.notes;
  // Last: the answer has copied what it tells of the page.
  draw::DrawnPage drawn = draw::draw_view_page(page);
  answer.html = std::move(drawn.html);
  answer.position_error = drawn.position_error;
  answer.angle_error = drawn.angle_error;
  return answer;
}

// The model in the pose in which its loops are closed; as it is drawn where that cannot be.
Result<model::Model> posed(const LoadedModel& loaded, const std::string& keyframe, draw::ViewPage& page) {
  // As `simulate` would start, so that both show the same pose.
  const Result<Closing> closing = close_loops(loaded.model, plan::make_mechanism(loaded.model), keyframe);
  ESPALIER_TRY(closing);
  if (const std::optional<Error> open = closing_error(*closing)) page.notes.push_back(full_message(*open));
  return assembled(*closing, loaded.model);
}

// A plan from a file.
struct GivenPlan {
  plan::Plan plan;
  detail::CutReasons reasons;
};

// (1) The model; (2) its pose and scene; (3) its plan.
Result<ViewAnswer> view_model(const LoadedModel& loaded, const ViewOptions& options,
                              const std::optional<GivenPlan>& given) {
  draw::ViewPage page;
  const Result<model::Model> model = posed(loaded, options.keyframe, page);
  ESPALIER_TRY(model);
  page.title = model_title(loaded);
  page.subtitle = counts_text(*model) + (options.keyframe.empty() ? "" : ", keyframe " + options.keyframe);
  page.model = &*model;
  page.scene = draw::make_scene(*model);
  page.command = options.command;
  page.report = options.report;
  add_file(loaded, page);
  if (given) {
    page.tree = detail::view_tree(*model, plan::make_mechanism(*model), given->plan, given->reasons);
    page.facts.emplace_back("proof", given->plan.proof);
  } else {
    add_plan(loaded, page);
  }
  return finish(std::move(page), given ? ViewSubject::kPlan : ViewSubject::kModel, 0);
}

void add_run_facts(const detail::ViewedRun& run, const fs::path& folder, draw::ViewPage& page) {
  const record::RunRecord& record = run.record;
  page.facts = {{"run", folder.string()},
                {"model", run.loaded.file},
                {"hash of the model", fmt::format("{:016x}", record.model_hash)},
                {"computed by", "espalier " + record.version},
                {"engine", record.kind() == record::RunKind::kScene ? "contact" : "recursive"},
                {"outcome", model::outcome_word(record.outcome)},
                {"until", fmt::format("{} s", short_number(run.recording.rows.at("time").back()))},
                {"drawn by", "espalier " ESPALIER_VERSION}};
  if (record.kind() == record::RunKind::kScene) {
    page.facts.emplace_back("ranks", std::to_string(record.scene().ranks));
    page.facts.emplace_back("worst residual of a step", fmt::format("{:.2g}", record.scene().worst_residual));
  } else {
    page.facts.emplace_back("largest loop gap", fmt::format("{:.2g} m", record.mechanism().loop_distance));
    page.facts.emplace_back("energy error", fmt::format("{:.2g} J", record.mechanism().energy_error));
  }
  // A run writes its outcome last.
  if (!record.outcome) page.notes.push_back("The run is under way, or it was killed: these are its frames so far.");
  if (!record.message.empty()) page.notes.push_back(record.message);
}

Result<ViewAnswer> view_run(const fs::path& folder, const ViewOptions& options) {
  const Result<detail::ViewedRun> run = detail::read_viewed_run(folder, options);
  ESPALIER_TRY(run);
  draw::ViewPage page;
  page.notes = run->notes;
  page.model = &run->loaded.model;
  page.title = model_title(run->loaded);
  page.scene = draw::make_scene(*page.model);
  page.command = run->record.command;
  page.report = options.report;
  page.chapters = options.chapters;
  const std::size_t frames = run->recording.frames();
  page.subtitle = fmt::format("{}; {} in {} s", counts_text(*page.model), counted(frames, "frame"),
                              short_number(run->recording.rows.at("time").back()));
  add_run_facts(*run, folder, page);
  detail::add_run(*run, page, page.notes);
  std::optional<ViewDifference> difference;
  if (!options.compare.empty()) {
    Result<ViewDifference> found = detail::add_comparison(*run, options, page);
    ESPALIER_TRY(found);
    difference = *std::move(found);
  }
  if (run->record.kind() == record::RunKind::kMechanism) {
    const plan::Mechanism mechanism = plan::make_mechanism(*page.model);
    // The weights of the network do not matter: the tree is read and not sought.
    const plan::Network network = plan::make_network(*page.model, mechanism, plan::Weights::kLiu);
    const Result<plan::Plan> plan =
        record::read_plan_text(run->record.mechanism().plan, (folder / "run.json").string(), network);
    // The tree is beside the point of a run: the page does without it.
    if (plan)
      page.tree =
          detail::view_tree(*page.model, mechanism, *plan, record::read_cut_reasons(run->record.mechanism().plan));
    else
      page.notes.push_back("The tree is not shown: " + full_message(plan.error()));
  }
  ViewAnswer answer = finish(std::move(page), ViewSubject::kRun, frames);
  answer.difference = std::move(difference);
  return answer;
}

// The document of `plan`, or nothing where the file is something else.
std::optional<nlohmann::json> plan_document(const fs::path& file, const std::string& text) {
  if (file.extension() != ".json" || !files::check_json_text(text, file.string())) return std::nullopt;
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

Result<ViewAnswer> view_plan(const fs::path& file, const std::string& text, const nlohmann::json& json,
                             const ViewOptions& options) {
  std::string model = options.model;
  // What the caller names counts before what the plan has kept.
  if (model.empty() && json.contains("file") && json["file"].is_string()) model = json["file"].get<std::string>();
  std::error_code ignored;
  // As it was typed where the plan was made, or beside the plan.
  const fs::path beside = file.parent_path() / fs::path(model).filename();
  if (options.model.empty() && !fs::exists(model, ignored) && fs::exists(beside, ignored)) model = beside.string();
  const Result<LoadedModel> loaded = load(model, options.load);
  ESPALIER_TRY(loaded);
  const plan::Mechanism mechanism = plan::make_mechanism(loaded->model);
  const Result<plan::Plan> plan =
      record::read_plan_text(text, file.string(), plan::make_network(loaded->model, mechanism, plan::Weights::kLiu));
  ESPALIER_TRY(plan);
  return view_model(*loaded, options, GivenPlan{*plan, record::read_cut_reasons(text)});
}

// A document of `modes`, with the points and shapes that it was written with.
Result<ViewAnswer> view_modes(const fs::path& file, const nlohmann::json& json, const ViewOptions& options) {
  const auto text = [&](const char* key) {
    return json.value(key, nlohmann::json()).is_string() ? json.value(key, "") : "";
  };
  draw::ViewPage page;
  page.modes = json.contains("motion") ? draw::read_motion(json["motion"].dump()) : std::nullopt;
  if (!page.modes || page.modes->shapes.empty()) {
    Error error{ErrorCode::kUnsupported, "there are no shapes in this document of modes", {file.string()}};
    error.hint = "let the verb modes write it again, without `no_shapes`";
    error.option = "no_shapes";
    return tl::unexpected(error);
  }
  const std::string model = text("file");
  page.title = "Modes of " + (text("model").empty() ? fs::path(model).filename().string() : text("model"));
  page.subtitle = counted(page.modes->shapes.size(), "mode");
  page.facts = {{"modes", file.string()},
                {"model", model},
                {"method", text("method")},
                {"certificate", text("certificate")},
                {"drawn by", "espalier " ESPALIER_VERSION}};
  page.command = options.command;
  return finish(std::move(page), ViewSubject::kModes, 0);
}

// What both kinds of pictures of a run need.
struct PicturedRun {
  detail::ViewedRun run;
  draw::Scene scene;
  std::vector<double> times;
  std::vector<math::Pose> poses;  // at those times, one after the other
  draw::PictureView view;
};

Result<PicturedRun> pictured(const fs::path& folder, const ViewTimes& times, const ViewOptions& options) {
  Result<detail::ViewedRun> run = detail::read_viewed_run(folder, options);
  ESPALIER_TRY(run);
  PicturedRun pictured{*std::move(run), {}, {}, {}, {}};
  const draw::ViewFrames frames = detail::frames_of(pictured.run.recording);
  // A user types 5 for a run to 4.999999999.
  const double first = frames.times.front(), last = frames.times.back(), slack = 1e-9 * (last - first);
  if (times.from < first - slack || times.to > last + slack) {
    return make_option_error(
        "at", fmt::format("the run lasts from {} to {} s, and `at` asks for {} to {}", number_text(first),
                          number_text(last), number_text(times.from), number_text(times.to)));
  }
  const auto count = static_cast<std::size_t>(std::floor((times.to - times.from) / times.step + 1e-9)) + 1;
  if (count > kMostPictures) {
    return make_option_error("at", fmt::format("`at` asks for {} pictures, more than {}", count, kMostPictures),
                             "take a longer step");
  }
  const model::Model& model = pictured.run.loaded.model;
  for (std::size_t k = 0; k < count; ++k) {
    // By a product and not by sums, which would miss the end.
    const double time = std::min(last, times.from + static_cast<double>(k) * times.step);
    pictured.times.push_back(time);
    const std::vector<math::Pose> poses = detail::poses_at(frames, model.bodies.size(), time);
    pictured.poses.insert(pictured.poses.end(), poses.begin(), poses.end());
  }
  pictured.scene = draw::make_scene(model);
  // One view for all pictures: a film must not move its camera.
  pictured.view = draw::choose_view(model, pictured.scene, pictured.poses);
  return pictured;
}

}  // namespace

// (1) A folder is a run; (2) a JSON document may be a plan or modes; (3) all else is a model.
Result<ViewAnswer> view(const fs::path& what, const ViewOptions& options) {
  std::error_code ignored;
  // A folder is a run or a mistake.
  if (fs::is_directory(what, ignored)) return view_run(what, options);
  if (!options.compare.empty()) {
    return make_option_error("compare", "`compare` takes the folder of a run beside another one", "view a run folder");
  }
  if (what.extension() == ".json") {
    const Result<std::string> text = files::read_text_file(what);
    ESPALIER_TRY(text);
    const std::optional<nlohmann::json> json = plan_document(what, *text);
    // By its keys: our models may be JSON as well.
    if (json && json->contains("tree") && json->contains("cut")) return view_plan(what, *text, *json, options);
    if (json && json->contains("modes") && json->contains("vertices")) return view_modes(what, *json, options);
  }
  const Result<LoadedModel> loaded = load(what, options.load);
  ESPALIER_TRY(loaded);
  return view_model(*loaded, options, std::nullopt);
}

Result<ViewAnswer> view(const PlanAnswer& answer, const ViewOptions& options) {
  // A graph has no bodies that could be drawn.
  if (answer.bodies == 0) {
    draw::ViewPage page;
    page.title = "Plan of " + fs::path(answer.name).filename().string();
    page.facts = {{"graph", answer.file}, {"proof", answer.plan.proof}, {"drawn by", "espalier " ESPALIER_VERSION}};
    page.pictures = {draw::draw_plan_svg(answer.plan)};
    page.command = options.command;
    page.report = options.report;
    return finish(std::move(page), ViewSubject::kPlan, 0);
  }
  const Result<LoadedModel> loaded = load(answer.file, options.load);
  ESPALIER_TRY(loaded);
  return view_model(*loaded, options, GivenPlan{answer.plan, record::read_cut_reasons(to_json(answer))});
}

Result<ViewTimes> parse_view_times(const std::string& text) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::optional<double> number = parse_number(text.substr(begin, end - begin));
    if (!number) break;
    numbers.push_back(*number);
    begin = end + 1;
  }
  // Read to its end, as no colon stands behind the last number.
  const bool whole = begin > text.size();
  if (whole && numbers.size() == 1) return ViewTimes{numbers[0], numbers[0], 1};
  if (whole && numbers.size() == 3 && numbers[2] > 0 && numbers[1] >= numbers[0]) {
    return ViewTimes{numbers[0], numbers[1], numbers[2]};
  }
  return make_option_error("at", fmt::format("`at` is {}, not one time or FROM:TO:STEP in seconds", in_quotes(text)),
                           "as in 0:5:0.04");
}

Result<ViewPictures> view_pictures(const fs::path& run, const ViewTimes& times, const ViewOptions& options) {
  const Result<PicturedRun> from = pictured(run, times, options);
  ESPALIER_TRY(from);
  const model::Model& model = from->run.loaded.model;
  const std::size_t bodies = model.bodies.size();
  ViewPictures pictures{model_title(from->run.loaded), from->times, {}};
  for (std::size_t k = 0; k < from->times.size(); ++k) {
    pictures.pictures.push_back(draw::draw_picture(model, from->scene, from->view,
                                                   std::span(from->poses).subspan(k * bodies, bodies),
                                                   {pictures.title, false, false, from->times[k]}));
  }
  return pictures;
}

Result<ViewPictures> view_moving_picture(const fs::path& run, const ViewTimes& times, const ViewOptions& options) {
  const Result<PicturedRun> from = pictured(run, times, options);
  ESPALIER_TRY(from);
  std::string text =
      draw::draw_moving_picture(from->run.loaded.model, from->scene, from->view, from->poses, times.to - times.from,
                                {model_title(from->run.loaded), false, false, std::nullopt});
  // Now, for it depends on what is seen in each frame.
  if (text.size() > kMostMovingBytes) {
    return make_option_error("at", fmt::format("the moving picture would have {} MB", text.size() / 1'000'000),
                             "take a longer step in `at`, or look at the page");
  }
  return ViewPictures{model_title(from->run.loaded), from->times, {std::move(text)}};
}

}  // namespace espalier::study
