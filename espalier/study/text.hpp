#pragma once

// The report of each verb's answer: whole lines for a terminal or a page. Where it advises an option or a call, the
// door that prints it says how its users write that.
//   In:   the answer of a verb; TextOptions
//   Out:  text, each line with its end
// Read next: documents.hpp, the same answers as JSON.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::study {

struct CheckAnswer;
struct PlanAnswer;
struct ConvertAnswer;
struct GenerateAnswer;
struct Calibration;
struct ResultSize;
struct SimulateAnswer;
struct RunProgress;
struct SweepAnswer;
struct ModesAnswer;
struct ResponseAnswer;
struct ModeSweepAnswer;
struct MatrixAnswer;
struct TuneAnswer;
struct TuneState;
struct ViewAnswer;
struct ViewFiles;

// A call of a verb that a report advises.
struct Advice {
  std::string verb;                                               // "simulate"
  std::string model = {};                                         // its file; empty: none is named
  std::vector<std::pair<std::string, std::string>> options = {};  // fields and values; a flag has no value
};

// The library's own wording, by fields: "`all`", "`accept` tendon"; "simulate(restart = run, end_time = 2)".
std::string word_field(std::string_view field, std::string_view value);
std::string word_call(const Advice& advice);

// How the users of a door write what a report advises.
struct Wording {
  std::function<std::string(std::string_view field, std::string_view value)> option = word_field;
  std::function<std::string(const Advice& advice)> call = word_call;
};

struct TextOptions {
  int width = 80;    // [characters] Lines are wrapped here, but no word is cut.
  bool all = false;  // check, plan, calibrate: show every item of a listing; otherwise the first few.
  Wording wording = {};
};

// Items of a listing of check without `all`.
inline constexpr std::size_t kFewItems = 6;

std::string to_text(const CheckAnswer& answer, const TextOptions& options = {});
std::string to_text(const PlanAnswer& answer, const TextOptions& options = {});
std::string to_text(const ConvertAnswer& answer, const TextOptions& options = {});
std::string to_text(const GenerateAnswer& answer, const TextOptions& options = {});
std::string to_text(const Calibration& answer, const TextOptions& options = {});
// What was done, how well, what was written, and the next command.
std::string to_text(const SimulateAnswer& answer, const TextOptions& options = {});
std::string to_text(const SweepAnswer& answer, const TextOptions& options = {});
std::string to_text(const ModesAnswer& answer, const TextOptions& options = {});
std::string to_text(const ResponseAnswer& answer, const TextOptions& options = {});
std::string to_text(const ModeSweepAnswer& answer, const TextOptions& options = {});
std::string to_text(const MatrixAnswer& answer, const TextOptions& options = {});
std::string to_text(const TuneAnswer& answer, const TextOptions& options = {});
std::string to_text(const ViewAnswer& answer, const TextOptions& options = {});
std::string to_text(const ViewFiles& files);

// What is known before the run: the mechanism and its tree, or the scene, and what is odd about it.
std::string head_text(const SimulateAnswer& answer, int ranks, const TextOptions& options = {});
// The same of a sweep: what the folders of its runs will take; empty where it keeps none.
std::string head_text(const ResultSize& expected, const TextOptions& options = {});

// One line without its end; `seconds` of wall time so far.
// "t 1.25 s  12 %  x 34.1  ETA 0:12  loop 2e-13 m  energy 3e-09 J", or
// "t 0.25 s  25 %  ETA 0:12  312 contacts  40 iterations  residual 3e-07  imbalance 1.1".
std::string progress_text(const RunProgress& progress, double seconds);
// "generation 12 of 200  best 3.2e-05  832 designs  ETA 0:12": fits 60 columns.
std::string progress_text(const TuneState& state, int generations, double seconds);
// "12 of 40 modes"; "45 modes" where more were found than are expected so far.
std::string progress_text(int found, int expected);
// What to call next, as its report advises: the run or the search continued, or what came out looked at. Without files
// there is nothing to call.
Advice next_call(const SimulateAnswer& answer);
Advice next_call(const TuneAnswer& answer);

// "generation 13 of 200  17 of 64 designs of it".
std::string generation_text(int generation, int generations, std::size_t done, std::size_t of);

}  // namespace espalier::study
