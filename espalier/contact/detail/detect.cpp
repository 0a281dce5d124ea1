#include <algorithm>
#include <cmath>

#include "espalier/base/check.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

void set(std::array<double, 3>& to, const Vector3d& from) { Eigen::Map<Vector3d>(to.data()) = from; }
void set(std::array<double, 9>& to, const Matrix3d& from) { Eigen::Map<Rows>(to.data()) = from; }
Quaterniond quaternion(const std::array<double, 4>& q) { return {q[0], q[1], q[2], q[3]}; }

bool stands(const Present& present) { return present.body.constants.kind == Kind::kObstacle; }

// Rows t1, t2, n. A function of n alone.
Matrix3d contact_axes(const Vector3d& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vector3d t1 = n.cross(Vector3d::Unit(least)).normalized();
  Matrix3d axes;
  axes << t1.transpose(), n.cross(t1).transpose(), n.transpose();
  return axes;
}

struct Finder {
  const comm::Comm& comm;
  Domain& domain;
  std::vector<Constraint> found;

  bool is_mine(const Vector3d& point) const { return cell_of(domain.cells, point) == comm.rank(); }

  const Reaction* last_reaction(const Key& key) const {
    const auto at = std::lower_bound(domain.reactions.begin(), domain.reactions.end(), key,
                                     [](const Reaction& reaction, const Key& value) { return reaction.key < value; });
    return at != domain.reactions.end() && at->key == key ? &*at : nullptr;
  }

  void add(Constraint constraint) {
    if (const Reaction* last = last_reaction(constraint.key)) constraint.R = last->R;
    found.push_back(constraint);
  }

  // A joint belongs to the cell of its point on the body that moves; both bodies reach there.
  void find_joint(const Link& link) {
    const int a = find_body(domain, link.a), b = find_body(domain, link.b);
    if (a < 0 || b < 0) return;
    const Present& on_a = domain.bodies[static_cast<std::size_t>(a)];
    const Present& on_b = domain.bodies[static_cast<std::size_t>(b)];
    const bool turned = stands(on_a);
    const Present& master = turned ? on_b : on_a;
    const Present& slave = turned ? on_a : on_b;
    const Vector3d on_master(turned ? link.on_b.data() : link.on_a.data());
    const Vector3d on_slave(turned ? link.on_a.data() : link.on_b.data());
    const Vector3d point = place(master.body, master.body.q_mid, on_master);
    if (!is_mine(point)) return;
    Constraint joint;
    joint.law = Law::kPoint;
    joint.key = {static_cast<std::int32_t>(master.body.id), static_cast<std::int32_t>(slave.body.id),
                 kJoint + 2 * static_cast<std::uint32_t>(link.number), 0};
    const Quaterniond F = mid_pose(on_a.body).rotation * quaternion(link.turn_a);
    const Quaterniond M = mid_pose(on_b.body).rotation * quaternion(link.turn_b);
    const double rate = domain.settings.joint_correction / domain.settings.step;
    set(joint.point, point);
    set(joint.on_master, on_master);
    set(joint.on_slave, on_slave);
    Matrix3d axes = F.toRotationMatrix().transpose();
    set(joint.axes, axes);
    joint.held = link.held_point;
    set(joint.bias, rate * (axes * (point - place(slave.body, slave.body.q_mid, on_slave))));
    if (link.held_point[0] || link.held_point[1] || link.held_point[2]) add(joint);
    if (!link.held_turn[0] && !link.held_turn[1] && !link.held_turn[2]) return;
    joint.turn = true;
    joint.key.part += 1;
    joint.held = link.held_turn;
    if (link.universal) axes = universal_axes(F, M);
    set(joint.axes, axes);
    set(joint.bias, (turned ? rate : -rate) * (axes * turning_gap(link, F, M)));
    add(joint);
  }

