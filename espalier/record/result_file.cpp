#include "espalier/record/result_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/check.hpp"
#include "espalier/record/detail/hdf5.hpp"
#include "espalier/record/detail/hdf5_guard.hpp"

namespace espalier::record {
namespace {

using detail::Handle;
using detail::Hdf5Lock;
using detail::OpenFile;
using detail::Use;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // of rows in memory, at most
constexpr hsize_t kChunkBytes = 1 << 16;                   // of one chunk in the file, about

constexpr const char* kUnique = "/reaction_unique";
constexpr const char* kUniqueSays =
    "by joint of /names/joints: force and couple along the axes of its frame F; 1: the laws of motion decide this "
    "component of /reaction, 0: it is one choice of many";

// One dataset of rows.
struct Quantity {
  const char* path;
  const char* unit;
  const char* says;
  std::vector<hsize_t> inner;  // shape of a row
  std::vector<double> Frames::*values;

  hsize_t row_size() const {
    hsize_t size = 1;
    for (const hsize_t n : inner) size *= n;
    return size;
  }
};

// `time` stands last: where a block was cut off, it is the shortest.
std::vector<Quantity> quantities(const ResultLayout& layout) {
  const hsize_t bodies = layout.bodies.size();
  const hsize_t joints = layout.joints.size();
  return {
      {"/q", "see /units/q", "coordinates of the tree, named in /names/q", {layout.q.size()}, &Frames::q},
      {"/v", "see /units/v", "velocities of the tree, named in /names/v", {layout.v.size()}, &Frames::v},
      {"/joint_position",
       "see /units/joint_position",
       "of every joint, named in /names/joint_position",
       {layout.joint_position.size()},
       &Frames::joint_position},
      {"/joint_velocity",
       "see /units/joint_velocity",
       "of every joint, named in /names/joint_velocity",
       {layout.joint_velocity.size()},
       &Frames::joint_velocity},
      {"/body_pose",
       "m, 1",
       "by body of /names/bodies: origin x y z, quaternion w x y z, in the world",
       {bodies, 7},
       &Frames::body_pose},
      {"/body_velocity",
       "m/s, rad/s",
       "by body: of its origin x y z, angular x y z, world axes",
       {bodies, 6},
       &Frames::body_velocity},
      {"/body_acceleration",
       "m/s^2, rad/s^2",
       "by body: of its origin x y z, angular x y z, world axes",
       {bodies, 6},
       &Frames::body_acceleration},
      {"/reaction",
       "N, N m",
       "by joint of /names/joints: force and couple on its second body from its first, at the joint, world axes",
       {joints, 6},
       &Frames::reaction},
      {"/energy/kinetic", "J", "kinetic energy", {}, &Frames::kinetic},
      {"/energy/potential", "J", "of gravity and springs", {}, &Frames::potential},
      {"/energy/exchanged", "J", "work done so far by dampers, friction, drives and loads", {}, &Frames::exchanged},
      {"/energy/total", "J", "kinetic + potential; total - exchanged stays the same", {}, &Frames::total},
      {"/loop/distance", "m", "largest gap of a cut joint", {}, &Frames::loop_distance},
      {"/loop/angle", "rad", "largest gap of a cut joint", {}, &Frames::loop_angle},
      {"/time", "s", "time", {}, &Frames::time},
  };
}

// A row without numbers has no dataset: HDF5 knows no chunks of nothing.
std::vector<Quantity> stored_quantities(const ResultLayout& layout) {
  std::vector<Quantity> all = quantities(layout);
  std::erase_if(all, [](const Quantity& quantity) { return quantity.row_size() == 0; });
  return all;
}

std::size_t row_bytes(const std::vector<Quantity>& all) {
  std::size_t bytes = 0;
  for (const Quantity& quantity : all) bytes += quantity.row_size() * sizeof(double);
  return bytes;
}

tl::unexpected<Error> failed(const fs::path& path, const char* what, const std::string& reason) {
  return make_error(ErrorCode::kFile, {path.string(), 0, 0}, fmt::format("{}: {}", what, reason));
}

constexpr std::array<std::pair<const char*, std::vector<Column> ResultLayout::*>, 4> kColumnLists = {
    {{"q", &ResultLayout::q},
     {"v", &ResultLayout::v},
     {"joint_position", &ResultLayout::joint_position},
     {"joint_velocity", &ResultLayout::joint_velocity}}};
constexpr std::array<std::pair<const char*, std::vector<std::string> ResultLayout::*>, 3> kNameLists = {
    {{"/names/bodies", &ResultLayout::bodies},
     {"/names/joints", &ResultLayout::joints},
     {"/names/joint_types", &ResultLayout::joint_types}}};

bool write_layout(hid_t file, const ResultLayout& layout) {
  for (const char* group : {"/names", "/units", "/energy", "/loop"}) {
    if (!detail::create_group(file, group)) return false;
  }
  for (const auto& [path, list] : kNameLists) {
    if (!detail::write_strings(file, path, layout.*list)) return false;
  }
  for (const auto& [name, list] : kColumnLists) {
    std::vector<std::string> names, units;
    for (const Column& column : layout.*list) {
      names.push_back(column.name);
      units.push_back(column.unit);
    }
    if (!detail::write_strings(file, fmt::format("/names/{}", name).c_str(), names) ||
        !detail::write_strings(file, fmt::format("/units/{}", name).c_str(), units)) {
      return false;
    }
  }
  return detail::write_attribute(file, "espalier_result", kVersion) &&
         detail::write_attribute(file, "model", layout.model);
}

bool read_layout(hid_t file, ResultLayout& layout) {
  for (const auto& [path, list] : kNameLists) {
    if (!detail::read_strings(file, path, layout.*list)) return false;
  }
  for (const auto& [name, list] : kColumnLists) {
    std::vector<std::string> names, units;
    if (!detail::read_strings(file, fmt::format("/names/{}", name).c_str(), names) ||
        !detail::read_strings(file, fmt::format("/units/{}", name).c_str(), units) || names.size() != units.size()) {
      return false;
    }
    for (std::size_t k = 0; k < names.size(); ++k) (layout.*list).push_back({names[k], units[k]});
  }
  return layout.joints.size() == layout.joint_types.size() && detail::read_attribute(file, "model", layout.model);
}

bool create_datasets(hid_t file, const ResultLayout& layout, std::int64_t expected_rows) {
  for (const Quantity& quantity : stored_quantities(layout)) {
    const hsize_t rows = kChunkBytes / (quantity.row_size() * sizeof(double));
    const auto most = static_cast<hsize_t>(std::max<std::int64_t>(expected_rows, 1));
    Handle dataset =
        detail::create_rows(file, quantity.path, quantity.inner, std::max<hsize_t>(std::min(rows, most), 1));
    if (!dataset || !detail::write_attribute(dataset.get(), "unit", std::string(quantity.unit)) ||
        !detail::write_attribute(dataset.get(), "meaning", std::string(quantity.says)) || !dataset.close()) {
      return false;
    }
  }
  return true;
}

// The rows that all datasets have; nothing, with a sentence, where they do not fit the layout.
Result<hsize_t> count_rows(hid_t file, const ResultLayout& layout, const fs::path& path) {
  hsize_t rows = HSIZE_UNDEF;
  for (const Quantity& quantity : stored_quantities(layout)) {
    const std::vector<hsize_t> shape = detail::shape_of_rows(file, quantity.path);
    if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(), quantity.inner.begin(), quantity.inner.end())) {
      return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                        fmt::format("the dataset {} is not there or not of the right shape; the file is broken, or "
                                    "another program wrote it",
                                    quantity.path));
    }
    rows = std::min(rows, shape[0]);
  }
  return rows;
}

