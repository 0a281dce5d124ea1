#include "espalier/dynamics/detail/motion.hpp"

#include <algorithm>

#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d to_eigen(const Vec<double>& v) { return {v.x, v.y, v.z}; }
Matrix3d to_eigen(const Turn<double>& t) {
  Matrix3d m;
  m << t.x.x, t.y.x, t.z.x, t.x.y, t.y.y, t.z.y, t.x.z, t.y.z, t.z.z;
  return m;
}

namespace {

// The kernel's frame is frame B of the joint, its point the origin of B.
math::Pose link_pose(const Link& link, const LinkState<double>& state) {
  return math::Pose{to_eigen(state.o), Eigen::Quaterniond(to_eigen(state.turn))} * link.X_LB.inverse();
}

}  // namespace

void export_link(const Link& link, std::size_t i, const LinkState<double>& state, LinkArrays& links) {
  links.pose[i] = link_pose(link, state);
  links.velocity[i].head<3>() = to_eigen(state.w);
  // The kernel has the velocity of the link's point, the rest of the room that of the world's origin.
  links.velocity[i].tail<3>() = to_eigen(state.velocity - cross(state.w, state.o));
}

Pair<double> outer_wrench(const LinkState<double>& state, const math::SpatialVector& force) {
  const Vec<double> linear{force[3], force[4], force[5]};
  return {Vec<double>{force[0], force[1], force[2]} - cross(state.o, linear), linear};
}

bool has_laws(const System& system) {
  const Laws& laws = system->laws;
  return system->callback || !laws.springs.empty() || !laws.frames.empty() || !laws.joints.empty() ||
         !laws.joint_loads.empty() || !laws.body_loads.empty();
}

// Laws on coordinates of the tree need no link.
std::vector<int> touched_links(const System& system) {
  std::vector<int> touched;
  const auto touch = [&](int a, int b) { touched.insert(touched.end(), {a, b}); };
  const auto touch_cut = [&](const JointPlace& place) {
    if (place.link < 0) touch(place.a, place.b);
  };
  for (const PointSpring& law : system->laws.springs) touch(law.a, law.b);
  for (const FrameLaw& law : system->laws.frames) touch(law.place.a, law.place.b);
  for (const BodyLoad& law : system->laws.body_loads) touch(law.link, law.link);
  // A joint of several coordinates that runs backwards is measured from its frames.
  for (const JointLaw& law : system->laws.joints) {
    law.count > 1 ? touch(law.place.a, law.place.b) : touch_cut(law.place);
  }
  for (const Watched& watched : system->laws.watched) {
    const bool alone = model::joint_kind(watched.place.type).freedom == 1;
    alone ? touch_cut(watched.place) : touch(watched.place.a, watched.place.b);
  }
  for (const JointLoad& law : system->laws.joint_loads) touch_cut(law.place);
  for (const Drive& drive : system->drives) {
    for (const DriveTerm& term : drive.terms) touch_cut(term.place);
  }
  if (system->callback) {
    for (int i = 1; i < static_cast<int>(system->links.size()); ++i) touched.push_back(i);
  }
  std::sort(touched.begin(), touched.end());
  // Each once: to bring a link out of the kernel costs as much as a small force.
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (!touched.empty() && touched.front() == 0) touched.erase(touched.begin());
  return touched;
}

}  // namespace espalier::dynamics::detail
