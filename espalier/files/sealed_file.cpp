#include "espalier/files/sealed_file.hpp"

#include <bit>

#include "espalier/base/hash.hpp"
#include "espalier/files/checkpoint_file.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::files {

void put(std::string& text, std::uint64_t word) {
  for (int k = 0; k < 8; ++k, word >>= 8) text += static_cast<char>(word & 0xff);
}
void put(std::string& text, double number) { put(text, std::bit_cast<std::uint64_t>(number)); }
void put(std::string& text, std::span<const double> numbers) {
  put(text, std::uint64_t{numbers.size()});
  for (const double number : numbers) put(text, number);
}

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
  whole_ = whole_ && count <= text_.size() / (8 * words);
  return whole_ ? count : 0;
}

std::vector<double> WordReader::numbers() {
  std::vector<double> numbers(count(1));
  for (double& value : numbers) value = number();
  return numbers;
}

Result<void> write_sealed(const std::filesystem::path& path, std::string text) {
  put(text, Hash().add(std::string_view(text)).value());
  return write_checkpoint_file(path, text);
}

Result<std::string> read_sealed(const std::filesystem::path& path, std::string_view first_line) {
  const Result<std::string> text = read_text_file(path);
  ESPALIER_TRY(text);
  const auto broken = [&](const char* why) { return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, why); };
  if (!text->starts_with(first_line)) return broken("not a checkpoint of this version of espalier");
  if (text->size() < first_line.size() + 8) return broken("the checkpoint is cut off");
  const std::string_view whole = std::string_view(*text).substr(0, text->size() - 8);
  WordReader sum(std::string_view(*text).substr(whole.size()));
  if (sum.word() != Hash().add(whole).value()) return broken("the checkpoint is damaged: its sum is wrong");
  return std::string(whole.substr(first_line.size()));
}

}  // namespace espalier::files
