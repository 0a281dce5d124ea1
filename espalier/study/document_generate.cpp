#include <nlohmann/json.hpp>

#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/generate.hpp"

namespace espalier::study {

std::string to_json(const GenerateAnswer& answer) {
  nlohmann::ordered_json document = {{"kind", answer.kind}, {"written", answer.written}};
  // A plain graph has no bodies: keys of a model would hold numbers of something else.
  if (answer.sat) {
    document["vertices"] = answer.sat->network.graph.vertices;
    document["edges"] = answer.sat->network.graph.edges.size();
    // The question comes with the graph: is there a tree within both limits?
    document["max_weight"] = answer.sat->max_weight;
    document["max_length"] = answer.sat->max_length;
  } else if (answer.graph) {
    document["vertices"] = answer.graph->graph.vertices;
    document["edges"] = answer.graph->graph.edges.size();
  } else {
    document["bodies"] = answer.count.bodies;
    document["movable_joints"] = answer.count.movable_joints;
    document["loop_count"] = answer.count.loops;
  }
  // A file of 10^6 joints stands on disk or in the document, but not in both.
  if (answer.written.empty()) document["text"] = answer.text;
  return detail::document_text(document, 2);
}

}  // namespace espalier::study
