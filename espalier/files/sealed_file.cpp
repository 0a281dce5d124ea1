#include "espalier/files/sealed_file.hpp"

#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::files {
namespace {

constexpr std::string_view kFirst = "espalier checkpoint 2 ";
// Version 1 had a first line for each kind, and the same words below.
constexpr std::array<std::pair<std::string_view, const char*>, 2> kFirstOld = {
    {{"espalier checkpoint 1", "mechanism"}, {"espalier scene checkpoint 1", "scene"}}};

// The kind that the first line names; none where it is no line of ours.
Sealed read_head(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return {};
  const std::string_view line = text.substr(0, end);
  for (const auto& [old, kind] : kFirstOld) {
    if (line == old) return {kind, ""};
  }
  if (!line.starts_with(kFirst)) return {};
  return {std::string(line.substr(kFirst.size())), ""};
}

}  // namespace

void put(std::string& text, std::uint64_t word) {
  // Byte by byte, lowest first: the file is the same on machines of either byte order.
  for (int k = 0; k < 8; ++k, word >>= 8) text += static_cast<char>(word & 0xff);
}
void put(std::string& text, double number) { put(text, std::bit_cast<std::uint64_t>(number)); }
void put(std::string& text, std::span<const double> numbers) {
  // The length stands before a list, so that readers never guess.
  put(text, std::uint64_t{numbers.size()});
  for (const double number : numbers) put(text, number);
}

// Past the end everything reads as zero and `whole_` remembers it: callers check once, at the end.
std::uint64_t WordReader::word() {
  if (text_.size() < 8) {
    whole_ = false;
    return 0;
  }
  std::uint64_t word = 0;
  for (std::size_t k = 8; k-- > 0;) word = word << 8 | static_cast<unsigned char>(text_[k]);
  text_.remove_prefix(8);
  return word;
}

double WordReader::number() { return std::bit_cast<double>(word()); }

std::uint64_t WordReader::count(std::uint64_t words) {
  const std::uint64_t count = word();
  // A length is believed only if the rest can hold it; a damaged one would otherwise ask for all memory.
  whole_ = whole_ && count <= text_.size() / (8 * words);
  return whole_ ? count : 0;
}

std::vector<double> WordReader::numbers() {
  std::vector<double> numbers(count(1));
  for (double& value : numbers) value = number();
  return numbers;
}

Result<void> write_sealed(const std::filesystem::path& path, const Sealed& sealed) {
  std::string text = fmt::format("{}{}\n{}", kFirst, sealed.kind, sealed.body);
  // The sum covers the first line too, which says what kind of file it is.
  put(text, Hash().add(std::string_view(text)).value());
  return write_checkpoint_file(path, text);
}

Result<Sealed> read_sealed(const std::filesystem::path& path) {
  const Result<std::string> text = read_text_file(path);
  ESPALIER_TRY(text);
  const auto broken = [&](const char* why) { return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, why); };
  Sealed sealed = read_head(*text);
  if (sealed.kind.empty()) {
    return broken(
        "not a checkpoint of this version of espalier; continue with the version that wrote it, or start again in "
        "another folder");
  }
  const std::size_t head = text->find('\n') + 1;
  // Less than a head and a sum cannot be checked at all.
  if (text->size() < head + 8) return broken("the checkpoint is cut off");
  const std::string_view whole = std::string_view(*text).substr(0, text->size() - 8);
  WordReader sum(std::string_view(*text).substr(whole.size()));
  if (sum.word() != Hash().add(whole).value()) return broken("the checkpoint is damaged: its sum is wrong");
  sealed.body = whole.substr(head);
  return sealed;
}

}  // namespace espalier::files