Result<OpenFile> open_result(const fs::path& path, Use use) {
  Result<OpenFile> file = detail::open_file(path, use);
  ESPALIER_TRY(file);
  const Result<void> ours = detail::check_parts(file->get(), path);
  ESPALIER_TRY(ours);
  int version = 0;
  if (!detail::read_attribute(file->get(), "espalier_result", version)) {
    return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, "an HDF5 file, but not a result of espalier simulate");
  }
  if (version != kVersion) {
    return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                      fmt::format("a result of version {}; I read version {}", version, kVersion));
  }
  return file;
}

Result<ResultLayout> layout_of(const OpenFile& file, const fs::path& path) {
  ResultLayout layout;
  if (read_layout(file.get(), layout)) return layout;
  return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                    "its names of bodies, joints or coordinates cannot be read; the file is broken");
}

bool append_block(hid_t file, const std::vector<Quantity>& all, hsize_t first, const Frames& block) {
  return std::all_of(all.begin(), all.end(), [&](const Quantity& quantity) {
    return detail::append_rows(file, quantity.path, first, block.*quantity.values);
  });
}

// Nothing where the file does not say, or not for as many joints.
std::vector<std::uint8_t> read_unique(hid_t file, const ResultLayout& layout) {
  std::vector<std::uint8_t> unique = detail::read_bytes(file, kUnique);
  if (unique.size() != 6 * layout.joints.size()) unique.clear();
  return unique;
}

std::optional<double> read_first_balance(hid_t file) {
  std::array<double, 3> energy = {};
  const std::array<const char*, 3> paths = {"/energy/kinetic", "/energy/potential", "/energy/exchanged"};
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (!detail::read_rows(file, paths[k], std::span(&energy[k], 1))) return std::nullopt;
  }
  return energy[0] + energy[1] - energy[2];
}

Result<Recording> read_here(const fs::path& path) {
  const Result<OpenFile> file = open_result(path, Use::kRead);
  ESPALIER_TRY(file);
  Result<ResultLayout> layout = layout_of(*file, path);
  ESPALIER_TRY(layout);
  const Result<hsize_t> rows = count_rows(file->get(), *layout, path);
  ESPALIER_TRY(rows);
  Recording recording{*std::move(layout), {}, {}};
  recording.reaction_unique = read_unique(file->get(), recording.layout);
  for (const Quantity& quantity : stored_quantities(recording.layout)) {
    std::vector<double>& values = recording.frames.*quantity.values;
    values.resize(*rows * quantity.row_size());
    if (*rows > 0 && !detail::read_rows(file->get(), quantity.path, values)) {
      return failed(path, "cannot be read", file->reason());
    }
  }
  return recording;
}

