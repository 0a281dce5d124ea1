// Every verb of study/: what the command line calls, called from a program.
//
// Run from the repository root: build/dev/bin/example_08_all_verbs
//
// Prints:
//   generate: a ladder of 7 bodies with 3 loops
//   check: 1 degree of freedom, 9 redundant equations
//   plan: cuts 3 joints, optimal
//   convert: read back as URDF, 8 things changed
//   calibrate: constants of this machine from 40 trees

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "espalier/study/calibrate.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/convert.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/plan.hpp"

using namespace espalier;

namespace {

// The value, or the end of the program with the sentence that says why there is none.
template <class T>
T value(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
  std::exit(2);
}

}  // namespace

int main() {
  const study::GenerateAnswer ladder = value(study::generate("ladder", {.sizes = {3}}));
  std::printf("generate: a ladder of %d bodies with %d loops\n", ladder.count.bodies, ladder.count.loops);

  const study::CheckAnswer checked = value(study::check(*ladder.loaded));
  std::printf("check: %d degree of freedom, %zu redundant equations\n", checked.closing.constraints.freedom,
              checked.closing.constraints.redundant.size());

  study::PlanningOptions four_workers;
  four_workers.workers = 4;
  const study::PlanAnswer planned = value(study::plan(*ladder.loaded, four_workers));
  std::printf("plan: cuts %zu joints, %s\n", planned.plan.cut.size(), planned.plan.optimal ? "optimal" : "not proved");

  const study::ConvertAnswer urdf = value(study::convert(*ladder.loaded, {.to = formats::Format::kUrdf}));
  std::printf("convert: read back as URDF, %zu things changed\n", urdf.conversion.changes.size());

  const study::Calibration machine = study::calibrate({.seconds = 1e-3});
  std::printf("calibrate: constants of this machine from %zu trees\n", machine.timings.size());
}
