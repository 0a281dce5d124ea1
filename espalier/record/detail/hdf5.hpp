#pragma once

// The few things we do with HDF5, each as one call that says whether it went through. The library's own messages are
// silenced; hdf5_reason() has the one that matters.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "espalier/base/result.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/record/detail/stored.hpp"

namespace espalier::record::detail {

// An identifier of HDF5 that closes itself. Negative: the call that made it failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close function) : id_(id), close_(function) {}
  // For what was only read, and where something has failed before; what was written is closed by close().
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  // True where it went through; a dataset is written to its end only here.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  Close close_;
};

// Held around every use of HDF5: the library may have been built for one thread alone. Silences its messages.
class Hdf5Lock {
 public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Why the last call failed, in words for a user: the system's ("No space left on device") where there are any.
std::string hdf5_reason();

// A file that is open, and what will have changed in it. Closed without commit() it stays as it was.
struct OpenFile {
  std::unique_ptr<files::FileChange> change;
  Handle file;

  hid_t get() const { return file.get(); }
  // Why the last call failed.
  std::string reason() const { return change->reason().empty() ? hdf5_reason() : change->reason(); }
};
Result<OpenFile> create_file(const std::filesystem::path& path);
// kTrial: to write into, but it is never committed, and what another program left undone is completed in memory alone
// (hdf5_guard.hpp).
enum class Use { kRead, kWrite, kTrial };
Result<OpenFile> open_file(const std::filesystem::path& path, Use use);
// Closes the file and writes the change, whole or not at all.
Result<void> commit(OpenFile& opened);

bool create_group(hid_t file, const char* path);
bool is_there(hid_t file, const char* path);

bool write_strings(hid_t file, const char* path, std::span<const std::string> texts);
// Reads a list of texts; false where there is none of this name, or it is something else.
bool read_strings(hid_t file, const char* path, std::vector<std::string>& texts);

bool write_attribute(hid_t object, const char* name, const std::string& text);
bool write_attribute(hid_t object, const char* name, int number);
bool read_attribute(hid_t file, const char* name, std::string& text);
bool read_attribute(hid_t file, const char* name, int& number);

// A table of bytes, `width` a row, with an attribute `meaning`; one of this name and as many bytes is written over.
bool write_bytes(hid_t file, const char* path, std::span<const std::uint8_t> bytes, hsize_t width,
                 const std::string& meaning);
// All bytes of a table; nothing where there is none.
std::vector<std::uint8_t> read_bytes(hid_t file, const char* path);

// Rows of numbers of the shape `inner` (empty: one number per row), none yet, stored in chunks of `chunk` rows.
Handle create_rows(hid_t file, const char* path, std::span<const hsize_t> inner, hsize_t chunk,
                   Stored stored = Stored::kDouble);
// The shape of a dataset of numbers, rows first; empty where there is none.
std::vector<hsize_t> shape_of_rows(hid_t file, const char* path);
bool resize_rows(hid_t file, const char* path, hsize_t rows);
// Writes behind the first `first` rows, and lets the dataset end there.
bool append_rows(hid_t file, const char* path, hsize_t first, std::span<const double> values);
// The first rows of the dataset, as many as fill `values`.
bool read_rows(hid_t file, const char* path, std::span<double> values);

}  // namespace espalier::record::detail