// The file of a run that goes on, cut to its first `rows` rows.
Result<OpenFile> open_to_go_on(const fs::path& path, const ResultLayout& layout, std::int64_t rows, Use use) {
  Result<OpenFile> file = open_result(path, use);
  ESPALIER_TRY(file);
  const Result<ResultLayout> found = layout_of(*file, path);
  ESPALIER_TRY(found);
  if (*found != layout) {
    return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                      "written for another mechanism or another tree; start a new run in another folder");
  }
  const Result<hsize_t> there = count_rows(file->get(), layout, path);
  ESPALIER_TRY(there);
  if (static_cast<std::int64_t>(*there) < rows) {
    return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                      fmt::format("holds {} rows, but the checkpoint was made after {}; start a new run in another "
                                  "folder",
                                  *there, rows));
  }
  for (const Quantity& quantity : stored_quantities(layout)) {
    if (!detail::resize_rows(file->get(), quantity.path, static_cast<hsize_t>(rows))) {
      return files::cannot_write(path, file->reason());
    }
  }
  return file;
}

// All that a run does with the file, and nothing of it is kept.
Result<void> rehearse(const fs::path& path, const ResultLayout& layout, std::int64_t rows) {
  Result<OpenFile> file = open_to_go_on(path, layout, rows, Use::kTrial);
  ESPALIER_TRY(file);
  read_unique(file->get(), layout);
  for (const Quantity& quantity : stored_quantities(layout)) {
    const std::vector<double> row(quantity.row_size());
    if (!detail::append_rows(file->get(), quantity.path, static_cast<hsize_t>(rows), row)) {
      return files::cannot_write(path, file->reason());
    }
  }
  return file->file.close() ? Result<void>() : files::cannot_write(path, file->reason());
}

}  // namespace

Result<Recording> read_result(const fs::path& path) {
  const Hdf5Lock lock;
  const Result<void> tried = detail::try_apart(path, [&]() -> Result<void> {
    const Result<Recording> read = read_here(path);
    ESPALIER_TRY(read);
    return {};
  });
  ESPALIER_TRY(tried);
  return read_here(path);
}

ResultWriter::ResultWriter(fs::path path, ResultLayout layout, std::int64_t rows)
    : path_(std::move(path)), layout_(std::move(layout)), rows_(rows), row_bytes_(row_bytes(quantities(layout_))) {}

Result<ResultWriter> ResultWriter::create(const fs::path& path, const ResultLayout& layout,
                                          std::int64_t expected_rows) {
  const Hdf5Lock lock;
  Result<OpenFile> file = detail::create_file(path);
  ESPALIER_TRY(file);
  if (!write_layout(file->get(), layout) || !create_datasets(file->get(), layout, expected_rows)) {
    return files::cannot_write(path, file->reason());
  }
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  return ResultWriter(path, layout, 0);
}

Result<ResultWriter> ResultWriter::reopen(const fs::path& path, const ResultLayout& layout, std::int64_t rows) {
  const Hdf5Lock lock;
  const Result<void> tried = detail::try_apart(path, [&] { return rehearse(path, layout, rows); });
  ESPALIER_TRY(tried);
  Result<OpenFile> file = open_to_go_on(path, layout, rows, Use::kWrite);
  ESPALIER_TRY(file);
  ResultWriter writer(path, layout, rows);
  if (rows > 0) writer.unique_ = read_unique(file->get(), layout);
  if (rows > 0) writer.first_balance_ = read_first_balance(file->get());
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  return writer;
}

Result<void> ResultWriter::append(const model::Frame& frame) {
  block_.append(frame);
  see_unique(frame.reaction_unique);
  const std::size_t bytes = block_.size() * row_bytes_;
  return bytes >= kBlockBytes ? flush() : Result<void>();
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
  if (block_.size() == 0) return {};
  const Hdf5Lock lock;
  const std::vector<Quantity> all = stored_quantities(layout_);
  for (const Quantity& quantity : all) {
    ESPALIER_CHECK((block_.*quantity.values).size() == block_.size() * quantity.row_size(),
                   "a frame does not fit the layout of the file");
  }
  Result<OpenFile> file = detail::open_file(path_, Use::kWrite);
  ESPALIER_TRY(file);
  const bool marks = unique_written_ || unique_.empty();
  if (!(marks || detail::write_bytes(file->get(), kUnique, unique_, 6, kUniqueSays)) ||
      !append_block(file->get(), all, static_cast<hsize_t>(rows_), block_)) {
    return files::cannot_write(path_, file->reason());
  }
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  unique_written_ = true;
  rows_ += static_cast<std::int64_t>(block_.size());
  block_.clear();
  return {};
}

}  // namespace espalier::record
