// Lets a masonry arch without mortar stand under its own weight, and asks what its feet carry.
//
// Run from the repository root: build/dev/bin/example_07_contact, or under mpirun: the numbers are the same.
//
// Prints:
//   11 stones, 12 joints that touch: yes
//   the abutments carry the weight to 1e-3: yes
//   steps that did not converge: 0

#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/model/generate.hpp"

using namespace espalier;

int main() {
  const comm::Session session;
  const comm::Comm comm = comm::Comm::world();
  const int stones = 11;
  const Result<model::Model> model = model::generate_arch(stones, 0.12).and_then(model::compile);
  const Result<contact::Scene> scene = model.and_then(contact::make_scene);
  if (!scene) return std::fprintf(stderr, "%s\n", to_string(scene.error()).c_str()), 2;

  double weight = 0, carried = 0;
  for (const contact::Body& body : scene->bodies) weight += body.constants.mass * -scene->gravity.z();
  std::set<std::pair<int, int>> touching;
  const auto look = [&](const model::Frame& frame) {
    touching.clear();
    carried = 0;
    for (const model::ContactPoint& point : frame.contacts) {
      touching.emplace(point.master, point.slave);
      const contact::Body& slave = scene->bodies[static_cast<std::size_t>(point.slave)];
      if (slave.constants.kind == contact::Kind::kObstacle) carried += point.force[2];
    }
    return true;
  };
  contact::SimulateOptions options;
  options.settings.step = 5e-3;  // [s]
  options.run.end_time = 0.25;       // [s]
  const contact::RunStatus run = contact::simulate(comm, *scene, contact::start_run(*scene), look, options);
  if (!comm.is_root()) return 0;
  std::printf("%d stones, 12 joints that touch: %s\n", stones, touching.size() == 12 ? "yes" : "no");
  std::printf("the abutments carry the weight to 1e-3: %s\n",
              std::abs(carried - weight) < 1e-3 * weight ? "yes" : "no");
  std::printf("steps that did not converge: %d\n", static_cast<int>(run.unconverged));
}
