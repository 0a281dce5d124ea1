#pragma once

// The verb `modes`: vibration modes of a model that is drawn in equilibrium.
//   In:   LoadedModel (load.hpp) and what is asked for
//   Out:  ModesAnswer: eigenvalues with their certificate, shapes, masses that take part, and where the energy is
// Read next: modes/modes.hpp, what is found and how; response.hpp, mode_sweep.hpp and transfer_matrix.hpp, which ask
// other questions of the same structure; documents.hpp for its JSON.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/draw/mode_page.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

struct ModesOptions {
  int count = 10;                       // [-] The lowest so many beside free motions, from 1 to 100000.
  std::optional<double> max_frequency;  // [Hz] All modes below this, instead of `count`.
  std::optional<double> max_decay;      // [1/s] Damped: all that decay slower than exp(-max_decay t).
  std::optional<modes::Box> box;        // [1/s] The eigenvalues in it alone, instead of the three above.
  modes::Method method = modes::Method::kAuto;
  modes::GridOptions grid;  // Of the searches of the literature.
  bool shapes = true;       // False: eigenvalues alone.
  modes::Scaling scaling = modes::Scaling::kLargest;
  bool no_estimate = false;     // True leaves out a second search, for what segments of tapered bodies cost.
  bool no_free_motion = false;  // True refuses a structure in which something can move without stiffness.
  std::function<void(int found, int expected)> watch;  // progress, on the root rank
  const std::atomic<bool>* stop = nullptr;             // any rank's: end now, with what is known
};

// A plain value, the same on all ranks but for `results` and the shapes that it scales: the root rank has them.
struct ModesAnswer {
  ReaderNotes reader;
  model::Model model;
  modes::Structure structure;
  modes::Tree tree;
  modes::ModeSet set;
  std::optional<modes::ModeResults> results;  // where shapes were asked for
  bool shapes = true;
  std::optional<modes::Box> box;  // as asked
  modes::GridOptions grid;        // as asked
  int ranks = 1;
};

// What modes::find_modes is asked for these options. Errors name the option, the value and the way out.
Result<modes::ModesOptions> search_options(const ModesOptions& options);

// Collective; the same bits on every number of ranks. Errors: an option out of its range; a model whose reader left
// out what changes its modes; what modes::make_structure and modes::find_modes refuse.
Result<ModesAnswer> modes(const comm::Comm& comm, const LoadedModel& loaded, const ModesOptions& options = {});

// Something with a name that moves, yields or dissipates, and its part in one shape [J] at the shape's own scale.
struct EnergyPart {
  const char* kind = "";  // bodies, joints, forces
  std::string name;
  modes::Energy energy;
};

// In the order of the model: bodies, then joints and forces in the order of the structure's elements.
// O(vertices + elements).
std::vector<EnergyPart> energy_parts(const ModesAnswer& answer, const modes::ShapeResult& shape);

// The determinant over the plane of s, of an undamped structure along the frequencies, with the eigenvalues that were
// found. Some seconds of evaluations.
Result<draw::Chart> draw_determinant(const ModesAnswer& answer);

// Shapes that move, scaled so that the largest displacement is 1. Of an answer with `results`.
draw::Motion make_motion(const ModesAnswer& answer);

// A page with the moving shapes, `text` and the chart above. `command` is what made it.
Result<draw::ModePage> make_page(const ModesAnswer& answer, std::string text, std::string command);

}  // namespace espalier::study
