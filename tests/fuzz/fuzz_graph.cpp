// Any bytes in: a network that keeps its promises or an error with a place comes out, and what is written of a network
// reads back as the same one.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "espalier/formats/formats.hpp"
#include "espalier/record/plan_file.hpp"

using namespace espalier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  formats::is_graph_text(text);
  const Result<plan::Network> network = record::read_graph_text(text, "fuzz");
  if (!network) {
    if (network.error().message.empty() || network.error().where.line < 1) std::abort();
    return 0;
  }
  if (!plan::check_network(*network)) std::abort();
  if (!network->freedom.empty() && network->freedom.size() != network->weight.size()) std::abort();
  const Result<plan::Network> again = record::read_graph_text(record::graph_text(*network), "again");
  if (!again || again->weight != network->weight || again->length != network->length) std::abort();
  return 0;
}
