#include <string>

#include <gtest/gtest.h>

#include "espalier/record/plan_file.hpp"
#include "espalier/study/calibrate.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/test/documents_support.hpp"

namespace espalier::study {
namespace {

TEST(CalibrateDocument, NamesTheWorkOfEachTree) {
  Calibration answer;
  answer.written = "machine.json";
  answer.typical_error = 0.125;
  answer.largest_error = 0.5;
  TreeTiming timing;
  timing.name = "chain 8";
  timing.seconds = 2;
  timing.predicted = 3;
  timing.work.amount[0] = 1;
  timing.work.amount[plan::kWorkKinds - 1] = 8;
  answer.timings = {timing};
  const std::string first(plan::work_names().front()), last(plan::work_names().back());
  expect_parts(to_json(answer),
               {R"("file": "machine.json","machine": {)", R"("typical_error": 0.125,"largest_error": 0.5)",
                R"({"name": "chain 8","seconds": 2.0,"predicted": 3.0,"work": {)", ("{\"" + first + "\": 1.0").c_str(),
                ("\"" + last + "\": 8.0}").c_str()});
}

// The document's constants are a file of constants: what is cut out of it is read as one.
TEST(CalibrateDocument, HoldsTheConstantsAsTheirOwnFileDoes) {
  Calibration answer;
  answer.machine.seconds[3] = 0.25;
  answer.typical_error = 0.25;
  answer.largest_error = 0.5;
  const std::string file = record::machine_json(answer.machine, plan::PredictionSpread{0.25, 0.5});
  expect_parts(to_json(answer), {("\"machine\": " + on_one_line(file)).c_str()});
  expect_no_part(to_json(answer), "\"beta\"");
  answer.beta = {.value = 1, .least = 0.5, .most = 16, .level_seconds = 2, .equation_seconds = 3};
  expect_parts(to_json(answer), {R"("beta": {"value": 1.0,"least": 0.5,"most": 16.0,"level_seconds": 2.0,)"
                                 R"("equation_seconds": 3.0})"});
}

}  // namespace
}  // namespace espalier::study
