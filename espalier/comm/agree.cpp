#include "espalier/comm/collectives.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"

namespace espalier::comm {
namespace {

// The fixed part of an Error, as it travels.
struct Header {
  std::int64_t code = 0;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::uint64_t message_length = 0;
  std::uint64_t file_length = 0;
  std::uint64_t option_length = 0;
  std::uint64_t hint_length = 0;
};

template <class Values>
void send(const Comm& comm, Values&& values, int root) {
  bytes::broadcast(comm, std::as_writable_bytes(std::span(values)), root, Collective::kAgree);
}

// The root's error on every rank; the other ranks' own is not looked at.
Error broadcast_error(const Comm& comm, Error error, int root) {
  // Lengths first: the other ranks make room for the texts.
  std::array header = {Header{static_cast<std::int64_t>(error.code), error.where.line, error.where.column,
                              error.message.size(), error.where.file.size(), error.option.size(), error.hint.size()}};
  send(comm, header, root);
  error.code = static_cast<ErrorCode>(header[0].code);
  error.where.line = static_cast<int>(header[0].line);
  error.where.column = static_cast<int>(header[0].column);
  error.message.resize(header[0].message_length);
  error.where.file.resize(header[0].file_length);
  error.option.resize(header[0].option_length);
  error.hint.resize(header[0].hint_length);
  // In the same order on all ranks: each text is a broadcast of its own.
  for (std::string* text : {&error.message, &error.where.file, &error.option, &error.hint}) send(comm, *text, root);
  return error;
}

}  // namespace

std::optional<Error> first_error(const Comm& comm, const Error* mine) {
  // A flag each; only where one is set does anything else travel.
  const std::array<std::uint8_t, 1> failed = {mine != nullptr};
  std::vector<std::uint8_t> all(to_index(comm.size()));
  bytes::all_gather(comm, std::as_bytes(std::span(failed)), std::as_writable_bytes(std::span(all)), Collective::kAgree);
  const auto first = std::ranges::find(all, 1);
  if (first == all.end()) return std::nullopt;
  const auto root = static_cast<int>(first - all.begin());
  Error error = broadcast_error(comm, mine != nullptr ? *mine : Error{}, root);
  // Where all ranks failed, none of them is to blame.
  if (std::ranges::count(all, 1) < comm.size()) {
    error.message += fmt::format(" (on rank {} of {})", root, comm.size());
  }
  return error;
}

std::optional<Error> root_error(const Comm& comm, const Error* mine) {
  // Only the root's word counts here: the others may not even have tried.
  std::array<std::uint8_t, 1> failed = {mine != nullptr};
  send(comm, failed, 0);
  if (failed[0] == 0) return std::nullopt;
  return broadcast_error(comm, mine != nullptr ? *mine : Error{}, 0);
}

}  // namespace espalier::comm
