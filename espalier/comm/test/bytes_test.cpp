// The serial side: one rank, no launcher.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(SerialBytes, ARanksMessageToItselfIsCopied) {
  const Comm comm = Comm::serial();
  const std::string sent = "abc";
  std::string taken = "???";
  const std::vector<bytes::Outgoing> outgoing = {{0, bytes_of(sent)}};
  const std::vector<bytes::Incoming> incoming = {{0, std::as_writable_bytes(std::span(taken))}};
  bytes::transfer(comm, outgoing, incoming, Collective::kExchange);
  EXPECT_EQ(taken, sent);
  EXPECT_EQ(comm.traffic().of(Collective::kExchange), (Traffic::Count{1, 0, 0})) << "nothing has left the rank";
}

TEST(SerialBytes, OffsetsBeginAtZeroAndEndWithTheLength) {
  EXPECT_EQ(bytes::all_offsets(Comm::serial(), 7, Collective::kAllGather), (std::vector<std::size_t>{0, 7}));
}

TEST(SerialBytesDeathTest, WhatDoesNotFitStopsWithASentence) {
  const Comm comm = Comm::serial();
  std::string room = "????";
  const std::string sent = "abc";
  const std::vector<bytes::Outgoing> outgoing = {{0, bytes_of(sent)}}, stranger = {{1, bytes_of(sent)}};
  const std::vector<bytes::Incoming> incoming = {{0, std::as_writable_bytes(std::span(room))}};
  EXPECT_DEATH(bytes::transfer(comm, outgoing, incoming, Collective::kExchange), "differ in length");
  EXPECT_DEATH(bytes::transfer(comm, outgoing, {}, Collective::kExchange), "but does not receive");
  EXPECT_DEATH(bytes::transfer(comm, stranger, {}, Collective::kExchange), "a rank outside its group");
}

}  // namespace
}  // namespace espalier::comm
