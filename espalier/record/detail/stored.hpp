#pragma once

namespace espalier::record::detail {

// How a dataset holds its numbers. Whole ones are stored as such, and come and go as doubles all the same.
enum class Stored { kDouble, kInt32, kInt64 };

}  // namespace espalier::record::detail
