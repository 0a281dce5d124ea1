#include <string>

#include <gtest/gtest.h>

#include "espalier/study/convert.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/test/documents_support.hpp"

namespace espalier::study {
namespace {

ConvertAnswer made_up() {
  ConvertAnswer answer;
  answer.file = "old.yaml";
  answer.format = formats::Format::kSdf;
  answer.conversion.written.text = "<sdf/>";
  answer.conversion.written.notes = {"no couplings"};
  answer.conversion.changes = {{"body", "arm", "mass", "1", "2"}};
  return answer;
}

TEST(ConvertDocument, SaysWhatStoodBeforeAndWhatStandsNow) {
  expect_parts(to_json(made_up()),
               {R"({"model": "old.yaml","written": "","format": "SDF",)",
                R"("changes": [{"element": "body","name": "arm","field": "mass","before": "1","after": "2"}])",
                R"("notes": ["no couplings"],"reader_notes": [],"accepted": [],"text": "<sdf/>"})"});
}

TEST(ConvertDocument, HasNoTextOnceItIsInAFile) {
  ConvertAnswer answer = made_up();
  answer.written = "new.sdf";
  expect_parts(to_json(answer), {R"("written": "new.sdf")"});
  expect_no_part(to_json(answer), R"("text":)");
}

}  // namespace
}  // namespace espalier::study
