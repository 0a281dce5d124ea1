#include "espalier/io/checkpoint.hpp"

#include <bit>
#include <optional>
#include <span>
#include <string_view>

#include "espalier/base/hash.hpp"
#include "espalier/io/io.hpp"

namespace espalier::io {
namespace {

constexpr std::string_view kMagic = "espalier checkpoint 1\n";
constexpr int kIntegrators = 4;

void put(std::string& text, std::uint64_t word) {
  for (int k = 0; k < 8; ++k, word >>= 8) text += static_cast<char>(word & 0xff);
}
void put(std::string& text, double number) { put(text, std::bit_cast<std::uint64_t>(number)); }
void put(std::string& text, std::span<const double> numbers) {
  put(text, std::uint64_t{numbers.size()});
  for (const double number : numbers) put(text, number);
}

// Words one after the other. Past the end it gives zeros and remembers that.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::uint64_t word() {
    if (text_.size() < 8) {
      whole_ = false;
      return 0;
    }
    std::uint64_t word = 0;
    for (std::size_t k = 8; k-- > 0;) word = word << 8 | static_cast<unsigned char>(text_[k]);
    text_.remove_prefix(8);
    return word;
  }
  double number() { return std::bit_cast<double>(word()); }
  std::vector<double> numbers() {
    const std::uint64_t count = word();
    whole_ = whole_ && count <= text_.size() / 8;
    std::vector<double> numbers;
    for (std::uint64_t k = 0; whole_ && k < count; ++k) numbers.push_back(number());
    return numbers;
  }
  bool at_end() const { return whole_ && text_.empty(); }

 private:
  std::string_view text_;
  bool whole_ = true;
};

std::optional<Checkpoint> parse(std::string_view body) {
  Reader reader(body);
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
  put(text, Hash().add(std::string_view(text)).value());
  return write_text_file(path, text);
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
  const Result<std::string> text = read_text_file(path);
  ESPALIER_TRY(text);
  const auto broken = [&](const char* why) { return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, why); };
  if (!text->starts_with(kMagic)) return broken("not a checkpoint of this version of espalier");
  if (text->size() < kMagic.size() + 8) return broken("the checkpoint is cut off");
  const std::string_view whole = std::string_view(*text).substr(0, text->size() - 8);
  Reader sum(std::string_view(*text).substr(whole.size()));
  if (sum.word() != Hash().add(whole).value()) return broken("the checkpoint is damaged: its sum is wrong");
  const std::optional<Checkpoint> checkpoint = parse(whole.substr(kMagic.size()));
  if (!checkpoint) return broken("the checkpoint is damaged");
  return *checkpoint;
}

}  // namespace espalier::io
