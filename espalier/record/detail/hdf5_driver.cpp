#include "espalier/record/detail/hdf5_driver.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

namespace espalier::record::detail {
namespace {

// HDF5 wants its own part first, as a base class in C.
struct File {
  H5FD_t head;
  files::FileChange* change;
  haddr_t end;  // of what HDF5 has given out
};

File& file_of(H5FD_t* head) { return *reinterpret_cast<File*>(head); }
const File& file_of(const H5FD_t* head) { return *reinterpret_cast<const File*>(head); }

// HDF5 hands the name on, which nobody needs: the change knows its file.
H5FD_t* open_file(const char*, unsigned flags, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  // Opened through another list of properties there is no change to write to.
  if (info == nullptr) return nullptr;
  auto file = std::make_unique<File>();
  file->change = *static_cast<files::FileChange* const*>(info);
  if ((flags & H5F_ACC_TRUNC) != 0) file->change->set_size(0);
  return &file.release()->head;
}

herr_t close_file(H5FD_t* head) {
  delete &file_of(head);
  return 0;
}

// As HDF5's own driver for files, so that both lay out the same bytes.
herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end(const H5FD_t* head, H5FD_mem_t) { return file_of(head).end; }
// HDF5 gives out space by moving this end, long before it writes there.
herr_t set_end(H5FD_t* head, H5FD_mem_t, haddr_t end) {
  file_of(head).end = end;
  return 0;
}
haddr_t get_size(const H5FD_t* head, H5FD_mem_t) { return file_of(head).change->size(); }

// A damaged file may ask for any place in it.
bool is_place(haddr_t place, std::size_t size) {
  constexpr haddr_t kFarthest = haddr_t{1} << 62;
  return place != HADDR_UNDEF && place < kFarthest && size < kFarthest;
}

herr_t read_file(H5FD_t* head, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, void* bytes) {
  if (!is_place(place, size)) return -1;
  return file_of(head).change->read(place, {static_cast<char*>(bytes), size}) ? 0 : -1;
}

herr_t write_file(H5FD_t* head, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, const void* bytes) {
  if (!is_place(place, size)) return -1;
  return file_of(head).change->write(place, {static_cast<const char*>(bytes), size}) ? 0 : -1;
}

herr_t truncate_file(H5FD_t* head, hid_t, hbool_t) {
  File& file = file_of(head);
  // The file ends behind what HDF5 has given out, not behind the last byte that it wrote.
  file.change->set_size(file.end);
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  // Newer versions of HDF5 refuse drivers that do not say for which one they were made.
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5FD_RESERVED + 1);
#endif
  driver.name = "espalier";
  driver.maxaddr = haddr_t{1} << 62;
  driver.fc_degree = H5F_CLOSE_SEMI;  // to close a file with datasets open in it fails
  driver.fapl_size = sizeof(files::FileChange*);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query_features;
  driver.get_eoa = get_end;
  driver.set_eoa = set_end;
  driver.get_eof = get_size;
  driver.read = read_file;
  driver.write = write_file;
  driver.truncate = truncate_file;
  // As HDF5 groups them by default: heads and data keep to places of their own.
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return H5FDregister(&driver);
}

}  // namespace

hid_t access_through(files::FileChange& change) {
  // Made once and never given back: HDF5's clean-up at the end is switched off (Hdf5Lock).
  static const hid_t driver = register_driver();
  static const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  files::FileChange* pointer = &change;
  H5Pset_driver(access, driver, &pointer);
  return access;
}

}  // namespace espalier::record::detail
