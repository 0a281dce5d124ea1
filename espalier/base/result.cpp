#include "espalier/base/result.hpp"

#include <fmt/format.h>

namespace espalier {

std::string to_string(const Where& where) {
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

std::string full_message(const Error& error) {
  return error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint);
}

std::string to_string(const Error& error) {
  const std::string place = to_string(error.where);
  // Errors of a program's own arguments have no file to point at.
  return place.empty() ? full_message(error) : fmt::format("{}: {}", place, full_message(error));
}

std::string to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kFile:
      return "file";
    case ErrorCode::kFormat:
      return "format";
    case ErrorCode::kSyntax:
      return "syntax";
    case ErrorCode::kType:
      return "type";
    case ErrorCode::kValue:
      return "value";
    case ErrorCode::kName:
      return "name";
    case ErrorCode::kTopology:
      return "topology";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kOption:
      return "option";
    case ErrorCode::kLimit:
      return "limit";
  }
  // No enumerator comes here: the compiler names one that the switch has not.
  return "unknown";
}

}  // namespace espalier
