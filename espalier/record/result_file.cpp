#include "espalier/record/result_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/record/detail/hdf5.hpp"
#include "espalier/record/detail/hdf5_guard.hpp"
#include "espalier/record/detail/quantity.hpp"

namespace espalier::record {
namespace {

using detail::By;
using detail::Handle;
using detail::Hdf5Lock;
using detail::kByCount;
using detail::OpenFile;
using detail::Quantity;
using detail::Use;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // of rows in memory, at most
constexpr hsize_t kChunkBytes = 1 << 16;                   // of one chunk in the file, about

// One mark per component for the whole run, and no row per frame: it stands beside the table of quantities.
constexpr const char* kUnique = "/reaction_unique";
constexpr const char* kUniqueSays =
    "by joint of /names/joints: force and couple along the axes of its frame F; 1: the laws of motion decide this "
    "component of /reaction, 0: it is one choice of many";

// What tells the kinds of results apart.
struct Kind {
  RunKind kind;
  const char* version;  // the attribute of the root that holds it
  std::vector<const char*> groups;
};
const std::array<Kind, 2>& kinds() {
  static const std::array<Kind, 2> all = {
      {{RunKind::kMechanism, "espalier_result", {"/names", "/units", "/energy", "/loop"}},
       {RunKind::kScene, "espalier_scene", {"/names", "/units", "/energy", "/contact", "/rank"}}}};
  return all;
}

std::size_t index(By by) { return to_index(by); }

tl::unexpected<Error> broken(const fs::path& path, std::string message) {
  return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, std::move(message));
}

// Lists of a layout. A mechanism always has the first of them; what may be empty is not there then, nor in files of a
// program that did not know it yet.
struct ColumnList {
  const char* name;
  std::vector<Column> ResultLayout::*list;
  bool of_mechanisms = false;
};
constexpr std::array<ColumnList, 7> kColumnLists = {{{"q", &ResultLayout::q, true},
                                                     {"v", &ResultLayout::v, true},
                                                     {"joint_position", &ResultLayout::joint_position, true},
                                                     {"joint_velocity", &ResultLayout::joint_velocity, true},
                                                     {"joint_acceleration", &ResultLayout::joint_acceleration},
                                                     {"joint_effort", &ResultLayout::joint_effort},
                                                     {"force", &ResultLayout::force}}};
struct NameList {
  const char* path;
  std::vector<std::string> ResultLayout::*list;
  bool of_mechanisms = true, of_scenes = false;
};
constexpr std::array<NameList, 4> kNameLists = {{{"/names/bodies", &ResultLayout::bodies, true, true},
                                                 {"/names/joints", &ResultLayout::joints},
                                                 {"/names/joint_types", &ResultLayout::joint_types},
                                                 {"/names/forces", &ResultLayout::forces, false}}};

bool is_mechanism(const ResultLayout& layout) { return layout.kind == RunKind::kMechanism; }
bool always_has(const ResultLayout& layout, const ColumnList& list) {
  return is_mechanism(layout) && list.of_mechanisms;
}
bool always_has(const ResultLayout& layout, const NameList& list) {
  return is_mechanism(layout) ? list.of_mechanisms : list.of_scenes;
}

bool write_columns(hid_t file, const char* name, const std::vector<Column>& columns) {
  std::vector<std::string> names, units;
  for (const Column& column : columns) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  return detail::write_strings(file, fmt::format("/names/{}", name).c_str(), names) &&
         detail::write_strings(file, fmt::format("/units/{}", name).c_str(), units);
}

bool write_layout(hid_t file, const ResultLayout& layout) {
  const Kind& kind = kinds()[is_mechanism(layout) ? 0 : 1];
  // HDF5 makes no groups on the way to a dataset: they have to be there before the first name is written.
  for (const char* group : kind.groups) {
    if (!detail::create_group(file, group)) return false;
  }
  for (const NameList& names : kNameLists) {
    const std::vector<std::string>& list = layout.*names.list;
    if ((always_has(layout, names) || !list.empty()) && !detail::write_strings(file, names.path, list)) return false;
  }
  for (const ColumnList& columns : kColumnLists) {
    const std::vector<Column>& list = layout.*columns.list;
    if ((always_has(layout, columns) || !list.empty()) && !write_columns(file, columns.name, list)) return false;
  }
  return detail::write_attribute(file, kind.version, kVersion) && detail::write_attribute(file, "model", layout.model);
}

bool read_columns(hid_t file, const char* name, std::vector<Column>& columns) {
  std::vector<std::string> names, units;
  if (!detail::read_strings(file, fmt::format("/names/{}", name).c_str(), names) ||
      !detail::read_strings(file, fmt::format("/units/{}", name).c_str(), units) || names.size() != units.size()) {
    return false;
  }
  for (std::size_t k = 0; k < names.size(); ++k) columns.push_back({names[k], units[k]});
  return true;
}

bool read_layout(hid_t file, ResultLayout& layout) {
  for (const NameList& names : kNameLists) {
    const bool wanted = always_has(layout, names) || detail::is_there(file, names.path);
    if (wanted && !detail::read_strings(file, names.path, layout.*names.list)) return false;
  }
  for (const ColumnList& columns : kColumnLists) {
    const bool wanted =
        always_has(layout, columns) || detail::is_there(file, fmt::format("/names/{}", columns.name).c_str());
    if (wanted && !read_columns(file, columns.name, layout.*columns.list)) return false;
  }
  return layout.joints.size() == layout.joint_types.size() && detail::read_attribute(file, "model", layout.model);
}

// `layout` without the lists that a file of an older program does not have.
ResultLayout as_known_to(const ResultLayout& there, ResultLayout layout) {
  for (const NameList& names : kNameLists) {
    if (!always_has(layout, names) && (there.*names.list).empty()) (layout.*names.list).clear();
  }
  for (const ColumnList& columns : kColumnLists) {
    if (!always_has(layout, columns) && (there.*columns.list).empty()) (layout.*columns.list).clear();
  }
  return layout;
}

bool create_datasets(hid_t file, const std::vector<Quantity>& table, std::int64_t expected_frames) {
  const auto most = static_cast<hsize_t>(std::max<std::int64_t>(expected_frames, 1));
  return std::all_of(table.begin(), table.end(), [&](const Quantity& quantity) {
    // HDF5 writes whole chunks: a short run gets short ones, lest every dataset take 64 KiB.
    const hsize_t rows = kChunkBytes / (quantity.row_size() * sizeof(double));
    const std::vector<hsize_t> inner(quantity.inner.begin(), quantity.inner.end());
    Handle dataset =
        detail::create_rows(file, quantity.path, inner, std::max<hsize_t>(std::min(rows, most), 1), quantity.stored);
    return dataset && detail::write_attribute(dataset.get(), "unit", std::string(quantity.unit)) &&
           detail::write_attribute(dataset.get(), "meaning", std::string(quantity.says)) && dataset.close();
  });
}

// A file of ours, and how many rows all its datasets have.
struct Opened {
  OpenFile file;
  ResultLayout layout;
  std::vector<Quantity> table;
  std::array<hsize_t, kByCount> rows = {HSIZE_UNDEF, HSIZE_UNDEF, HSIZE_UNDEF};

