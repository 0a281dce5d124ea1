#include "espalier/record/contact_result.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "espalier/record/detail/hdf5.hpp"
#include "espalier/record/detail/hdf5_guard.hpp"

namespace espalier::record {
namespace {

using detail::Handle;
using detail::Hdf5Lock;
using detail::OpenFile;
using detail::Stored;
using detail::Use;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // of rows in memory, at most
constexpr hsize_t kChunkBytes = 1 << 16;                   // of one chunk in the file, about

enum class By { kFrame, kContact, kRank };

struct Quantity {
  const char* path;
  const char* unit;
  const char* says;
  By by;
  std::vector<hsize_t> inner;  // shape of a row
  Stored stored;
  std::vector<double> SceneRows::*values;

  hsize_t row_size() const {
    hsize_t size = 1;
    for (const hsize_t n : inner) size *= n;
    return size;
  }
};

std::vector<Quantity> contact_quantities() {
  const By by = By::kContact;
  return {
      {"/contact/bodies",
       "1",
       "master and slave, places in /names/bodies",
       by,
       {2},
       Stored::kInt32,
       &SceneRows::contact_bodies},
      {"/contact/point",
       "m",
       "where, in the world, at the middle of the step",
       by,
       {3},
       Stored::kDouble,
       &SceneRows::contact_point},
      {"/contact/normal", "1", "out of the slave", by, {3}, Stored::kDouble, &SceneRows::contact_normal},
      {"/contact/force",
       "N",
       "on the master from the slave, mean of the step, world axes",
       by,
       {3},
       Stored::kDouble,
       &SceneRows::contact_force},
      {"/contact/gap",
       "m",
       "between the surfaces; below 0 they overlap",
       by,
       {},
       Stored::kDouble,
       &SceneRows::contact_gap},
  };
}

std::vector<Quantity> rank_quantities() {
  const By by = By::kRank;
  return {
      {"/rank/busy", "s", "time of its own since the frame before", by, {}, Stored::kDouble, &SceneRows::rank_busy},
      {"/rank/waiting",
       "s",
       "time in messages since the frame before",
       by,
       {},
       Stored::kDouble,
       &SceneRows::rank_waiting},
      {"/rank/bodies", "1", "bodies it owns", by, {}, Stored::kInt64, &SceneRows::rank_bodies},
      {"/rank/contacts", "1", "contacts it owns", by, {}, Stored::kInt64, &SceneRows::rank_contacts},
  };
}

// `time` stands last: where a block was cut off, it is the shortest.
std::vector<Quantity> quantities(const SceneLayout& layout) {
  const hsize_t bodies = layout.bodies.size();
  const By by = By::kFrame;
  std::vector<Quantity> all = contact_quantities();
  for (Quantity& quantity : rank_quantities()) all.push_back(std::move(quantity));
  for (Quantity quantity : std::vector<Quantity>{
           {"/body_pose",
            "m, 1",
            "by body of /names/bodies: origin x y z, quaternion w x y z, in the world",
            by,
            {bodies, 7},
            Stored::kDouble,
            &SceneRows::body_pose},
           {"/body_velocity",
            "m/s, rad/s",
            "by body: of its origin x y z, angular x y z, world axes",
            by,
            {bodies, 6},
            Stored::kDouble,
            &SceneRows::body_velocity},
           {"/owner", "1", "by body: the rank that moves it", by, {bodies}, Stored::kInt32, &SceneRows::owner},
           {"/energy/kinetic", "J", "kinetic energy", by, {}, Stored::kDouble, &SceneRows::kinetic},
           {"/energy/potential", "J", "of gravity", by, {}, Stored::kDouble, &SceneRows::potential},
           {"/energy/strain", "J", "of pseudo-rigid bodies", by, {}, Stored::kDouble, &SceneRows::strain},
           {"/energy/total", "J", "kinetic + potential + strain", by, {}, Stored::kDouble, &SceneRows::total},
           {"/contact/end",
            "1",
            "rows of /contact/... up to the end of this frame",
            by,
            {},
            Stored::kInt64,
            &SceneRows::contact_end},
           {"/rank/end",
            "1",
            "rows of /rank/... up to the end of this frame",
            by,
            {},
            Stored::kInt64,
            &SceneRows::rank_end},
           {"/time", "s", "time", by, {}, Stored::kDouble, &SceneRows::time},
       }) {
    all.push_back(std::move(quantity));
  }
  return all;
}

tl::unexpected<Error> broken(const fs::path& path, std::string message) {
  return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, std::move(message));
}

bool write_layout(hid_t file, const SceneLayout& layout) {
  for (const char* group : {"/names", "/energy", "/contact", "/rank"}) {
    if (!detail::create_group(file, group)) return false;
  }
  return detail::write_strings(file, "/names/bodies", layout.bodies) &&
         detail::write_attribute(file, "espalier_scene", kVersion) &&
         detail::write_attribute(file, "model", layout.model);
}

bool create_datasets(hid_t file, const SceneLayout& layout) {
  const std::vector<Quantity> all = quantities(layout);
  return std::all_of(all.begin(), all.end(), [&](const Quantity& quantity) {
    const hsize_t chunk = std::max<hsize_t>(kChunkBytes / (quantity.row_size() * sizeof(double)), 1);
    Handle dataset = detail::create_rows(file, quantity.path, quantity.inner, chunk, quantity.stored);
    return dataset && detail::write_attribute(dataset.get(), "unit", std::string(quantity.unit)) &&
           detail::write_attribute(dataset.get(), "meaning", std::string(quantity.says)) && dataset.close();
  });
}

// A file of ours with what all its datasets have.
struct Opened {
  OpenFile file;
  SceneLayout layout;
  hsize_t frames = HSIZE_UNDEF, contacts = HSIZE_UNDEF, ranks = HSIZE_UNDEF;

