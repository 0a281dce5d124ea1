#include <nlohmann/json.hpp>

#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/generate.hpp"

namespace espalier::study {

std::string to_json(const GenerateAnswer& answer) {
  nlohmann::ordered_json document = {{"kind", answer.kind}, {"written", answer.written}};
  if (answer.sat) {
    document["vertices"] = answer.sat->network.graph.vertices;
    document["edges"] = answer.sat->network.graph.edges.size();
    document["max_weight"] = answer.sat->max_weight;
    document["max_length"] = answer.sat->max_length;
  } else {
    document["bodies"] = answer.count.bodies;
    document["movable_joints"] = answer.count.movable_joints;
    document["loop_count"] = answer.count.loops;
  }
  if (answer.written.empty()) document["text"] = answer.text;
  return detail::document_text(document, 2);
}

}  // namespace espalier::study
