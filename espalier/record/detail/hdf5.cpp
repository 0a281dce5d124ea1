#include "espalier/record/detail/hdf5.hpp"

#include <array>
#include <string_view>

#include "espalier/base/index.hpp"
#include "espalier/record/detail/hdf5_driver.hpp"

namespace espalier::record::detail {
namespace {

// HDF5 may be built without locks of its own.
std::mutex one_at_a_time;

// Keeps the words of the system if there are any, else the deepest message.
herr_t keep_reason(unsigned, const H5E_error2_t* error, void* data) {
  std::string& reason = *static_cast<std::string*>(data);
  const std::string_view text = error->desc == nullptr ? "" : error->desc;
  constexpr std::string_view kMark = "error message = '";
  // Drivers of files put the words of the system into a sentence of their own.
  const std::size_t mark = text.find(kMark);
  if (mark != std::string_view::npos) {
    const std::string_view words = text.substr(mark + kMark.size());
    reason = words.substr(0, words.find('\''));
    return 1;
  }
  if (reason.empty()) reason = text;
  return 0;
}

Handle text_type() {
  // Of variable length, so that names need not be cut or padded.
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle open_dataset(hid_t file, const char* path) { return {H5Dopen2(file, path, H5P_DEFAULT), H5Dclose}; }

Handle space_of(const Handle& dataset) { return {H5Dget_space(dataset.get()), H5Sclose}; }

std::vector<hsize_t> shape_of(const Handle& dataset) {
  // A space is a copy: it would leak if only its rank were asked for.
  const Handle space = space_of(dataset);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1) return {};
  std::vector<hsize_t> shape(to_index(rank));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

bool is_of_class(const Handle& object, H5T_class_t expected, hid_t (*type_of)(hid_t)) {
  const Handle type(type_of(object.get()), H5Tclose);
  return type && H5Tget_class(type.get()) == expected;
}

// A block of rows in the file, and the same block in memory.
struct Selection {
  Handle file;
  Handle memory;
};
Selection select_rows(const Handle& dataset, std::vector<hsize_t> shape, hsize_t first, hsize_t rows) {
  std::vector<hsize_t> start(shape.size(), 0);
  start[0] = first;
  shape[0] = rows;
  Selection selection{space_of(dataset),
                      {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose}};
  // In memory the block is all there is; in the file it begins at `first`.
  H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr);
  return selection;
}

hsize_t row_size(const std::vector<hsize_t>& shape) {
  hsize_t size = 1;
  for (std::size_t k = 1; k < shape.size(); ++k) size *= shape[k];
  return size;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(one_at_a_time) {
  // Every Handle closes itself. A file that could not be closed, on a full disk say, stays in HDF5's tables, and its
  // clean-up at the end of the program would crash on it.
  static const herr_t without_clean_up = H5dont_atexit();
  (void)without_clean_up;
  // HDF5 would print every error itself. What the caller had set comes back with the destructor.
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  return reason.empty() ? "an unknown error of HDF5" : reason;
}

Result<OpenFile> create_file(const std::filesystem::path& path) {
  // On the heap: HDF5 keeps a pointer to it while OpenFile is moved around.
  auto change = std::make_unique<files::FileChange>(files::FileChange::create(path));
  const hid_t access = access_through(*change);
  OpenFile opened{std::move(change), {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose}};
  if (!opened.file) return files::cannot_write(path, opened.reason());
  return opened;
}

Result<OpenFile> open_file(const std::filesystem::path& path, Use use) {
  Result<files::FileChange> found =
      use == Use::kWrite ? files::FileChange::open(path) : files::FileChange::open_to_read(path);
  ESPALIER_TRY(found);
  auto change = std::make_unique<files::FileChange>(*std::move(found));
  const hid_t access = access_through(*change);
  // A trial writes into pages over a file that is open for reading alone; they are never committed.
  const unsigned how = use == Use::kRead ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
  OpenFile opened{std::move(change), {H5Fopen(path.c_str(), how, access), H5Fclose}};
  if (opened.file) return opened;
  return make_error(ErrorCode::kFile, {path.string(), 0, 0}, "not an HDF5 file that can be opened: " + opened.reason());
}

Result<void> commit(OpenFile& opened) {
  // HDF5 writes what it still holds when the file is closed: only then is the change whole.
  if (!opened.file.close()) return files::cannot_write(opened.change->path(), opened.reason());
  return opened.change->commit();
}

bool is_there(hid_t file, const char* path) { return H5Lexists(file, path, H5P_DEFAULT) > 0; }

bool create_group(hid_t file, const char* path) {
  Handle group(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  return group && group.close();
}

bool write_strings(hid_t file, const char* path, std::span<const std::string> texts) {
  const Handle type = text_type();
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  Handle dataset(H5Dcreate2(file, path, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!dataset) return false;
  if (texts.empty()) return dataset.close();
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0 && dataset.close();
}

bool read_strings(hid_t file, const char* path, std::vector<std::string>& texts) {
  texts.clear();
  const Handle dataset = open_dataset(file, path);
  if (!dataset || !is_of_class(dataset, H5T_STRING, H5Dget_type)) return false;
  // The type in the file and not the one asked for: texts of fixed length are no pointers.
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
  const std::vector<hsize_t> shape = shape_of(dataset);
  // write_strings() makes nothing else.
  if (shape.size() != 1 || H5Tis_variable_str(stored.get()) <= 0) return false;
  if (shape[0] == 0) return true;
  const Handle type = text_type();
  const Handle space = space_of(dataset);
  std::vector<char*> pointers(shape[0], nullptr);
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) return false;
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  // HDF5 has allocated each text and takes it back.
  return H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data()) >= 0;
}

bool write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type();
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  // HDF5 wants the address of the pointer, since the text is of variable length.
  const char* pointer = text.c_str();
  return attribute && H5Awrite(attribute.get(), type.get(), &pointer) >= 0 && attribute.close();
}

bool write_attribute(hid_t object, const char* name, int number) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle attribute(H5Acreate2(object, name, H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.get(), H5T_NATIVE_INT, &number) >= 0 && attribute.close();
}

bool read_attribute(hid_t file, const char* name, std::string& text) {
  const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  if (!attribute || !is_of_class(attribute, H5T_STRING, H5Aget_type)) return false;
  const Handle stored(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tis_variable_str(stored.get()) <= 0) return false;
  const Handle type = text_type();
  char* pointer = nullptr;
  if (H5Aread(attribute.get(), type.get(), &pointer) < 0) return false;
  text = pointer == nullptr ? "" : pointer;
  // Allocated by HDF5, like the texts of a dataset.
  H5free_memory(pointer);
  return true;
}

bool read_attribute(hid_t file, const char* name, int& number) {
  const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  return attribute && is_of_class(attribute, H5T_INTEGER, H5Aget_type) &&
         H5Aread(attribute.get(), H5T_NATIVE_INT, &number) >= 0;
}

bool write_bytes(hid_t file, const char* path, std::span<const std::uint8_t> bytes, hsize_t width,
                 const std::string& meaning) {
  // Not made with the other datasets: only a frame tells whether the run has marks.
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) {
    const std::array<hsize_t, 2> shape = {bytes.size() / width, width};
    const Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose);
    Handle made(H5Dcreate2(file, path, H5T_STD_U8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!made || !write_attribute(made.get(), "meaning", meaning) || !made.close()) return false;
  }
  Handle dataset = open_dataset(file, path);
  if (!dataset) return false;
  const std::vector<hsize_t> shape = shape_of(dataset);
  // H5Dwrite() takes as many bytes as the dataset has, whatever the span holds.
  if (shape.empty() || shape[0] * row_size(shape) != bytes.size()) return false;
  return H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0 && dataset.close();
}

std::vector<std::uint8_t> read_bytes(hid_t file, const char* path) {
  // A result can be used without: whatever is wrong with it reads as not there.
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return {};
  const Handle dataset = open_dataset(file, path);
  if (!dataset || !is_of_class(dataset, H5T_INTEGER, H5Dget_type)) return {};
  const std::vector<hsize_t> shape = shape_of(dataset);
  if (shape.empty()) return {};
  std::vector<std::uint8_t> bytes(shape[0] * row_size(shape));
  const bool read = H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0;
  return read ? bytes : std::vector<std::uint8_t>();
}

namespace {

// Little endian on every machine: files are the same bytes.
hid_t type_of(Stored stored) {
  switch (stored) {
    case Stored::kInt32:
      return H5T_STD_I32LE;
    case Stored::kInt64:
      return H5T_STD_I64LE;
    case Stored::kDouble:
      break;
  }
  return H5T_IEEE_F64LE;
}

}  // namespace

Handle create_rows(hid_t file, const char* path, std::span<const hsize_t> inner, hsize_t chunk, Stored stored) {
  std::vector<hsize_t> shape = {0};
  shape.insert(shape.end(), inner.begin(), inner.end());
  std::vector<hsize_t> most = shape, chunks = shape;
  // Rows are added as the run goes along, which HDF5 allows for datasets in chunks alone.
  most[0] = H5S_UNLIMITED;
  chunks[0] = chunk;
  const auto rank = static_cast<int>(shape.size());
  const Handle space(H5Screate_simple(rank, shape.data(), most.data()), H5Sclose);
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // Rows alone grow; a chunk is as wide as a row, which is read and written as a whole.
  H5Pset_chunk(how.get(), rank, chunks.data());
  return {H5Dcreate2(file, path, type_of(stored), space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), H5Dclose};
}

std::vector<hsize_t> shape_of_rows(hid_t file, const char* path) {
  const Handle dataset = open_dataset(file, path);
  // What is not there has no shape; the caller says which dataset that is.
  if (!dataset) return {};
  // Whole numbers are read as doubles too; texts are not.
  const bool numbers = is_of_class(dataset, H5T_FLOAT, H5Dget_type) || is_of_class(dataset, H5T_INTEGER, H5Dget_type);
  return numbers ? shape_of(dataset) : std::vector<hsize_t>();
}

bool resize_rows(hid_t file, const char* path, hsize_t rows) {
  Handle dataset = open_dataset(file, path);
  if (!dataset) return false;
  std::vector<hsize_t> shape = shape_of(dataset);
  if (shape.empty()) return false;
  // The other dimensions are those of a row and never change.
  shape[0] = rows;
  return H5Dset_extent(dataset.get(), shape.data()) >= 0 && dataset.close();
}

bool append_rows(hid_t file, const char* path, hsize_t first, std::span<const double> values) {
  Handle dataset = open_dataset(file, path);
  if (!dataset) return false;
  std::vector<hsize_t> shape = shape_of(dataset);
  const hsize_t rows = values.size() / row_size(shape);
  // Not behind what is there: rows after `first`, of a block that was cut off, are written over.
  shape[0] = first + rows;
  if (H5Dset_extent(dataset.get(), shape.data()) < 0) return false;
  const Selection block = select_rows(dataset, shape, first, rows);
  return H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, block.memory.get(), block.file.get(), H5P_DEFAULT, values.data()) >=
             0 &&
         dataset.close();
}

bool read_rows(hid_t file, const char* path, std::span<double> values) {
  const Handle dataset = open_dataset(file, path);
  if (!dataset) return false;
  const std::vector<hsize_t> shape = shape_of(dataset);
  const Selection block = select_rows(dataset, shape, 0, values.size() / row_size(shape));
  return H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, block.memory.get(), block.file.get(), H5P_DEFAULT, values.data()) >=
         0;
}

}  // namespace espalier::record::detail