  hid_t get() const { return file.get(); }
  hsize_t rows_of(const Quantity& quantity) const { return rows[index(quantity.by)]; }
};

Result<void> read_kind(Opened& opened, const fs::path& path) {
  // The attribute that tells the kind holds the version too; a newer one is refused rather than read in part.
  for (const Kind& kind : kinds()) {
    int version = 0;
    if (!detail::read_attribute(opened.get(), kind.version, version)) continue;
    if (version != kVersion) {
      return broken(path, fmt::format("a result of version {}; I read version {}", version, kVersion));
    }
    opened.layout.kind = kind.kind;
    return {};
  }
  return broken(path, "an HDF5 file, but not a result of espalier simulate");
}

// The rows that all datasets have, with a sentence where they do not fit the layout.
Result<void> count_rows(Opened& opened, const fs::path& path) {
  for (const Quantity& quantity : opened.table) {
    const std::vector<hsize_t> shape = detail::shape_of_rows(opened.get(), quantity.path);
    // Only the number of rows may differ: read_rows() fills buffers of the size that the table says.
    if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(), quantity.inner.begin(), quantity.inner.end())) {
      return broken(path, fmt::format("the dataset {} is not there or not of the right shape; the file is broken, or "
                                      "another program wrote it",
                                      quantity.path));
    }
    hsize_t& rows = opened.rows[index(quantity.by)];
    // The shortest dataset decides (HSIZE_UNDEF is above all): a frame counts only where all of it is there.
    rows = std::min(rows, shape[0]);
  }
  return {};
}