  hsize_t& rows(By by) { return by == By::kFrame ? frames : by == By::kContact ? contacts : ranks; }
};

Result<Opened> open_scene(const fs::path& path, Use use) {
  Result<OpenFile> file = detail::open_file(path, use);
  ESPALIER_TRY(file);
  Opened opened{*std::move(file), {}};
  const Result<void> ours = detail::check_parts(opened.file.get(), path);
  ESPALIER_TRY(ours);
  int version = 0;
  if (!detail::read_attribute(opened.file.get(), "espalier_scene", version)) {
    return broken(path, "an HDF5 file, but not the result of a scene with contact");
  }
  if (version != kVersion) {
    return broken(path, fmt::format("a result of version {}; I read version {}", version, kVersion));
  }
  if (!detail::read_strings(opened.file.get(), "/names/bodies", opened.layout.bodies) ||
      !detail::read_attribute(opened.file.get(), "model", opened.layout.model)) {
    return broken(path, "its names of bodies cannot be read; the file is broken");
  }
  for (const Quantity& quantity : quantities(opened.layout)) {
    const std::vector<hsize_t> shape = detail::shape_of_rows(opened.file.get(), quantity.path);
    if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(), quantity.inner.begin(), quantity.inner.end())) {
      return broken(path, fmt::format("the dataset {} is not there or not of the right shape; the file is broken, or "
                                      "another program wrote it",
                                      quantity.path));
    }
    opened.rows(quantity.by) = std::min(opened.rows(quantity.by), shape[0]);
  }
  return opened;
}

// Where the rows of the first `frames` frames end.
Result<hsize_t> read_end(const Opened& opened, const char* path, hsize_t frames, hsize_t there, const fs::path& file) {
  if (frames == 0) return hsize_t{0};
  std::vector<double> ends(frames);
  if (!detail::read_rows(opened.file.get(), path, ends)) return broken(file, "cannot be read: " + opened.file.reason());
  if (!(ends.back() >= 0 && ends.back() <= static_cast<double>(there))) {
    return broken(file, fmt::format("{} counts more rows than there are; the file is broken", path));
  }
  return static_cast<hsize_t>(ends.back());
}

