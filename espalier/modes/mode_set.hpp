#pragma once

// What is asked of a search for modes, and what it answers.

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/text.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes {

// What stands behind the number of eigenvalues.
enum class Certainty {
  kProved,   // inertia counts on both sides of each, or a bound on what damping moves (certify.hpp): none is missing
  kChecked,  // a sampled winding number agrees: good evidence, no proof
  kNone,     // the method does not know
};
constexpr Words<Certainty, 3> words(Certainty) {
  return {{{"proved", Certainty::kProved}, {"checked", Certainty::kChecked}, {"none", Certainty::kNone}}};
}

enum class Method {
  kAuto,       // with a count: by inertia; where something dissipates by a winding number, and a proof if there is one
  kRecursive,  // baseline: grid search for minima of |det| of the overall transfer matrix [Bestle14]
  kBisection,  // baseline: sign changes of that determinant; undamped structures alone
};
constexpr Words<Method, 3> words(Method) {
  return {{{"auto", Method::kAuto}, {"recursive", Method::kRecursive}, {"bisection", Method::kBisection}}};
}

// left <= Re s <= right, bottom <= Im s <= top [1/s]; left < 0, bottom >= 0.
struct Box {
  double left = 0, right = 0, bottom = 0, top = 0;
};

// Which rank computes what.
enum class Distribution {
  kDynamic,  // the samples of each level in small chunks, one rank after the other
  kPaper,  // the literature's: shares of the first level's samples, then of the intervals that it leaves, each of which
           // one rank searches to its end; the root gathers and decides
  kElements,  // the literature's first level: all ranks compute each sample together, every rank a share of its
              // elements
};
constexpr Words<Distribution, 3> words(Distribution) {
  return {
      {{"dynamic", Distribution::kDynamic}, {"paper", Distribution::kPaper}, {"elements", Distribution::kElements}}};
}

struct SpreadOptions {
  Distribution distribution = Distribution::kDynamic;
  int threads = 1;  // of each rank
  // On the root rank, while samples are computed: so many of those it computes at a time are done.
  std::function<void(std::int64_t done, std::int64_t of)> watch;
};

// Of the baselines.
struct GridOptions {
  std::array<int, 2> samples = {50, 100};  // along Re s and Im s, both ends among them; undamped: the second alone
  double resolution = 0;                   // of an eigenvalue [1/s]; 0: a millionth of the height
  std::int64_t max_evaluations = 20'000'000;
  SpreadOptions spread;
};

struct ModesOptions {
  Method method = Method::kAuto;
  double max_frequency = 0;  // all below this [rad/s]; 0: as `count` asks
  int count = 10;            // the lowest so many beside free motions, where max_frequency is 0
  double max_decay = 0;      // damped: all with -Re s below this [1/s]; 0: as far as max_frequency
  std::optional<Box> box;    // instead of the three above: the eigenvalues in it alone
  bool shapes = true;
  GridOptions grid;
  std::function<void(int found, int expected)> watch;  // progress, on the root rank
  const std::atomic<bool>* stop = nullptr;             // any rank's: end now, with what is known and `stopped`
};

// By vertex of the structure: x y z rx ry rz [m], [rad]. The largest number is 1, rotations counted in length_unit.
using Shape = std::vector<std::array<std::complex<double>, 6>>;

struct Mode {
  std::complex<double> s;  // [1/s]
  int multiplicity = 1;
  std::array<double, 2> bracket = {0, 0};  // undamped: counts here differ by the multiplicity [rad/s]
  // Relative: the square of the last step, which is what it leaves; of a baseline the resolution of its grid.
  double error = 0;
  std::optional<double> segment_error;          // relative: what segments of tapered bodies cost (results.hpp)
  std::optional<std::complex<double>> tapered;  // the eigenvalue without it, of the tapered bodies themselves [1/s]
  // One for each multiplicity. Of a damped structure at s = 0: one for each free motion, which is a double eigenvalue
  // where nothing damps it.
  std::vector<Shape> shapes;
};

struct ModeSet {
  Method method = Method::kAuto;
  std::vector<Mode> modes;  // by increasing |Im s|, then by Re s; free motions first, with s = 0
  int found = 0;            // in the searched region, with multiplicities; where there is a box, more than `modes` has
  int counted = 0;          // there; of a damped structure with both of each pair, as `found`. 0 of a baseline
  Certainty certainty = Certainty::kNone;
  std::string certificate;  // in words
  double upto = 0;          // the region: frequencies below this [rad/s]
  double decay = 0;         // damped: and -Re s below this [1/s]
  bool damped = false;
  int asked = 0;                 // modes beside free motions, where a number of them was asked for
  bool complete = false;         // the structure has no other modes than those found
  bool stopped = false;          // before its end: modes may be missing
  int free_motions = 0;          // motions without any stiffness: they have s = 0
  std::int64_t counts = 0;       // evaluations without derivative
  std::int64_t evaluations = 0;  // with derivative
  int slices = 0;                // of elements in one evaluation
  int levels = 0;                // of the recursive search
  double seconds = 0;
  double communication_seconds = 0;  // of them in collectives, where a rank waits for others too; mean over the ranks
};

// Which bodies move in free motions, and in which directions: "2 free motions: 'cart' moves (x y)". Empty where there
// are none; how many where shapes were not asked for.
std::string describe_free_motions(const Structure& structure, const ModeSet& set);

// Where fewer modes were found than asked for, a sentence that says so; else empty.
std::string describe_shortage(const ModeSet& set);

}  // namespace espalier::modes
