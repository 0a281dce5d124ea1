#include "apps/espalier/modes_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/modes_input.hpp"
#include "apps/espalier/modes_plot.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/sweep.hpp"
#include "espalier/modes/cut.hpp"
#include "espalier/modes/tracking.hpp"

namespace espalier::app {
namespace {

using modes::Track;
using modes::TrackSet;
using nlohmann::ordered_json;

// Modes beyond those asked for: where frequencies cross, some come from above.
constexpr int kMore = 4;
// Beams are cut once, for four times the frequency of the first value.
constexpr double kFaster = 4;

struct ModeSweep {
  std::string path;
  TrackSet set;
  ReaderNotes reader;
};

Result<formats::SweepParameter> read_parameter(const ModesCommand& command) {
  Result<formats::SweepParameter> parameter = formats::parse_vary(command.vary);
  ESPALIER_TRY(parameter);
  const auto refuse = [&](const char* why) {
    return make_error(ErrorCode::kOption, {}, fmt::format("--vary {}: {}", in_quotes(command.vary), why));
  };
  if (parameter->kind != formats::SweepParameter::Kind::kValues) {
    return refuse("modes are followed from value to value; say how many, PATH=low:high:points");
  }
  if (parameter->values.size() < 2) return refuse("give two values or more");
  const bool up = std::is_sorted(parameter->values.begin(), parameter->values.end());
  const bool down = std::is_sorted(parameter->values.rbegin(), parameter->values.rend());
  if (!up && !down) return refuse("modes are followed from value to value; give them in order");
  return parameter;
}

// What find_modes() is asked at one value of the parameter.
class Stepper {
 public:
  Stepper(const comm::Comm& comm, const formats::ModelVariants& variants, std::string path, modes::ModesOptions options)
      : comm_(comm), variants_(variants), path_(std::move(path)), options_(std::move(options)) {
    options_.shapes = false;
    options_.count += kMore;
  }

  Result<modes::TrackStep> at(double value) {
    Result<modes::TrackStep> step = find(value);
    if (!step && step.error().code != ErrorCode::kOption) {
      step.error().message += fmt::format(" (with {} = {:.10g})", path_, value);
    }
    return comm::agree(comm_, std::move(step));
  }

 private:
  Result<modes::TrackStep> find(double value) {
    const formats::FieldValue field{path_, value};
    const Result<model::ModelSpec> spec = variants_.with(std::span(&field, 1));
    ESPALIER_TRY(spec);
    const Result<model::Model> model = model::compile(*spec);
    ESPALIER_TRY(model);
    const Result<modes::Structure> structure = modes::make_structure(*model);
    ESPALIER_TRY(structure);
    const Result<modes::Tree> tree = modes::plan_tree(*structure);
    ESPALIER_TRY(tree);
    const Result<modes::ModeSet> set = modes::find_modes(comm_, *structure, *tree, options_);
    ESPALIER_TRY(set);
    if (pieces_.empty()) pieces_ = modes::piece_counts(*structure, kFaster * set->upto, 4);
    if (pieces_.size() != structure->elements.size()) {
      return make_error(ErrorCode::kOption, {},
                        fmt::format("{} changes how many elements the structure has: its modes cannot be compared",
                                    in_quotes(path_)));
    }
    return modes::make_track_step(*structure, *tree, *set, pieces_);
  }

