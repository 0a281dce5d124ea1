#include <nlohmann/json.hpp>

#include "espalier/record/plan_file.hpp"
#include "espalier/study/calibrate.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::study {

std::string to_json(const Calibration& answer) {
  using nlohmann::ordered_json;
  const plan::PredictionSpread spread = {answer.typical_error, answer.largest_error};
  // The constants as their own file has them, so that one can be cut out of the other.
  ordered_json json = {{"file", answer.written},
                       {"machine", ordered_json::parse(record::machine_json(answer.machine, spread))}};
  // Errors beside the constants: constants that predict badly are no worse to look at than good ones.
  json["typical_error"] = answer.typical_error;
  json["largest_error"] = answer.largest_error;
  json["timings"] = ordered_json::array();
  for (const TreeTiming& timing : answer.timings) {
    ordered_json work;
    // By name: a kind of work that is added later moves no number of a program that reads them.
    for (std::size_t k = 0; k < plan::kWorkKinds; ++k) work[std::string(plan::work_names()[k])] = timing.work.amount[k];
    json["timings"].push_back({{"name", timing.name},
                               {"seconds", timing.seconds},
                               {"predicted", timing.predicted},
                               {"work", work},
                               {"equations", timing.equations}});
  }
  if (answer.beta) {
    json["beta"] = {{"value", answer.beta->value},
                    {"least", answer.beta->least},
                    {"most", answer.beta->most},
                    {"level_seconds", answer.beta->level_seconds},
                    {"equation_seconds", answer.beta->equation_seconds}};
  }
  return detail::document_text(json, 1);
}

}  // namespace espalier::study
