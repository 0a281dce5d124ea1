#include <memory>

#include "bench/peers/program.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace bench {
namespace {

namespace dynamics = espalier::dynamics;
using Eigen::Vector3d;

struct Ours {
  explicit Ours(const dynamics::System& given) : system(given), work(given), v(given.drawn_rate) {}

  const dynamics::System& system;
  dynamics::Workspace work;
  std::vector<double> v;
};

// From the spatial acceleration about the world's origin to that of the link's own point.
LinkAcceleration of_origin(const dynamics::LinkArrays& links, std::size_t link) {
  const Vector3d p = links.pose[link].position;
  const Vector3d w = links.velocity[link].head<3>();
  const Vector3d alpha = links.acceleration[link].head<3>();
  const Vector3d v = links.velocity[link].tail<3>() + w.cross(p);
  return {alpha, links.acceleration[link].tail<3>() + alpha.cross(p) + w.cross(v)};
}

void forward(Ours& ours, double factor) {
  for (std::size_t k = 0; k < ours.v.size(); ++k) ours.v[k] = factor * ours.system.drawn_rate[k];
  dynamics::evaluate(ours.system, 0, ours.system.drawn, ours.v, ours.work);
}

}  // namespace

Program make_espalier(const dynamics::System& system) {
  Program program;
  program.name = "espalier";
  const double before = allocated_bytes();
  const auto copy = std::make_shared<const dynamics::System>(system);
  const auto ours = std::make_shared<Ours>(*copy);
  program.bytes = allocated_bytes() - before;
  program.forward = [copy, ours](double factor) { forward(*ours, factor); };
  program.accelerations = [copy, ours] {
    std::vector<LinkAcceleration> result;
    for (std::size_t k = 0; k < ours->system.links.size(); ++k) result.push_back(of_origin(ours->work.links, k));
    return result;
  };
  return program;
}

}  // namespace bench
