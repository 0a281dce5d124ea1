#include <nlohmann/json.hpp>

#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/view.hpp"

namespace espalier::study {

using nlohmann::ordered_json;

std::string to_json(const ViewAnswer& answer) {
  ordered_json missing = ordered_json::array();
  for (const draw::MissingMesh& mesh : answer.missing) {
    missing.push_back({{"file", mesh.file}, {"body", mesh.body}, {"why", mesh.why}});
  }
  ordered_json difference;
  if (answer.difference) {
    const ViewDifference& d = *answer.difference;
    difference = {{"other", d.other},
                  {"first_time", d.first_time ? ordered_json(*d.first_time) : ordered_json()},
                  {"first_body", d.first_body},
                  {"first_distance", d.first_distance},
                  {"most", d.most},
                  {"most_time", d.most_time},
                  {"most_body", d.most_body}};
  }
  return detail::document_text({{"subject", word_of(answer.subject)},
                                {"title", answer.title},
                                {"written", answer.written},
                                {"bytes", answer.html.size()},
                                {"bodies", answer.bodies},
                                {"modes", answer.modes},
                                {"frames", answer.frames},
                                {"run_frames", answer.run_frames},
                                {"position_error", answer.position_error},
                                {"angle_error", answer.angle_error},
                                {"difference", difference},
                                {"missing_meshes", missing},
                                {"notes", answer.notes}},
                               2);
}

std::string to_json(const ViewFiles& files) {
  return detail::document_text(
      {{"title", files.title}, {"written", files.written}, {"bytes", files.bytes}, {"frames", files.frames}}, 2);
}

}  // namespace espalier::study
