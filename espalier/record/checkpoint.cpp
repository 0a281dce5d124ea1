#include "espalier/record/checkpoint.hpp"

#include <optional>
#include <span>
#include <string_view>

#include "espalier/files/sealed_file.hpp"

namespace espalier::record {
namespace {

using files::put;

constexpr std::string_view kMagic = "espalier checkpoint 1\n";
constexpr int kIntegrators = 4;

std::optional<Checkpoint> parse(std::string_view body) {
  files::WordReader reader(body);
  Checkpoint checkpoint;
  checkpoint.model_hash = reader.word();
  checkpoint.plan_hash = reader.word();
  dynamics::RunState& run = checkpoint.run;
  const std::uint64_t integrator = reader.word();
  run.outputs = static_cast<std::int64_t>(reader.word());
  run.state.time = reader.number();
  run.step = reader.number();
  run.exchanged = reader.number();
  run.state.q = reader.numbers();
  run.state.v = reader.numbers();
  run.memory = reader.numbers();
  if (!reader.at_end() || integrator >= kIntegrators || run.outputs < 0) return std::nullopt;
  run.integrator = static_cast<dynamics::Integrator>(integrator);
  return checkpoint;
}

}  // namespace

Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  std::string text(kMagic);
  const dynamics::RunState& run = checkpoint.run;
  for (const std::uint64_t word :
       {checkpoint.model_hash, checkpoint.plan_hash, static_cast<std::uint64_t>(run.integrator),
        static_cast<std::uint64_t>(run.outputs)}) {
    put(text, word);
  }
  for (const double number : {run.state.time, run.step, run.exchanged}) put(text, number);
  for (const std::vector<double>* numbers : {&run.state.q, &run.state.v, &run.memory}) put(text, std::span(*numbers));
  return files::write_sealed(path, std::move(text));
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
  const Result<std::string> body = files::read_sealed(path, kMagic);
  ESPALIER_TRY(body);
  const std::optional<Checkpoint> checkpoint = parse(*body);
  if (!checkpoint) return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, "the checkpoint is damaged");
  return *checkpoint;
}

}  // namespace espalier::record