Result<Opened> open_result(const fs::path& path, Use use) {
  Result<OpenFile> file = detail::open_file(path, use);
  ESPALIER_TRY(file);
  Opened opened{*std::move(file), {}, {}};
  // Before anything in it is believed: HDF5 would follow the links of a file that is not ours.
  const Result<void> ours = detail::check_parts(opened.get(), path);
  ESPALIER_TRY(ours);
  // The kind decides which names and which datasets there must be.
  const Result<void> known = read_kind(opened, path);
  ESPALIER_TRY(known);
  if (!read_layout(opened.get(), opened.layout)) {
    return broken(path, "its names of bodies, joints or coordinates cannot be read; the file is broken");
  }
  // By the names in the file: the table says how wide each dataset has to be.
  opened.table = detail::quantities(opened.layout);
  std::erase_if(opened.table, [&](const Quantity& quantity) {
    return quantity.is_added && !detail::is_there(opened.get(), quantity.path);
  });
  const Result<void> counted = count_rows(opened, path);
  ESPALIER_TRY(counted);
  return opened;
}

// Where the rows of the first `frames` frames end.
Result<hsize_t> read_end(const Opened& opened, const Quantity& quantity, hsize_t frames, const fs::path& path) {
  if (frames == 0) return hsize_t{0};
  std::vector<double> ends(frames);
  if (!detail::read_rows(opened.get(), quantity.path, ends)) {
    return broken(path, "cannot be read: " + opened.file.reason());
  }
  // Ends add up over the frames, so the last one alone is needed. It is not believed beyond what the file holds.
  if (!(ends.back() >= 0 && ends.back() <= static_cast<double>(opened.rows[index(*quantity.ends)]))) {
    return broken(path, fmt::format("{} counts more rows than there are; the file is broken", quantity.path));
  }
  return static_cast<hsize_t>(ends.back());
}

// Keeps the first `frames` frames and what belongs to them.
Result<void> cut_rows(Opened& opened, hsize_t frames, const fs::path& path) {
  for (const Quantity& quantity : opened.table) {
    // Contacts and ranks end where the last frame says; all else has one row per frame.
    if (!quantity.ends) continue;
    const Result<hsize_t> end = read_end(opened, quantity, frames, path);
    ESPALIER_TRY(end);
    opened.rows[index(*quantity.ends)] = *end;
  }
  opened.rows[index(By::kFrame)] = frames;
  return {};
}

// Nothing where the file does not say, or not for as many joints.
std::vector<std::uint8_t> read_unique(hid_t file, const ResultLayout& layout) {
  if (layout.joints.empty()) return {};
  std::vector<std::uint8_t> unique = detail::read_bytes(file, kUnique);
  // A list of another length fits nothing, and a result can be used without it.
  if (unique.size() != 6 * layout.joints.size()) unique.clear();
  return unique;
}

std::optional<double> read_first_balance(hid_t file) {
  // A run that continues measures the error of its energy from where the run began, which no checkpoint holds.
  std::array<double, 3> energy = {};
  const std::array<const char*, 3> paths = {"/energy/kinetic", "/energy/potential", "/energy/exchanged"};
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (!detail::read_rows(file, paths[k], std::span(&energy[k], 1))) return std::nullopt;
  }
  return energy[0] + energy[1] - energy[2];
}

