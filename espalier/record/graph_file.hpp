#pragma once

// Plain graphs as JSON: {"vertices": 20, "edges": [[u, v, weight], [u, v, weight, length], ...]}
//   Vertices are numbered from 1. An edge without a length is as long as it is heavy.
//   `joints`, where it holds one of the letters R T U C S an edge, gives their coordinates [Liu99] Table 1.
//   All other keys are skipped, whatever they hold.

#include <filesystem>
#include <string>
#include <string_view>

#include "espalier/base/result.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::record {

// Reads a plain graph in two passes over the text: 10^6 edges take tenths of a second, and nothing is kept but
// the network. `name` stands for the file in messages. The graph may have parallel edges but no self loops, and enough
// edges to be connected; whether it is connected is not looked at.
Result<plan::Network> read_graph_text(std::string_view text, const std::string& name);
Result<plan::Network> read_graph(const std::filesystem::path& path);

// The network as such a file. Lengths are written where they are not the weights; names and joints are left out.
std::string graph_text(const plan::Network& network);

}  // namespace espalier::record
