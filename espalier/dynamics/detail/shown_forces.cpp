#include "espalier/dynamics/detail/shown_forces.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <variant>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using Eigen::Vector3d;
using math::Pose;
using math::SpatialVector;

Pose frame_a(const JointPlace& place, const LinkArrays& links) { return links.pose[to_index(place.a)] * place.X_LA; }
Pose frame_b(const JointPlace& place, const LinkArrays& links) { return links.pose[to_index(place.b)] * place.X_LB; }

// The numbers of the model's forces, one after the other. Laws of each kind stand in the order of the model's forces.
struct Writer {
  const System& system;
  double time;
  const LinkArrays& links;
  const Eigen::VectorXd& lambda;
  double* to;
  std::size_t spring = 0, frame = 0, drive = 0;

  void operator()(const model::Spring&) { *to++ = spring_tension(system->laws.springs[spring++], links); }

  void operator()(const model::Bushing&) {
    const std::vector<FrameLaw>& laws = system->laws.frames;
    // Those of joints stand among them.
    while (laws[frame].place.joint.valid()) ++frame;
    const FrameLaw& law = laws[frame++];
    const SpatialVector on_b = frame_wrench(law, links);
    const Vector3d force = on_b.tail<3>();
    const Eigen::Quaterniond to_a = frame_a(law.place, links).rotation.conjugate();
    const Vector3d couple = on_b.head<3>() - frame_b(law.place, links).position.cross(force);
    put(to_a * force);
    put(to_a * couple);
  }

  void operator()(const model::Load& load) {
    std::array<double, 3> value{};
    const std::size_t count = load.value.size();
    for (std::size_t k = 0; k < count; ++k) value[k] = model::evaluate(load.value[k], time, links.watched);
    if (!load.body.valid() || !load.in_body) {
      to = std::copy_n(value.begin(), count, to);
      return;
    }
    const BodyPlace& place = system->body_places[load.body.index()];
    put((links.pose[to_index(place.link)] * place.X_LB).rotation * Vector3d(value.data()));
  }

  // The multiplier of its equation, whose ratio is 1.
  void operator()(const model::Motion&) { *to++ = lambda[system->drives[drive++].row]; }

  void put(const Vector3d& numbers) { to = std::copy(numbers.begin(), numbers.end(), to); }
};

}  // namespace

ShownForces::ShownForces(const System& system) {
  std::size_t efforts = 0;
  for (const model::Joint& joint : system->model.joints) {
    first_effort_.push_back(efforts);
    efforts += to_index(model::joint_kind(joint.type).freedom);
  }
  drive.resize(efforts);
  passive.resize(efforts);
  const std::vector<model::Force>& forces = system->model.forces;
  force.resize(std::accumulate(forces.begin(), forces.end(), std::size_t{0}, [](std::size_t sum, const auto& one) {
    return sum + to_index(model::force_size(one));
  }));
}

void ShownForces::fill(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const LinkArrays& links, const Eigen::VectorXd& lambda) {
  std::fill(drive.begin(), drive.end(), 0);
  std::fill(passive.begin(), passive.end(), 0);
  add_passive(system, q, v, links);
  add_drives(system, time, q, v, links, lambda);
  Writer writer{system, time, links, lambda, force.data()};
  for (const model::Force& one : system->model.forces) std::visit(writer, one.law);
}

void ShownForces::add_passive(const System& system, std::span<const double> q, std::span<const double> v,
                              const LinkArrays& links) {
  for (const JointLaw& law : system->laws.joints) {
    const std::array<double, 3> efforts = joint_efforts(system, law, q, v, links);
    std::copy_n(efforts.begin(), law.count, of_joint(law.place.joint, passive));
  }
  for (const FrameLaw& law : system->laws.frames) {
    if (!law.place.joint.valid()) continue;
    const SpatialVector on_b = frame_wrench(law, links);
    const MotionSubspace motion =
        motion_subspace(law.place.type, law.place.pitch, frame_a(law.place, links), frame_b(law.place, links));
    double* effort = of_joint(law.place.joint, passive);
    // What does the same work on the joint's velocities.
    for (int k = 0; k < motion.s.count; ++k) effort[k] = motion.s.column.col(k).dot(on_b);
  }
}

void ShownForces::add_drives(const System& system, double time, std::span<const double> q, std::span<const double> v,
                             const LinkArrays& links, const Eigen::VectorXd& lambda) {
  for (const JointLoad& load : system->laws.joint_loads)
    *of_joint(load.place.joint, drive) += model::evaluate(load.effort, time, links.watched);
  for (const Drive& one : system->drives) {
    const DriveRow row = drive_row(one, time, q, v, links);
    for (std::size_t k = 0; k < one.terms.size(); ++k)
      *of_joint(one.terms[k].place.joint, drive) += lambda[one.row] * term_slope(one, row, k);
  }
}

}  // namespace espalier::dynamics::detail
