#pragma once

// HDF5 believes what a file says: it follows links and storage into other files, makes room for any dimension, and on
// a damaged file it may crash or never end. A file that somebody else may have made is tried first in a process of its
// own, and everything in it must be of the few kinds that we write.

#include <cstdint>
#include <filesystem>
#include <functional>

#include "espalier/base/result.hpp"

namespace espalier::record::detail {

// Runs `trial` in a child process that may take 400 MiB more than this one and some seconds of processor time, more of
// both for large files. Its error comes back; so does a crash, as an error. Nothing that `trial` changes is seen here.
Result<void> try_apart(const std::filesystem::path& file, const std::function<Result<void>()>& trial);

// An open file holds only what we write: hard links, groups, and datasets of numbers and texts, without filters and
// external or virtual storage, none larger than what is stored of it. The error names the first thing that is not so.
// `file` is a hid_t.
Result<void> check_parts(std::int64_t file, const std::filesystem::path& path);

}  // namespace espalier::record::detail
