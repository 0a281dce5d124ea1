// The front door's functions, apart from its types, which the files of detail/ need as well.

#include "espalier/comm/collectives.hpp"
#include "espalier/optimize/detail/check_problem.hpp"
#include "espalier/optimize/detail/evaluator.hpp"
#include "espalier/optimize/detail/genetic.hpp"
#include "espalier/optimize/detail/pagmo_search.hpp"
#include "espalier/optimize/detail/run_search.hpp"
#include "espalier/optimize/detail/share.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize {

namespace {

using detail::Evaluator;
using detail::Step;

Result<Step> make_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator) {
  if (options.algorithm == Algorithm::kGenetic) return detail::genetic_step(problem, options, evaluator);
  return detail::pagmo_step(problem, options, evaluator);
}

}  // namespace

Result<void> check_search(const Problem& problem, const SearchOptions& options) {
  const Result<void> sound = detail::check_problem(problem);
  ESPALIER_TRY(sound);
  return detail::check_options(problem, options);
}

Result<Search> find_best(const comm::Comm& comm, const Problem& problem, const SearchOptions& options) {
  const Result<void> sound = comm::agree(comm, check_search(problem, options));
  ESPALIER_TRY(sound);
  Evaluator evaluator(comm, problem, options);
  // A search that one rank cannot begin is begun by none, else the others would wait for its share.
  const Result<Step> step = comm::agree(comm, make_step(problem, options, evaluator));
  ESPALIER_TRY(step);
  Search search;
  if (comm.is_root()) {
    // The root decides; between two of its questions the others have nothing to do.
    search = detail::run_search(problem, options, evaluator, *step);
    evaluator.finish();
  } else {
    evaluator.serve();
  }
  return detail::share(comm, std::move(search));
}

}  // namespace espalier::optimize
