// Question: what does a model file cost beyond the YAML it is written in?
//   reference  yaml-cpp's YAML::Load, which makes a tree of strings and checks nothing
//   read       formats::read_model_text: every name, number and unit checked, file and line kept
//   compile    read, and model::compile
// on the native text of a ladder of N four-bar loops, 2N + 1 bodies.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <benchmark/benchmark.h>
#include <yaml-cpp/yaml.h>

#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"

namespace {

namespace formats = espalier::formats;
using espalier::Result;

template <class T>
T need(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "read_models: %s\n", espalier::to_string(result.error()).c_str());
  std::exit(1);
}

// The same text for every benchmark of one size.
const std::string& ladder_text(int loops) {
  static std::map<int, std::string> texts;
  std::string& text = texts[loops];
  if (text.empty()) {
    const espalier::model::ModelSpec spec = need(espalier::model::generate_ladder(loops));
    text = need(formats::write_model(spec, formats::Format::kNative)).text;
  }
  return text;
}

template <class Work>
void measure(benchmark::State& state, Work work) {
  const std::string& text = ladder_text(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(work(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void reference(benchmark::State& state) {
  measure(state, [](const std::string& text) { return YAML::Load(text); });
}

void read(benchmark::State& state) {
  measure(state, [](const std::string& text) { return need(formats::read_model_text(text, "ladder.yaml")); });
}

void compile(benchmark::State& state) {
  measure(state, [](const std::string& text) {
    return need(espalier::model::compile(need(formats::read_model_text(text, "ladder.yaml"))));
  });
}

BENCHMARK(reference)->RangeMultiplier(10)->Range(10, 10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read)->RangeMultiplier(10)->Range(10, 10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(compile)->RangeMultiplier(10)->Range(10, 10'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
