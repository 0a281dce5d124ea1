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

// The user's data is wrong. The message names the value, `where` the place, `hint` the way out. Errors of code
// kOption name options as the library's fields between backticks, as in "`max_length` is -1"; each door puts its own
// spelling there (text.hpp).
struct Error {
  ErrorCode code = ErrorCode::kValue;
  std::string message;
  Where where;
  std::string option = {};  // the field of the options that is at fault: "max_length"; empty: none
  std::string hint = {};    // what to do instead, to be read behind "; "; empty: the message says it
};

template <class T>
using Result = tl::expected<T, Error>;

// For `return make_error(...)` in a function that returns a Result.
inline tl::unexpected<Error> make_error(ErrorCode code, Where where, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

// An option has a value that cannot be. The message need not begin with its name: "`beta` is -1, not a number above 0".
inline tl::unexpected<Error> make_option_error(std::string option, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{ErrorCode::kOption, std::move(message), {}, std::move(option), std::move(hint)});
}

// "four_bar.yaml:12" or "four_bar.yaml" or "".
std::string to_string(const Where& where);
// The message with its hint: "joint 'C' names an unknown body 'rockr'; did you mean 'rocker'?".
std::string full_message(const Error& error);
// "four_bar.yaml:12: joint 'C' names ...".
std::string to_string(const Error& error);
// The enumerator without its k, in lower case: "topology".
std::string to_string(ErrorCode code);

}  // namespace espalier

// Leaves the function with the error of `result`, a variable or a call that is made once, if it has one.
#define ESPALIER_TRY(result)                                                                              \
  do {                                                                                                    \
    if (auto&& espalier_tried = (result); !espalier_tried) return tl::unexpected(espalier_tried.error()); \
  } while (false)

namespace espalier {

// Called after a failed check has printed its place; must not return. comm/ puts MPI_Abort here so that one rank's
// mistake stops all ranks. The default is std::abort.
using StopFunction = void (*)();
void set_stop_function(StopFunction stop);

[[noreturn]] void check_failed(const char* condition, const char* sentence, const char* file, int line);

}  // namespace espalier

// We made a mistake (not the user): prints the place and the sentence, stops all ranks. Stays in release builds.
#define ESPALIER_CHECK(condition, sentence) \
  ((condition) ? static_cast<void>(0) : ::espalier::check_failed(#condition, sentence, __FILE__, __LINE__))
