#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/study/calibrate.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

std::string beta_text(const BetaRange& beta, int width) {
  return wrapped(
      "",
      fmt::format("beta of L + beta W: {:.2g} on good trees, {:.2g} to {:.2g} on all (2 b / a; a = {:.3g} ns "
                  "per level of the tree, b = {:.3g} ns per equation). It depends on how many loops pass the "
                  "same joints: small where loops are local, large where they do not close before the "
                  "root, and then the larger the mechanism.",
                  beta.value, beta.least, beta.most, 1e9 * beta.level_seconds, 1e9 * beta.equation_seconds),
      width);
}

}  // namespace

std::string to_text(const Calibration& found, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k)
    rows.push_back({std::string(plan::work_names()[k]), fmt::format("{:.3g}", 1e9 * found.machine.seconds[k])});
  // It is no kind of work and stands behind the others.
  rows.push_back({"synchronisation", fmt::format("{:.3g}", 1e9 * found.machine.synchronisation)});
  std::string text = "Constants of this machine\n" + table({"part", "ns"}, rows, options.width);
  // Forty trees are for those who doubt the fit.
  if (options.all) {
    rows.clear();
    for (const TreeTiming& timing : found.timings) {
      rows.push_back({timing.name, fmt::format("{:.4g}", 1e6 * timing.seconds),
                      fmt::format("{:.4g}", 1e6 * timing.predicted),
                      fmt::format("{:+.1f}", 100 * (timing.predicted / timing.seconds - 1))});
    }
    text += "\n" + table({"mechanism, tree", "measured us", "predicted us", "%"}, rows, options.width);
  }
  text +=
      fmt::format("\n{} trees of generated mechanisms were timed; the prediction is {:.0f} % off, {:.0f} % at most.\n",
                  found.timings.size(), 100 * found.typical_error, 100 * found.largest_error);
  if (found.beta) text += beta_text(*found.beta, options.width);
  // The objective that asks for these constants.
  const Advice plan = {"plan", "FILE", {{"objective", plan::to_string(plan::Objective::kTime)}}};
  if (!found.written.empty()) text += fmt::format("Wrote {}\n", found.written);
  return text + fmt::format("Next: {}\n", options.wording.call(plan));
}

}  // namespace espalier::study