// Keeps the first `frames` frames and what belongs to them.
Result<void> cut_rows(Opened& opened, hsize_t frames, const fs::path& path) {
  const Result<hsize_t> contacts = read_end(opened, "/contact/end", frames, opened.contacts, path);
  ESPALIER_TRY(contacts);
  const Result<hsize_t> ranks = read_end(opened, "/rank/end", frames, opened.ranks, path);
  ESPALIER_TRY(ranks);
  opened.frames = frames;
  opened.contacts = *contacts;
  opened.ranks = *ranks;
  return {};
}

}  // namespace

std::size_t SceneRows::bytes() const {
  std::size_t numbers = 0;
  for (const Quantity& quantity : quantities({})) numbers += (this->*quantity.values).size();
  return numbers * sizeof(double);
}

void SceneRows::append(const model::Frame& frame) {
  const auto extend = [](std::vector<double>& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  time.push_back(frame.time);
  extend(body_pose, frame.body_pose);
  extend(body_velocity, frame.body_velocity);
  extend(owner, frame.owner);
  kinetic.push_back(frame.kinetic);
  potential.push_back(frame.potential);
  strain.push_back(frame.strain);
  total.push_back(frame.kinetic + frame.potential + frame.strain);
  for (const model::ContactPoint& contact : frame.contacts) {
    extend(contact_bodies, std::array<double, 2>{double(contact.master), double(contact.slave)});
    extend(contact_point, contact.point);
    extend(contact_normal, contact.normal);
    extend(contact_force, contact.force);
    contact_gap.push_back(contact.gap);
  }
  for (const model::RankLoad& rank : frame.ranks) {
    rank_busy.push_back(rank.busy);
    rank_waiting.push_back(rank.waiting);
    rank_bodies.push_back(static_cast<double>(rank.bodies));
    rank_contacts.push_back(static_cast<double>(rank.contacts));
  }
  contact_end.push_back(static_cast<double>(contact_gap.size()));
  rank_end.push_back(static_cast<double>(rank_busy.size()));
}

void SceneRows::clear() {
  for (const Quantity& quantity : quantities({})) (this->*quantity.values).clear();
}

namespace {

Result<SceneRecording> read_here(const fs::path& path) {
  Result<Opened> opened = open_scene(path, Use::kRead);
  ESPALIER_TRY(opened);
  const Result<void> cut = cut_rows(*opened, opened->frames, path);
  ESPALIER_TRY(cut);
  SceneRecording recording{std::move(opened->layout), {}};
  for (const Quantity& quantity : quantities(recording.layout)) {
    std::vector<double>& values = recording.rows.*quantity.values;
    values.resize(opened->rows(quantity.by) * quantity.row_size());
    if (!values.empty() && !detail::read_rows(opened->file.get(), quantity.path, values)) {
      return broken(path, "cannot be read: " + opened->file.reason());
    }
  }
  return recording;
}

// The file of a run that goes on, cut to its first `rows` frames.
Result<Opened> open_to_go_on(const fs::path& path, const SceneLayout& layout, std::int64_t rows, Use use) {
  Result<Opened> opened = open_scene(path, use);
  ESPALIER_TRY(opened);
  if (opened->layout != layout) {
    return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                      "written for another scene; start a new run in another folder");
  }
  if (static_cast<std::int64_t>(opened->frames) < rows) {
    return make_error(ErrorCode::kValue, {path.string(), 0, 0},
                      fmt::format("holds {} rows, but the checkpoint was made after {}; start a new run in another "
                                  "folder",
                                  opened->frames, rows));
  }
  const Result<void> cut = cut_rows(*opened, static_cast<hsize_t>(rows), path);
  ESPALIER_TRY(cut);
  for (const Quantity& quantity : quantities(layout)) {
    if (!detail::resize_rows(opened->file.get(), quantity.path, opened->rows(quantity.by))) {
      return files::cannot_write(path, opened->file.reason());
    }
  }
  return opened;
}

// All that a run does with the file, and nothing of it is kept.
Result<void> rehearse(const fs::path& path, const SceneLayout& layout, std::int64_t rows) {
  Result<Opened> opened = open_to_go_on(path, layout, rows, Use::kTrial);
  ESPALIER_TRY(opened);
  for (const Quantity& quantity : quantities(layout)) {
    const std::vector<double> row(quantity.row_size());
    if (!row.empty() && !detail::append_rows(opened->file.get(), quantity.path, opened->rows(quantity.by), row)) {
      return files::cannot_write(path, opened->file.reason());
    }
  }
  return opened->file.file.close() ? Result<void>() : files::cannot_write(path, opened->file.reason());
}

}  // namespace

