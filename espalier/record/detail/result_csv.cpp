#include "espalier/record/detail/result_csv.hpp"

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/csv.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 1 << 20;

std::string head(const ResultLayout& layout) {
  std::string text = "time";
  for (const Column& column : layout.joint_position) {
    text += ',';
    text += files::csv_field(column.name);
  }
  return text + ",kinetic,potential,exchanged,total,loop_distance,loop_angle\n";
}

// Appends all of the text or nothing: a line cut in two would look like a number of its own.
Result<void> append_text(const fs::path& path, const std::string& text) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) return files::cannot_write(path, code.message());
  files::Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return files::cannot_write(path, files::system_reason());
  if (files::write_all(file.get(), text) && files::sync(file.get()) && file.close()) return {};
  const std::string reason = files::system_reason();
  fs::resize_file(path, size, code);
  return files::cannot_write(path, reason);
}

}  // namespace

CsvWriter::CsvWriter(fs::path path) : path_(std::move(path)) {}

Result<CsvWriter> CsvWriter::create(const fs::path& path, const ResultLayout& layout) {
  const Result<void> written = files::write_text_file(path, head(layout));
  ESPALIER_TRY(written);
  return CsvWriter(path);
}

Result<CsvWriter> CsvWriter::reopen(const fs::path& path, const ResultLayout& layout, std::int64_t rows) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  const std::string first = head(layout);
  if (!text->starts_with(first)) {
    return make_error(ErrorCode::kValue, {path.string(), 1, 0},
                      "written for another mechanism; start a new run in another folder");
  }
  std::size_t end = first.size();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::size_t line_end = text->find('\n', end);
    if (line_end == std::string::npos) {
      return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                        fmt::format("holds {} rows, but the checkpoint was made after {}; start a new run in another "
                                    "folder",
                                    row, rows));
    }
    end = line_end + 1;
  }
  std::error_code code;
  fs::resize_file(path, end, code);
  if (code) return files::cannot_write(path, code.message());
  return CsvWriter(path);
}

Result<void> CsvWriter::append(const model::Frame& frame) {
  block_ += number_text(frame.time);
  for (const double number : frame.joint_position) {
    block_ += ',';
    block_ += number_text(number);
  }
  for (const double number : {frame.kinetic, frame.potential, frame.exchanged, frame.kinetic + frame.potential,
                              frame.loop_distance, frame.loop_angle}) {
    block_ += ',';
    block_ += number_text(number);
  }
  block_ += '\n';
  return block_.size() >= kBlockBytes ? flush() : Result<void>();
}

Result<void> CsvWriter::flush() {
  if (block_.empty()) return {};
  const Result<void> written = append_text(path_, block_);
  if (written) block_.clear();
  return written;
}

}  // namespace espalier::record::detail
