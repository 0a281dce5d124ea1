// Any bytes in: a plan of this mechanism that keeps its promises or an error with a place comes out, and what is
// written of a plan reads back as the same one.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "espalier/record/plan_file.hpp"

using namespace espalier;

namespace {

// A four-bar, and a piece of two bodies that floats beside it.
plan::Network make_network() {
  plan::Network network;
  network.graph = {6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 4}}};
  network.weight = network.length = {1, 1, 3, 1, 2, 1};
  network.freedom = {1, 1, 3, 1, 2, 1};
  network.vertex_names = {"ground", "crank", "coupler", "rocker", "hull", "turret \"1\""};
  network.edge_names = {"A", "B", "C", "D", "E", "F"};
  network.ground = 0;
  return network;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const plan::Network network = make_network();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<plan::Plan> plan = record::read_plan_text(text, "fuzz", network);
  if (!plan) {
    if (plan.error().message.empty() || plan.error().where.line < 1) std::abort();
    return 0;
  }
  if (plan->tree.order.size() != static_cast<std::size_t>(plan->network.graph.vertices)) std::abort();
  if (plan->cut.size() + plan->tree.order.size() - plan->roots.size() != network.graph.edges.size()) std::abort();
  const Result<std::string> written = record::plan_json(*plan, {});
  if (!written) std::abort();
  const Result<plan::Plan> again = record::read_plan_text(*written, "again", network);
  if (!again || again->tree != plan->tree || again->roots != plan->roots || again->cut != plan->cut) std::abort();
  return 0;
}