Result<Recording> read_here(const fs::path& path) {
  Result<Opened> opened = open_result(path, Use::kRead);
  ESPALIER_TRY(opened);
  // Rows of contacts behind the end of the last frame belong to no frame.
  const Result<void> cut = cut_rows(*opened, opened->rows[index(By::kFrame)], path);
  ESPALIER_TRY(cut);
  Recording recording{std::move(opened->layout), {}, {}};
  recording.reaction_unique = read_unique(opened->get(), recording.layout);
  for (const Quantity& quantity : opened->table) {
    // Recording names datasets without the slash in front.
    std::vector<double>& values = recording.rows[quantity.path + 1];
    values.resize(opened->rows_of(quantity) * quantity.row_size());
    if (!values.empty() && !detail::read_rows(opened->get(), quantity.path, values)) {
      return make_error(ErrorCode::kFile, {path.string(), 0, 0}, "cannot be read: " + opened->file.reason());
    }
  }
  return recording;
}

// The file of a run that goes on, cut to its first `frames` frames.
Result<Opened> open_to_go_on(const fs::path& path, const ResultLayout& layout, std::int64_t frames, Use use) {
  Result<Opened> opened = open_result(path, use);
  ESPALIER_TRY(opened);
  const auto other = [&](std::string message) {
    return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                      std::move(message) + "; start a new run in another folder");
  };
  // Under other names the rows to come would mean something else than those that are there.
  if (opened->layout != as_known_to(opened->layout, layout))
    return other("written for another mechanism, another tree or another scene");
  const hsize_t there = opened->rows[index(By::kFrame)];
  // Frames are on disk before the checkpoint that counts them: fewer of them come from somebody else's hand.
  if (static_cast<std::int64_t>(there) < frames) {
    return other(fmt::format("holds {} rows, but the checkpoint was made after {}", there, frames));
  }
  const Result<void> cut = cut_rows(*opened, static_cast<hsize_t>(frames), path);
  ESPALIER_TRY(cut);
  // Frames after the checkpoint are computed again, bit for bit; here they only have to go.
  for (const Quantity& quantity : opened->table) {
    if (!detail::resize_rows(opened->get(), quantity.path, opened->rows_of(quantity))) {
      return files::cannot_write(path, opened->file.reason());
    }
  }
  return opened;
}

// All that a run does with the file, and nothing of it is kept.
Result<void> rehearse(const fs::path& path, const ResultLayout& layout, std::int64_t frames) {
  Result<Opened> opened = open_to_go_on(path, layout, frames, Use::kTrial);
  ESPALIER_TRY(opened);
  read_unique(opened->get(), layout);
  // A row is added to each dataset, since damage to an index may show only when rows are written.
  for (const Quantity& quantity : opened->table) {
    const std::vector<double> row(quantity.row_size());
    if (!detail::append_rows(opened->get(), quantity.path, opened->rows_of(quantity), row)) {
      return files::cannot_write(path, opened->file.reason());
    }
  }
  // Closing writes what HDF5 still holds, into pages that nobody commits.
  return opened->file.file.close() ? Result<void>() : files::cannot_write(path, opened->file.reason());
}

}  // namespace

double frame_bytes(const ResultLayout& layout) {
  double bytes = 0;
  for (const Quantity& quantity : detail::quantities(layout)) {
    const double each = quantity.stored == detail::Stored::kInt32 ? 4 : 8;
    if (quantity.by == By::kFrame) bytes += each * static_cast<double>(quantity.row_size());
  }
  return bytes;
}

Result<Recording> read_result(const fs::path& path) {
  const Hdf5Lock lock;
  // In a child first: on a damaged file HDF5 may crash or never come to an end.
  const Result<void> tried = detail::try_apart(path, [&]() -> Result<void> {
    const Result<Recording> read = read_here(path);
    ESPALIER_TRY(read);
    return {};
  });
  ESPALIER_TRY(tried);
  return read_here(path);
}

ResultWriter::ResultWriter(fs::path path, std::vector<Quantity> table)
    : path_(std::move(path)),
      table_(std::make_shared<const std::vector<Quantity>>(std::move(table))),
      block_(table_->size()) {}

Result<ResultWriter> ResultWriter::create(const fs::path& path, const ResultLayout& layout,
                                          std::int64_t expected_frames) {
  const Hdf5Lock lock;
  Result<OpenFile> file = detail::create_file(path);
  ESPALIER_TRY(file);
  ResultWriter writer(path, detail::quantities(layout));
  if (!write_layout(file->get(), layout) || !create_datasets(file->get(), *writer.table_, expected_frames)) {
    return files::cannot_write(path, file->reason());
  }
  // From here on a file without rows is on disk: a run that ends before its first block can be continued.
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  return writer;
}