Result<SceneRecording> read_scene_result(const fs::path& path) {
  const Hdf5Lock lock;
  const Result<void> tried = detail::try_apart(path, [&]() -> Result<void> {
    const Result<SceneRecording> read = read_here(path);
    ESPALIER_TRY(read);
    return {};
  });
  ESPALIER_TRY(tried);
  return read_here(path);
}

SceneWriter::SceneWriter(fs::path path, SceneLayout layout) : path_(std::move(path)), layout_(std::move(layout)) {}

Result<SceneWriter> SceneWriter::create(const fs::path& path, const SceneLayout& layout) {
  const Hdf5Lock lock;
  Result<OpenFile> file = detail::create_file(path);
  ESPALIER_TRY(file);
  if (!write_layout(file->get(), layout) || !create_datasets(file->get(), layout)) {
    return files::cannot_write(path, file->reason());
  }
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  return SceneWriter(path, layout);
}

Result<SceneWriter> SceneWriter::reopen(const fs::path& path, const SceneLayout& layout, std::int64_t rows) {
  const Hdf5Lock lock;
  const Result<void> tried = detail::try_apart(path, [&] { return rehearse(path, layout, rows); });
  ESPALIER_TRY(tried);
  Result<Opened> opened = open_to_go_on(path, layout, rows, Use::kWrite);
  ESPALIER_TRY(opened);
  SceneWriter writer(path, layout);
  writer.frames_ = rows;
  writer.contacts_ = static_cast<std::int64_t>(opened->contacts);
  writer.ranks_ = static_cast<std::int64_t>(opened->ranks);
  const Result<void> written = detail::commit(opened->file);
  ESPALIER_TRY(written);
  return writer;
}

Result<void> SceneWriter::append(const model::Frame& frame) {
  block_.append(frame);
  return block_.bytes() >= kBlockBytes ? flush() : Result<void>();
}

Result<void> SceneWriter::flush() {
  if (block_.size() == 0) return {};
  const Hdf5Lock lock;
  const std::vector<Quantity> all = quantities(layout_);
  const auto contacts = contacts_ + static_cast<std::int64_t>(block_.contact_gap.size());
  const auto ranks = ranks_ + static_cast<std::int64_t>(block_.rank_busy.size());
  Result<OpenFile> file = detail::open_file(path_, Use::kWrite);
  ESPALIER_TRY(file);
  const bool appended = std::all_of(all.begin(), all.end(), [&](const Quantity& quantity) {
    const std::int64_t first = quantity.by == By::kFrame ? frames_ : quantity.by == By::kContact ? contacts_ : ranks_;
    std::vector<double> values = block_.*quantity.values;
    // Rows of a block count from its own begin.
    const bool is_contact_end = quantity.values == &SceneRows::contact_end;
    if (is_contact_end || quantity.values == &SceneRows::rank_end) {
      for (double& end : values) end += static_cast<double>(is_contact_end ? contacts_ : ranks_);
    }
    return values.empty() || detail::append_rows(file->get(), quantity.path, static_cast<hsize_t>(first), values);
  });
  if (!appended) return files::cannot_write(path_, file->reason());
  const Result<void> written = detail::commit(*file);
  ESPALIER_TRY(written);
  // Only now: rows that are not in the file stay for the next try, lest a checkpoint be made without them.
  frames_ += static_cast<std::int64_t>(block_.size());
  block_ = {};
  contacts_ = contacts;
  ranks_ = ranks;
  return {};
}

}  // namespace espalier::record
