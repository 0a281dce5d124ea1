#include <string>

#include <gtest/gtest.h>

#include "espalier/study/check.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/test/documents_support.hpp"

namespace espalier::study {
namespace {

CheckAnswer made_up() {
  CheckAnswer answer;
  answer.file = "arm.yaml";
  answer.format = formats::Format::kUrdf;
  answer.name = "arm";
  answer.count = {.bodies = 5, .groups = 4, .movable_joints = 3, .loops = 2, .coordinates = 7, .planar_loops = 1};
  answer.count.freedom = -2;
  answer.joint_types = {{"revolute", 2}, {"prismatic", 1}};
  answer.couplings = 1;
  answer.forces = 6;
  answer.loops = {{"A", "B"}, {"C"}};
  answer.closures = {"C"};
  answer.findings = {{"mass", "too light", {"arm.yaml", 3, 0}}};
  answer.closing.why_not = "not computed";
  return answer;
}

TEST(CheckDocument, KeepsEachCountUnderItsOwnKey) {
  expect_parts(to_json(made_up()),
               {R"("format": "URDF","name": "arm","bodies": 5,"bodies_after_welding": 4,"movable_joints": 3)",
                R"("joint_types": {"revolute": 2,"prismatic": 1},"couplings": 1,"forces": 6,"elastic_bodies": 0)",
                R"("coordinates": 7,"loops": [["A","B"],["C"]],"loop_count": 2,"planar_loop_count": 1)",
                R"("closures": ["C"],"freedom_by_count": -2)",
                R"("findings": [{"kind": "mass","message": "too light","file": "arm.yaml","line": 3}])"});
}

TEST(CheckDocument, HasNoKeyForWhatWasNotComputed) {
  for (const char* key : {R"("assembly":)", R"("freedom":)", R"("rank":)", R"("redundant":)"})
    expect_no_part(to_json(made_up()), key);
}

}  // namespace
}  // namespace espalier::study
