#include "espalier/study/detail/result_size.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/study/detail/text_parts.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;

constexpr double kCsvNumber = 19;  // digits of a double and its comma, about [bytes]

// Between two frames [s].
double frame_time(const record::RunRecord& record) {
  const double wanted = record.options().output_step;
  if (record.kind() == record::RunKind::kMechanism) return wanted;
  // Frames of a scene are made at ends of steps.
  const double step = record.scene().options.settings.step;
  return std::max(1.0, std::round(wanted / step)) * step;
}

// Columns of result.csv, the time among them.
std::size_t csv_columns(const record::RunRecord& record, const record::ResultLayout& layout) {
  if (!record.csv) return 0;
  const Result<record::Selection> selection = record::Selection::choose(layout, record.quantities);
  const std::size_t chosen = selection ? selection->columns().size() : 0;
  if (chosen > 0) return 1 + chosen;
  // The usual columns: positions of joints, or poses of bodies, and some energies and gaps.
  const std::size_t places =
      record.kind() == record::RunKind::kScene ? 7 * layout.bodies.size() : layout.joint_position.size();
  return places + 7;
}

}  // namespace

ResultSize result_size(const record::RunRecord& record, const record::ResultLayout& layout, std::int64_t outputs) {
  // The first frame is that of the start.
  const double all = std::floor(record.options().end_time / frame_time(record) * (1 + 1e-9)) + 1;
  ResultSize size;
  size.frames = std::max(all - static_cast<double>(outputs), 0.0);
  size.bytes =
      size.frames * (record::frame_bytes(layout) + kCsvNumber * static_cast<double>(csv_columns(record, layout)));
  size.has_contacts = record.kind() == record::RunKind::kScene;
  return size;
}

Result<void> check_free_space(const fs::path& folder, const ResultSize& size) {
  std::error_code code;
  fs::path there = fs::absolute(folder, code);
  // The folder itself may be one to be made.
  while (!fs::exists(there, code) && there.has_relative_path()) there = there.parent_path();
  const fs::space_info space = fs::space(there, code);
  // A disk that does not tell is no reason to refuse.
  if (code || size.bytes <= static_cast<double>(space.available)) return {};
  return make_option_error(
      "output_step",
      fmt::format("the result would take {}, and {} are free in {}", size_text(size),
                  bytes_text(static_cast<double>(space.available)), there.string()),
      "frames at a longer `output_step` take less; other names for the folder lead to other disks");
}

Result<record::Selection> choose_quantities(const record::ResultLayout& layout, const std::string& words) {
  Result<record::Selection> selection = record::Selection::choose(layout, words);
  if (selection && (words.empty() || !selection->columns().empty())) return selection;
  if (selection) return make_option_error("csv", "`csv` names no quantity", "name some, as in `csv` energy");
  Error error = selection.error();
  error.code = ErrorCode::kOption;
  error.option = "csv";
  return tl::unexpected(std::move(error));
}

}  // namespace espalier::study::detail
