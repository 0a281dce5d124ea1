#include "espalier/optimize/optimize.hpp"

#include "espalier/comm/agree.hpp"
#include "espalier/optimize/detail/check_problem.hpp"
#include "espalier/optimize/detail/evaluator.hpp"
#include "espalier/optimize/detail/genetic.hpp"
#include "espalier/optimize/detail/pagmo_search.hpp"
#include "espalier/optimize/detail/run_search.hpp"
#include "espalier/optimize/detail/share.hpp"

namespace espalier::optimize {

namespace {

Result<Step> make_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator) {
  if (options.algorithm == Algorithm::kGenetic) return genetic_step(problem, options, evaluator);
  return pagmo_step(problem, options, evaluator);
}

}  // namespace

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

Result<void> check_search(const Problem& problem, const SearchOptions& options) {
  const Result<void> sound = check_problem(problem);
  ESPALIER_TRY(sound);
  return check_options(problem, options);
}

Result<Search> find_best(const comm::Comm& comm, const Problem& problem, const SearchOptions& options) {
  const Result<void> sound = comm::agree(comm, check_search(problem, options));
  ESPALIER_TRY(sound);
  Evaluator evaluator(comm, problem, options);
  const Result<Step> step = comm::agree(comm, make_step(problem, options, evaluator));
  ESPALIER_TRY(step);
  Search search;
  if (comm.is_root()) {
    search = run_search(problem, options, evaluator, *step);
    evaluator.finish();
  } else {
    evaluator.serve();
  }
  return share(comm, std::move(search));
}

}  // namespace espalier::optimize
