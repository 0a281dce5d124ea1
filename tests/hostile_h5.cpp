// hostile_h5 KIND RESULT.H5 [VICTIM]: makes a result what no run writes. Kinds: see kKinds.

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <hdf5.h>

namespace {

constexpr hsize_t kHuge = hsize_t{1} << 62;

struct Change {
  hid_t file;
  const char* victim;

  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

  // Puts a dataset of this shape in the place of another.
  bool replace(const char* path, hid_t type, const std::string& how, hsize_t rows, hsize_t columns) const {
    const std::array<hsize_t, 2> shape = {rows, columns};
    const std::array<hsize_t, 2> most = {how == "fixed" || rows > kHuge / 2 ? rows : H5S_UNLIMITED, columns};
    const std::array<hsize_t, 2> chunk = {64, columns == 0 ? 1 : columns};
    const int rank = columns == 0 ? 1 : 2;
    const hid_t space = H5Screate_simple(rank, shape.data(), most.data());
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    if (how == "chunked" || how == "filter") H5Pset_chunk(plist, rank, chunk.data());
    if (how == "filter") H5Pset_shuffle(plist);
    if (how == "external") H5Pset_external(plist, victim, 0, H5F_UNLIMITED);
    if (how == "virtual") H5Pset_virtual(plist, space, victim, "/time", space);
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t made = H5Dcreate2(file, path, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    return made >= 0 && H5Dclose(made) >= 0;
  }
  bool unlink(const char* path) const { return H5Ldelete(file, path, H5P_DEFAULT) >= 0; }
};

struct Kind {
  const char* name;
  bool (*make)(const Change&);
};

const std::array kKinds = {
    Kind{"external_storage", [](const Change& c) { return c.replace("/time", H5T_IEEE_F64LE, "external", 51, 0); }},
    Kind{"external_link",
         [](const Change& c) {
           return c.unlink("/time") && H5Lcreate_external(c.victim, "/time", c.file, "/time", 0, 0) >= 0;
         }},
    Kind{"soft_link",
         [](const Change& c) {
           return c.unlink("/time") && H5Lcreate_soft("/energy/total", c.file, "/time", 0, 0) >= 0;
         }},
    Kind{"soft_loop",
         [](const Change& c) { return c.unlink("/time") && H5Lcreate_soft("/time", c.file, "/time", 0, 0) >= 0; }},
    Kind{"hard_loop", [](const Change& c) { return H5Lcreate_hard(c.file, "/", c.file, "/names/up", 0, 0) >= 0; }},
    Kind{"virtual_storage", [](const Change& c) { return c.replace("/time", H5T_IEEE_F64LE, "virtual", 51, 0); }},
    Kind{"filter", [](const Change& c) { return c.replace("/time", H5T_IEEE_F64LE, "filter", 51, 0); }},
    Kind{"names_huge",
         [](const Change& c) { return c.replace("/names/bodies", Change::text_type(), "chunked", kHuge, 0); }},
    Kind{"names_many",
         [](const Change& c) { return c.replace("/names/bodies", Change::text_type(), "chunked", 100'000'000, 0); }},
    Kind{"unique_huge",
         [](const Change& c) { return c.replace("/reaction_unique", H5T_STD_U8LE, "chunked", kHuge, 6); }},
    Kind{"unique_overflow",
         [](const Change& c) { return c.replace("/reaction_unique", H5T_STD_U8LE, "chunked", kHuge / 2 + 3, 8); }},
    Kind{"time_many", [](const Change& c) { return c.replace("/time", H5T_IEEE_F64LE, "chunked", 10'000'000'000, 0); }},
    Kind{"time_of_bytes", [](const Change& c) { return c.replace("/time", H5T_STD_I8LE, "chunked", 51, 0); }},
    Kind{"time_fixed", [](const Change& c) { return c.replace("/time", H5T_IEEE_F64LE, "fixed", 51, 0); }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    for (const Kind& kind : kKinds) std::puts(kind.name);
    return 0;
  }
  const hid_t file = H5Fopen(argv[2], H5F_ACC_RDWR, H5P_DEFAULT);
  for (const Kind& kind : kKinds) {
    if (std::string_view(kind.name) != argv[1]) continue;
    const bool made = file >= 0 && kind.make({file, argc > 3 ? argv[3] : ""});
    return made && H5Fclose(file) >= 0 ? 0 : 1;
  }
  return 2;
}
