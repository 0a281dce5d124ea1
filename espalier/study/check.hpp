#pragma once

// The verb `check`: what a model is made of, whether its loops close, how it can move, and what looks doubtful.
//   In:   LoadedModel (load.hpp)
//   Out:  CheckAnswer: counts, loops, degrees of freedom by count and by rank, redundant equations, findings, notes
// Read next: closing.hpp, how the loops are closed; text.hpp and documents.hpp, its report and its JSON.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/study/closing.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// A scene as it begins. Shapes are those that can touch; of the coefficients the least and the largest are told.
struct SceneStart {
  std::vector<std::pair<std::string, int>> shapes;  // "box", 12: in the order of model::ShapeKind, those that occur
  int moving = 0;                                   // bodies that the contact engine moves
  double lightest = 0, heaviest = 0, mass = 0;      // of those, and of all together [kg]
  std::array<double, 2> friction{}, restitution{};  // of the shapes [-]
  int overlaps = 0;                                 // pairs of bodies that reach into each other
  double deepest = 0;                               // [m]
  std::array<std::string, 2> deepest_pair{};
};

struct CheckOptions {
  std::string keyframe = {};         // Closes the loops from this pose of the model; empty: from the drawn one.
  std::size_t max_loops = SIZE_MAX;  // [-] Loops listed by their joints; those of a large lattice outgrow the lattice.
};

// A plain value. That loops stay open is an answer too: closing_error() says so.
struct CheckAnswer {
  std::string file;
  formats::Format format = formats::Format::kNative;
  std::string name;  // of the model
  plan::Count count;
  std::vector<std::pair<std::string, int>> joint_types;  // in the order of the joint table, those that occur
  int couplings = 0;
  int forces = 0;
  int elastic = 0;                              // beams, rods and shafts, here counted as rigid
  std::vector<std::vector<std::string>> loops;  // names of joints, in cyclic order
  std::vector<std::string> closures;            // joints the author marked as loop closures
  std::vector<model::Finding> findings;         // what looks doubtful
  std::vector<model::Note> notes;               // what the reader did and left out
  Closing closing;
  std::optional<SceneStart> scene;  // of a model with `contact`
  std::string scene_why_not;        // what the contact engine refuses of it; there is no `scene` then
};

// Errors: an unknown keyframe. O(size of the model), and O(joints x rows of the loops) to close them.
Result<CheckAnswer> check(const LoadedModel& loaded, const CheckOptions& options = {});

// The answer for people, as a word and a sentence each: "loops", "1 independent".
std::vector<std::pair<std::string, std::string>> check_lines(const CheckAnswer& answer);
// "coupler: sliding along z; turning about x, y": equations that say what others say, by joint.
std::vector<std::string> redundant_items(const CheckAnswer& answer);
// "make A cylindrical: 2 fewer": joint types that would leave fewer redundant equations, and the same motions.
std::vector<std::string> remedy_items(const CheckAnswer& answer);

}  // namespace espalier::study
