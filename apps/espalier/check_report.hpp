#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/espalier/loop_report.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/lint.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/mechanism.hpp"

namespace espalier::app {

// What `espalier check` has to say of a model.
struct CheckReport {
  std::string file;
  formats::Format format = formats::Format::kNative;
  std::string name;
  plan::Count count;
  std::vector<std::pair<std::string, int>> joint_types;  // in the order of the joint table, those that occur
  int couplings = 0;
  int forces = 0;
  int elastic = 0;                              // beams, rods and shafts, here counted as rigid
  std::vector<std::vector<std::string>> loops;  // names of joints, in cyclic order
  std::vector<std::string> closures;            // joints the author marked as loop closures
  std::vector<model::Finding> findings;
  std::vector<model::Note> notes;
  LoopReport loop;
};

// `all`: with every loop, else the first few: a large lattice has more in its loops than in its bodies. `keyframe`:
// where loops are closed from; empty: the drawn pose.
Result<CheckReport> make_check_report(const std::string& file, formats::Format format, const model::ModelSpec& spec,
                                      const model::Model& model, const std::string& keyframe, bool all);

// `all`: every loop, finding and note; otherwise the first few of each.
std::string check_text(const CheckReport& report, bool all);
std::string check_json(const CheckReport& report);

}  // namespace espalier::app
