#pragma once

// The report of each verb's answer, as the command line prints it: whole lines. It speaks the command line's words
// where it says what to do next.

#include <cstddef>
#include <string>

namespace espalier::study {

struct CheckAnswer;
struct PlanAnswer;
struct ConvertAnswer;
struct GenerateAnswer;
struct Calibration;
struct SimulateAnswer;
struct RunProgress;
struct SweepAnswer;
struct ModesAnswer;
struct ResponseAnswer;
struct ModeSweepAnswer;
struct MatrixAnswer;
struct TuneAnswer;
struct TuneState;

struct TextOptions {
  int width = 80;    // [characters] Lines are wrapped here, but no word is cut.
  bool all = false;  // check, plan, calibrate: show every item of a listing; otherwise the first few.
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

// What is known before the run: the mechanism and its tree, or the scene, and what is odd about it.
std::string head_text(const SimulateAnswer& answer, int ranks, const TextOptions& options = {});

// One line without its end; `seconds` of wall time so far.
// "t 1.25 s  12 %  x 34.1  ETA 0:12  loop 2e-13 m  energy 3e-09 J", or
// "t 0.25 s  25 %  ETA 0:12  312 contacts  40 iterations  residual 3e-07  imbalance 1.1".
std::string progress_text(const RunProgress& progress, double seconds);
// "generation 12 of 200  best 3.2e-05  832 designs  ETA 0:12": fits 60 columns.
std::string progress_text(const TuneState& state, int generations, double seconds);
// "generation 13 of 200  17 of 64 designs of it".
std::string generation_text(int generation, int generations, std::size_t done, std::size_t of);

}  // namespace espalier::study
