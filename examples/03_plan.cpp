// Plans the flyball governor in three ways: which joints are cut, what that costs, and how good it is.
//
// Run from the repository root: build/dev/bin/example_03_plan [FILE]
//
// Prints:
//   on the ground: cuts ball_right ball_left; cost 12, at least 12; 14 equations; optimal
//   on any root: cuts ball_right ball_left; cost 10, at least 10; 26 equations; optimal
//   depth first: cuts pin_right pin_left; cost 19, at least 12; 22 equations; not proved: dfs looks for no proof
//   ball_right is cut because it is the heaviest of its loop

#include <cstdio>

#include "espalier/formats/formats.hpp"
#include "espalier/plan/explain.hpp"

using namespace espalier;

namespace {

void print(const char* name, const plan::Plan& plan) {
  std::printf("%s: cuts", name);
  for (const int joint : plan.cut) std::printf(" %s", plan::edge_name(plan.network, joint).c_str());
  std::printf("; cost %g, at least %g; %d equations; %s\n", plan.cost, plan.lower_bound, plan.equations.value_or(0),
              plan.optimal ? "optimal" : plan.proof.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const Result<model::ModelSpec> spec = formats::read_model(argc > 1 ? argv[1] : "models/governor.yaml");
  const Result<model::Model> model = spec.and_then(model::compile);
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.error()).c_str()), 2;

  // Without options: the critical branch + 1 x the weight of the tree, on the ground, proved where that is possible. A
  // free root shortens the branch; the six coordinates and six equations it brings are counted in N, not in the cost.
  plan::PlanOptions any_root;
  any_root.free_root = true;
  plan::PlanOptions depth_first;
  depth_first.method = plan::Method::kDfs;
  for (const auto& [name, options] :
       {std::pair("on the ground", plan::PlanOptions()), {"on any root", any_root}, {"depth first", depth_first}}) {
    const Result<plan::Plan> plan = plan::make_plan(*model, options);
    if (!plan) return std::fprintf(stderr, "%s\n", to_string(plan.error()).c_str()), 2;
    print(name, *plan);
  }

  const Result<plan::Plan> plan = plan::make_plan(*model);
  for (const plan::CutExplanation& cut : plan::explain_cuts(*plan, {}, {.cuts = 1})) {
    std::printf("%s is cut because %s\n", plan::edge_name(plan->network, cut.edge).c_str(),
                plan::reason_text(*plan, cut).c_str());
  }
}
