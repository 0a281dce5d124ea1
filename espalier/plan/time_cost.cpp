#include "espalier/plan/schedule.hpp"

#include "espalier/plan/detail/time_tree.hpp"

namespace espalier::plan {

WorkCount count_work(const Plan& plan) {
  // The counts are the same for every machine and any number of workers.
  detail::TimeTree tree(plan.network, plan.half_bodies, {}, 1);
  tree.set(plan.tree);
  return tree.count();
}

PredictedTime predicted_time(const Plan& plan, const MachineConstants& machine, int workers) {
  detail::TimeTree tree(plan.network, plan.half_bodies, machine, workers);
  tree.set(plan.tree);
  WorkCount recursion;
  WorkCount loops = tree.count();
  // S1 is what a tree without loops would take; all other parts are of the loops.
  for (const Work work : {Work::kJoint, Work::kCoordinate}) std::swap(recursion[work], loops[work]);
  return {time_of(recursion, machine), time_of(loops, machine), tree.path(), tree.time()};
}

}  // namespace espalier::plan
