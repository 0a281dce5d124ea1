#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize {

const char* word(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kGenetic:
      return "genetic";
    case Algorithm::kNsga2:
      return "nsga2";
    case Algorithm::kPso:
      return "pso";
    case Algorithm::kAco:
      return "aco";
    case Algorithm::kCmaes:
      return "cmaes";
    case Algorithm::kDe:
      return "de";
  }
  return "unknown";
}

}  // namespace espalier::optimize
