#pragma once

#include <optional>
#include <utility>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {

// Collective. The error of the lowest rank that has one, the same on all ranks; nothing where none has. Where other
// ranks were content, the message ends with the rank it comes from: " (on rank 2 of 4)". Where all failed it is
// unchanged, so that bad input gives the same words for every number of ranks.
std::optional<Error> first_error(const Comm& comm, const Error* mine);

// Collective. The root's error on all ranks, unchanged; nothing where it has none.
std::optional<Error> root_error(const Comm& comm, const Error* mine);

// Collective. Ends the fallible part of a function that communicates: all ranks keep their own value, or all get
// first_error(). Without it the ranks that succeeded would wait for the others without end.
template <class T>
Result<T> agree(const Comm& comm, Result<T> result) {
  std::optional<Error> error = first_error(comm, result ? nullptr : &result.error());
  if (error) return tl::unexpected<Error>(*std::move(error));
  return result;
}

// Collective. The same where the root alone did the work: all ranks keep their own value, or all get root_error().
template <class T>
Result<T> agree_with_root(const Comm& comm, Result<T> result) {
  std::optional<Error> error = root_error(comm, result ? nullptr : &result.error());
  if (error) return tl::unexpected<Error>(*std::move(error));
  return result;
}

}  // namespace espalier::comm
