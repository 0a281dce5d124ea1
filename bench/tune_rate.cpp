// Question: how many designs a second does a search judge, with 1, 2, 4, ... threads or ranks, and where does a
// design's time go? The launcher of models/mlrs.yaml as its section `tune` asks: each design is read, compiled and has
// its ten lowest frequencies found and their number proved. Wall time of five generations of 64. Reference: one thread;
// on several ranks the ratio is that to one rank, which the root measures first while the others wait. Usage: tune_rate
// [CSV], or mpirun -n N tune_rate [CSV].

#include <cstdio>
#include <thread>
#include <vector>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/model/model.hpp"
#include "espalier/study/design.hpp"

namespace {

using namespace espalier;

constexpr int kGenerations = 5;

// Designs a second.
double rate(const comm::Comm& comm, const study::DesignSpace& space, int threads) {
  study::DesignSearch options;
  options.threads = threads;
  const double start = bench::wall_seconds();
  const study::Tuned tuned = bench::need(study::find_design(comm, space, options));
  return static_cast<double>(tuned.evaluations) / (bench::wall_seconds() - start);
}

// The parts of one design, of the processor's time.
void print_parts(const study::DesignSpace& space) {
  const std::vector<double> parameters(space.tuning.parameters.size(), 1.5);
  const std::vector<formats::FieldValue> values = study::field_values(space, parameters);
  const model::ModelSpec spec = bench::need(space.model.with(values));
  const model::Model model = bench::need(model::compile(spec));
  double sum = 0;
  const std::vector<bench::Times> times = bench::time_in_turns(
      {[&](int) { sum += static_cast<double>(bench::need(space.model.with(values)).joints.size()); },
       [&](int) { sum += static_cast<double>(bench::need(model::compile(spec)).joints.size()); },
       [&](int) { sum += static_cast<double>(bench::need(modes::make_structure(model)).elements.size()); },
       [&](int) { sum += study::judge(space, parameters).goals.front(); }},
      1.0);
  std::printf("one design %.3f ms: read %.3f, compiled %.3f, made a structure %.3f, the rest is its modes\n",
              1e3 * times[3].least, 1e3 * times[0].least, 1e3 * times[1].least, 1e3 * times[2].least);
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session session;
  const comm::Comm comm = comm::Comm::world();
  const char* const kModel = ESPALIER_SOURCE_DIR "/models/mlrs.yaml";
  study::DesignSpace space = bench::need(study::make_design_space(bench::need(formats::ModelVariants::read(kModel)),
                                                                  bench::need(formats::read_tuning(kModel))));
  space.tuning.generations = kGenerations;
  std::FILE* csv = argc > 1 && comm.is_root() ? std::fopen(argv[1], "w") : nullptr;
  if (csv != nullptr) std::fprintf(csv, "ranks,threads,designs_per_second,ratio\n");
  double reference = 0;
  const auto row = [&](int ranks, int threads, double found) {
    if (reference == 0) reference = found;
    std::printf("%5d %7d %18.1f %7.2f\n", ranks, threads, found, found / reference);
    if (csv != nullptr) std::fprintf(csv, "%d,%d,%.1f,%.3f\n", ranks, threads, found, found / reference);
  };
  if (comm.is_root()) {
    print_parts(space);
    std::printf("%5s %7s %18s %7s\n", "ranks", "threads", "designs a second", "ratio");
    row(1, 1, rate(comm::Comm::serial(), space, 1));
  }
  if (comm.size() > 1) {
    const double found = rate(comm, space, 1);
    if (comm.is_root()) row(comm.size(), 1, found);
  } else {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (int threads = 2; threads <= cores; threads *= 2) row(1, threads, rate(comm, space, threads));
  }
  if (csv != nullptr) std::fclose(csv);
}