  // The third row is along x of F cross y of M.
  static Matrix3d universal_axes(const Quaterniond& F, const Quaterniond& M) {
    return contact_axes((F * Vector3d::UnitX()).cross(M * Vector3d::UnitY()).normalized());
  }

  // How far M is turned from F in the directions that are held, as a vector in the world.
  static Vector3d turning_gap(const Link& link, const Quaterniond& F, const Quaterniond& M) {
    if (link.universal) {
      const Vector3d x = F * Vector3d::UnitX(), y = M * Vector3d::UnitY();
      return -x.dot(y) * x.cross(y).normalized();
    }
    if (link.held_turn[2]) {
      Quaterniond turn = M * F.conjugate();
      if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
      return 2 * turn.vec();
    }
    return (F * Vector3d::UnitZ()).cross(M * Vector3d::UnitZ());
  }

  bool may_touch(const Present& a, const Present& b) const {
    if (!a.look || !b.look || (stands(a) && stands(b))) return false;
    const std::pair pair(static_cast<std::int32_t>(a.body.id), static_cast<std::int32_t>(b.body.id));
    const auto& apart = domain.belongings.apart;
    if (std::binary_search(apart.begin(), apart.end(), pair)) return false;
    // Contacts lie where both reach; elsewhere they are another rank's.
    const Box& cell = domain.cells.boxes[static_cast<std::size_t>(comm.rank())];
    const Vector3d low = a.reach.low.cwiseMax(b.reach.low).cwiseMax(cell.low);
    const Vector3d high = a.reach.high.cwiseMin(b.reach.high).cwiseMin(cell.high);
    return (low.array() <= high.array()).all();
  }

  void find_contacts(const Present& a, const Present& b) {
    const Present& master = stands(a) ? b : a;
    const Present& slave = stands(a) ? a : b;
    const math::Pose of_master = mid_pose(master.body), of_slave = mid_pose(slave.body);
    for (std::size_t i = 0; i < master.look->size(); ++i) {
      for (std::size_t j = 0; j < slave.look->size(); ++j) {
        const SceneShape& on_master = (*master.look)[i];
        const SceneShape& on_slave = (*slave.look)[j];
        domain.touches.clear();
        collide(on_master.geometry, of_master * on_master.pose, on_slave.geometry, of_slave * on_slave.pose,
                domain.margin, domain.touches);
        for (const Touch& touch : domain.touches) {
          if (!is_mine(touch.point)) continue;
          Constraint contact;
          contact.key = {static_cast<std::int32_t>(master.body.id), static_cast<std::int32_t>(slave.body.id),
                         static_cast<std::uint32_t>(i) << 16 | static_cast<std::uint32_t>(j), touch.feature};
          set(contact.point, touch.point);
          set(contact.axes, contact_axes(touch.normal));
          set(contact.on_master, material_point(master.body, touch.point));
          set(contact.on_slave, material_point(slave.body, touch.point));
          contact.friction = pair_friction(on_master.friction, on_slave.friction);
          contact.restitution = pair_restitution(on_master.restitution, on_slave.restitution);
          contact.gap = touch.gap;
          add(contact);
        }
      }
    }
  }
};

}  // namespace

void find_constraints(const comm::Comm& comm, Domain& domain) {
  Finder finder{comm, domain, {}};
  for (const Link& link : domain.belongings.links) finder.find_joint(link);
  std::vector<Box> boxes;
  boxes.reserve(domain.bodies.size());
  for (const Present& present : domain.bodies) boxes.push_back(present.reach);
  find_pairs(boxes, domain.broad);
  for (const std::array<int, 2>& pair : domain.broad.pairs) {
    const Present& a = domain.bodies[static_cast<std::size_t>(pair[0])];
    const Present& b = domain.bodies[static_cast<std::size_t>(pair[1])];
    if (finder.may_touch(a, b)) finder.find_contacts(a, b);
  }
  domain.constraints = std::move(finder.found);
}

}  // namespace espalier::contact::detail
