#pragma once

#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// What a pass in double is worth. Along a way each rounding is a small relative change of an element's own numbers
// only as long as the axes stay the same. Where they turn, or several coordinates are summed up, the digits of a soft
// direction are lost beside a stiff one, or beside one that hardly holds; and so they are where rigid rows of joints
// close.
struct Precision {
  bool mixes = false;  // counts in double prove nothing
  double slack = 0;    // relative: by so much the rounding of the structure's own numbers may move an eigenfrequency
};
Precision find_precision(const Structure& structure, const PassProgram& program);

// True where elements are so many that what each loses may add up to more than a count can stand.
bool is_long(const Structure& structure);

}  // namespace espalier::modes::detail