  const comm::Comm& comm_;
  const formats::ModelVariants& variants_;
  std::string path_;
  modes::ModesOptions options_;
  std::vector<int> pieces_;  // by element
};

Result<ModeSweep> find(const comm::Comm& comm, const ModesCommand& command) {
  const Result<modes::ModesOptions> options = make_modes_options(command);
  ESPALIER_TRY(options);
  const Result<void> plot = check_plot(command.plot);
  ESPALIER_TRY(plot);
  const Result<formats::SweepParameter> parameter = read_parameter(command);
  ESPALIER_TRY(parameter);
  const Result<formats::ModelVariants> variants = formats::ModelVariants::read(command.model, command.read);
  ESPALIER_TRY(variants);
  Result<ReaderNotes> reader = study::reader_notes(command.model, variants->notes(), model::Use::kModes, command.accept);
  ESPALIER_TRY(reader);
  Stepper stepper(comm, *variants, parameter->path, *options);
  StatusLine line(command.quiet || !comm.is_root());
  int steps = 0;
  modes::TrackOptions tracking;
  tracking.count = options->count;
  Result<TrackSet> set = modes::track_modes(
      [&](double value) {
        ++steps;
        if (line.is_due()) line.show_text(fmt::format("search {}, {} = {:.6g}", steps, parameter->path, value));
        return stepper.at(value);
      },
      parameter->values, tracking);
  ESPALIER_TRY(set);
  // Those that were followed beyond what was asked for.
  if (!command.max_frequency && command.box.empty()) {
    std::vector<Track>& tracks = set->tracks;
    if (tracks.size() > static_cast<std::size_t>(options->count))
      tracks.resize(static_cast<std::size_t>(options->count));
  }
  return ModeSweep{parameter->path, *std::move(set), *std::move(reader)};
}

double hertz(std::complex<double> s) { return s.imag() / (2 * std::numbers::pi); }
double damping_ratio(std::complex<double> s) { return -s.real() / std::abs(s); }

bool is_damped(const TrackSet& set) {
  for (const Track& track : set.tracks) {
    if (std::any_of(track.s.begin(), track.s.end(), [](const std::complex<double>& s) { return s.real() < 0; }))
      return true;
  }
  return false;
}

ordered_json or_null(double x) { return std::isnan(x) ? ordered_json(nullptr) : ordered_json(x); }

std::string sweep_json(const ModesCommand& command, const ModeSweep& sweep) {
  ordered_json tracks = ordered_json::array();
  for (const Track& track : sweep.set.tracks) {
    ordered_json frequency = ordered_json::array(), damping = ordered_json::array(), mac = ordered_json::array();
    for (std::size_t k = 0; k < track.s.size(); ++k) {
      frequency.push_back(or_null(hertz(track.s[k])));
      damping.push_back(or_null(damping_ratio(track.s[k])));
      mac.push_back(or_null(track.mac[k]));
    }
    tracks.push_back({{"frequency", std::move(frequency)}, {"damping", std::move(damping)}, {"mac", std::move(mac)}});
  }
  ordered_json certainty = ordered_json::array();
  for (const modes::Certainty c : sweep.set.certainty) certainty.push_back(modes::word(c));
  const ordered_json json = {{"file", command.model},       {"parameter", sweep.path},
                             {"values", sweep.set.values},  {"certainty", std::move(certainty)},
                             {"searches", sweep.set.steps}, {"tracks", std::move(tracks)}};
  return with_reader(sweep.reader, json).dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string sweep_csv(const ModeSweep& sweep) {
  std::string text = sweep.path;
  for (std::size_t t = 1; t <= sweep.set.tracks.size(); ++t) text += fmt::format(",mode {0} [Hz],mode {0} damping", t);
  text += "\n";
  for (std::size_t k = 0; k < sweep.set.values.size(); ++k) {
    text += fmt::format("{}", sweep.set.values[k]);
    for (const Track& track : sweep.set.tracks) {
      text += std::isnan(track.s[k].imag()) ? std::string(",,")
                                            : fmt::format(",{},{}", hertz(track.s[k]), damping_ratio(track.s[k]));
    }
    text += "\n";
  }
  return text;
}

draw::ChartPage sweep_page(const ModesCommand& command, const ModeSweep& sweep) {
  draw::Chart frequency, damping;
  frequency.title = fmt::format("Modes over {}", sweep.path);
  damping.title = fmt::format("Damping over {}", sweep.path);
  frequency.x.label = damping.x.label = sweep.path;
  frequency.y.label = "frequency [Hz]";
  damping.y.label = "damping ratio";
  for (std::size_t t = 0; t < sweep.set.tracks.size(); ++t) {
    draw::Curve curve, ratio;
    curve.name = ratio.name = fmt::format("mode {}", t + 1);
    curve.x = ratio.x = sweep.set.values;
    for (const std::complex<double>& s : sweep.set.tracks[t].s) {
      curve.y.push_back(hertz(s));
      ratio.y.push_back(damping_ratio(s));
    }
    frequency.curves.push_back(std::move(curve));
    damping.curves.push_back(std::move(ratio));
  }
  draw::ChartPage page{frequency.title, "", {frequency}, command.line};
  if (is_damped(sweep.set)) page.charts.push_back(std::move(damping));
  return page;
}

std::string sweep_text(const ModeSweep& sweep) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t t = 0; t < sweep.set.tracks.size(); ++t) {
    const Track& track = sweep.set.tracks[t];
    double low = std::numeric_limits<double>::infinity(), high = 0, mac = 1;
    for (std::size_t k = 0; k < track.s.size(); ++k) {
      if (std::isnan(track.s[k].imag())) continue;
      low = std::min(low, hertz(track.s[k]));
      high = std::max(high, hertz(track.s[k]));
      if (!std::isnan(track.mac[k])) mac = std::min(mac, track.mac[k]);
    }
    const auto at = [](double x) { return std::isnan(x) ? std::string("-") : fmt::format("{:.6g}", x); };
    rows.push_back({std::to_string(t + 1), at(hertz(track.s.front())), at(hertz(track.s.back())),
                    fmt::format("{:.6g}", low), fmt::format("{:.6g}", high), fmt::format("{:.2f}", mac)});
  }
  std::string text = fmt::format("{} from {:.6g} to {:.6g} in {}, {}\n\n", sweep.path, sweep.set.values.front(),
                                 sweep.set.values.back(), counted(sweep.set.values.size(), "value", "values"),
                                 counted(static_cast<std::size_t>(sweep.set.steps), "search", "searches"));
  text += table({"mode", "first Hz", "last Hz", "lowest", "highest", "smallest MAC"}, rows) + "\n";
  const auto unproved = std::count_if(sweep.set.certainty.begin(), sweep.set.certainty.end(),
                                      [](modes::Certainty c) { return c != modes::Certainty::kProved; });
  text += unproved == 0 ? "proved  at each value no mode is missing\n"
                        : fmt::format("note    at {} of {} values it is not proved that no mode is missing\n", unproved,
                                      sweep.set.values.size());
  return text + reader_text(sweep.reader, "reader  ");
}

}  // namespace

int run_mode_sweep(const comm::Comm& comm, const ModesCommand& command) {
  const Result<ModeSweep> sweep = comm::agree(comm, find(comm, command));
  if (!comm.is_root()) return sweep ? kDone : kBadInput;
  if (!sweep) return report(sweep.error(), command.json);
  const auto write = [](const std::string& file, const std::string& text) {
    return file.empty() ? Result<void>() : files::write_text_file(file, text);
  };
  Result<void> written = write(command.output, sweep_json(command, *sweep));
  if (written) written = write(command.csv, sweep_csv(*sweep));
  if (written && !command.plot.empty()) written = write_charts(command.plot, sweep_page(command, *sweep));
  if (!written) return report(written.error(), command.json);
  if (command.json) return print_result(sweep_json(command, *sweep));
  return command.quiet ? kDone : print_result(sweep_text(*sweep));
}

}  // namespace espalier::app
