#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace espalier {

// A place in a user's file. Line and column count from 1; 0 means "not known".
struct Where {
  std::string file;
  int line = 0;
  int column = 0;

  bool operator==(const Where&) const = default;
};

// What kind of mistake the user's data holds; a door may act on it (Python raises one class with this as a field).
enum class ErrorCode {
  kFile,         // cannot be opened, read or written
  kFormat,       // not a format we read
  kSyntax,       // broken YAML, JSON or XML
  kType,         // a list where a number is asked for, a wrong count of numbers
  kValue,        // NaN, negative mass, impossible inertia, ...
  kName,         // unknown, missing or duplicate name or key
  kTopology,     // self joint, disconnected mechanism, ...
  kUnsupported,  // legal in its format, but we do not read or write it
  kOption,       // a command-line option or function argument
  kLimit,        // too deep, too large
};

// The user's data is wrong. The message names the value and the way out; `where` names the place.
struct Error {
  ErrorCode code = ErrorCode::kValue;
  std::string message;
  Where where;
};

template <class T>
using Result = tl::expected<T, Error>;

// For `return make_error(...)` in a function that returns a Result.
inline tl::unexpected<Error> make_error(ErrorCode code, Where where, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

// "four_bar.yaml:12" or "four_bar.yaml" or "".
std::string to_string(const Where& where);
// "four_bar.yaml:12: joint 'C' names ...".
std::string to_string(const Error& error);
// The enumerator without its k, in lower case: "topology".
std::string to_string(ErrorCode code);

}  // namespace espalier

// Leaves the function with the error of `result`, if it has one.
#define ESPALIER_TRY(result)                                \
  do {                                                      \
    if (!(result)) return tl::unexpected((result).error()); \
  } while (false)
