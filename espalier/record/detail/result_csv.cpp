#include "espalier/record/detail/result_csv.hpp"

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 1 << 20;

// Appends all of the text or nothing: a line cut in two would look like a number of its own.
Result<void> append_text(const fs::path& path, const std::string& text) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) return files::cannot_write(path, code.message());
  files::Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return files::cannot_write(path, files::system_reason());
  // On the disk before a checkpoint may count these rows.
  if (files::write_all(file.get(), text) && files::sync(file.get()) && file.close()) return {};
  // Taken before the file is cut, which may fail for a reason of its own.
  const std::string reason = files::system_reason();
  fs::resize_file(path, size, code);
  return files::cannot_write(path, reason);
}

}  // namespace

CsvWriter::CsvWriter(fs::path path, const ResultLayout& layout, Selection selection)
    : path_(std::move(path)), selection_(std::move(selection)) {
  // Chosen columns stand in place of the usual ones.
  if (!selection_.columns().empty()) return;
  for (Quantity& quantity : quantities(layout)) {
    // Contacts and ranks have any number of rows per frame, which a table with one line cannot hold.
    if (!quantity.csv.empty()) table_.push_back(std::move(quantity));
  }
}

std::string CsvWriter::head() const {
  // The time is every table's first column, whatever else there is. The usual columns have their names alone, as
  // programs that read them expect.
  std::string text = selection_.columns().empty() ? "time" : "time [s]";
  for (const Column& column : selection_.columns()) text += ',' + files::csv_field(column_head(column));
  for (const Quantity& quantity : table_) {
    for (const std::string& name : quantity.csv) {
      if (!name.empty()) text += ',' + files::csv_field(name);
    }
  }
  return text + '\n';
}

Result<CsvWriter> CsvWriter::create(const fs::path& path, const ResultLayout& layout, const Selection& selection) {
  CsvWriter writer(path, layout, selection);
  const Result<void> written = files::write_text_file(path, writer.head());
  ESPALIER_TRY(written);
  return writer;
}

Result<CsvWriter> CsvWriter::reopen(const fs::path& path, const ResultLayout& layout, std::int64_t rows,
                                    const Selection& selection) {
  // Whole, since rows have no length of their own: where the last one ends must be counted.
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  CsvWriter writer(path, layout, selection);
  const std::string first = writer.head();
  // The head names all columns: below another one the rows to come would stand in wrong places.
  if (!text->starts_with(first)) {
    return make_error(ErrorCode::kValue, {path.string(), 1, 0},
                      "written for another model or other columns; start a new run in another folder");
  }
  std::size_t end = first.size();
  // Cells below the head are numbers, so that every line end ends a row.
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
  // Rows after the checkpoint come again, the same.
  std::error_code code;
  fs::resize_file(path, end, code);
  if (code) return files::cannot_write(path, code.message());
  return writer;
}

// Taken as for result.h5: both files hold the same numbers.
void CsvWriter::take(const model::Frame& frame) {
  values_.clear();
  selection_.take(frame, values_);
  std::vector<double> row;
  for (const Quantity& quantity : table_) {
    row.clear();
    quantity.take(frame, row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      // The pose of the ground has no names, and no columns.
      if (!quantity.csv[k].empty()) values_.push_back(row[k]);
    }
  }
}

Result<void> CsvWriter::append(const model::Frame& frame) {
  take(frame);
  // In blocks: a write for each row would take longer than the step.
  block_ += number_text(frame.time);
  for (const double value : values_) {
    block_ += ',';
    block_ += number_text(value);
  }
  block_ += '\n';
  return block_.size() >= kBlockBytes ? flush() : Result<void>();
}

Result<void> CsvWriter::flush() {
  if (block_.empty()) return {};
  const Result<void> written = append_text(path_, block_);
  // Rows that could not be written stay for the next try.
  if (written) block_.clear();
  return written;
}

}  // namespace espalier::record::detail