Result<ResultWriter> ResultWriter::reopen(const fs::path& path, const ResultLayout& layout, std::int64_t frames) {
  const Hdf5Lock lock;
  // The trial appends rows too, so that all that is done below has worked once.
  const Result<void> tried = detail::try_apart(path, [&] { return rehearse(path, layout, frames); });
  ESPALIER_TRY(tried);
  Result<Opened> opened = open_to_go_on(path, layout, frames, Use::kWrite);
  ESPALIER_TRY(opened);
  // What the file has: one of an older program goes on without the quantities that it did not know.
  ResultWriter writer(path, opened->table);
  for (const Quantity& quantity : opened->table) {
    writer.in_file_[index(quantity.by)] = static_cast<std::int64_t>(opened->rows_of(quantity));
  }
  // Without frames there is no first one to take the balance of; the run will see it again.
  if (frames > 0 && layout.kind == RunKind::kMechanism) {
    writer.unique_ = read_unique(opened->get(), layout);
    writer.first_balance_ = read_first_balance(opened->get());
  }
  const Result<void> written = detail::commit(opened->file);
  ESPALIER_TRY(written);
  return writer;
}

Result<void> ResultWriter::append(const model::Frame& frame) {
  for (std::size_t k = 0; k < block_.size(); ++k) {
    const Quantity& quantity = (*table_)[k];
    std::vector<double>& values = block_[k];
    // A block holds several frames: what this one adds begins here.
    const std::size_t before = values.size();
    quantity.take(frame, values);
    // Ends count all rows from the begin of the file on.
    if (quantity.ends) {
      values.back() += before > 0 ? values[before - 1] : static_cast<double>(in_file_[index(*quantity.ends)]);
    }
    const std::size_t taken = values.size() - before;
    ESPALIER_CHECK(quantity.by == By::kFrame ? taken == quantity.row_size() : taken % quantity.row_size() == 0,
                   "a frame does not fit the layout of the file");
    numbers_ += taken;
  }
  ++frames_;
  see_unique(frame.reaction_unique);
  return numbers_ * sizeof(double) >= kBlockBytes ? flush() : Result<void>();
}

// A component that was not unique once stays marked.
void ResultWriter::see_unique(std::span<const std::uint8_t> unique) {
  if (unique_.empty() && !unique.empty()) {
    unique_.assign(unique.begin(), unique.end());
    unique_written_ = false;
  }
  for (std::size_t k = 0; k < unique.size(); ++k) {
    if (unique_[k] <= unique[k]) continue;
    unique_[k] = 0;
    unique_written_ = false;
  }
}

Result<void> ResultWriter::flush() {
  // Nothing new: the file need not be opened.
  if (frames_ == 0) return {};
  const Hdf5Lock lock;
  Result<OpenFile> file = detail::open_file(path_, Use::kWrite);
  ESPALIER_TRY(file);
  // Marks and rows are one change of the file, which is never between the two.
  const bool marked =
      unique_written_ || unique_.empty() || detail::write_bytes(file->get(), kUnique, unique_, 6, kUniqueSays);
  bool appended = marked;
  Counts in_file = in_file_;
  for (std::size_t k = 0; appended && k < block_.size(); ++k) {
    const Quantity& quantity = (*table_)[k];
    // Not the copy: several datasets begin at the same row.
    const std::int64_t first = in_file_[index(quantity.by)];
    in_file[index(quantity.by)] = first + static_cast<std::int64_t>(block_[k].size() / quantity.row_size());
    appended =
        block_[k].empty() || detail::append_rows(file->get(), quantity.path, static_cast<hsize_t>(first), block_[k]);
  }
  if (!appended) return files::cannot_write(path_, file->reason());
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  // Only now: rows that are not in the file stay for the next try, lest a checkpoint be made without them.
  unique_written_ = true;
  in_file_ = in_file;
  for (std::vector<double>& values : block_) values.clear();
  frames_ = 0;
  numbers_ = 0;
  return {};
}

}  // namespace espalier::record
