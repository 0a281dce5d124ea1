#include <algorithm>
#include <cmath>
#include <optional>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/contact/detail/correct.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/contact/detail/stretch.hpp"
#include "espalier/contact/detail/sweep.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

void set(std::array<double, 3>& to, const Vector3d& from) { Eigen::Map<Vector3d>(to.data()) = from; }
void set(std::array<double, 9>& to, const Matrix3d& from) { Eigen::Map<Rows>(to.data()) = from; }

struct Finder {
  const comm::Comm& comm;
  Domain& domain;
  std::vector<Constraint> found, link_rows;

  bool is_mine(const Vector3d& point) const { return cell_of(domain.cells, point) == comm.rank(); }

  const Reaction* last_reaction(const Key& key) const {
    // Impulses of the last step stand by key.
    const auto at = std::lower_bound(domain.reactions.begin(), domain.reactions.end(), key,
                                     [](const Reaction& reaction, const Key& value) { return reaction.key < value; });
    return at != domain.reactions.end() && at->key == key ? &*at : nullptr;
  }

  void add(Constraint constraint) {
    // A warm start: the same pair of features had this impulse in the last step.
    if (const Reaction* last = last_reaction(constraint.key)) constraint.R = last->R;
    if (found.size() == found.capacity()) found.reserve(found.size() + found.size() / 8 + 16);
    found.push_back(constraint);
  }

  void find_joint(const Link& link) {
    const int a = find_body(domain, link.a), b = find_body(domain, link.b);
    // A body that is not here does not reach here: the point of the joint is elsewhere as well.
    if (a < 0 || b < 0) return;
    const Body& on_a = domain.bodies[to_index(a)].body;
    const Body& on_b = domain.bodies[to_index(b)].body;
    // Both bodies may be on several ranks: that in whose cell the point lies has the rows.
    if (!is_mine(link_point(link, on_a, on_b))) return;
    link_rows.clear();
    make_link_rows(domain, link, on_a, on_b, link_rows);
    for (const Constraint& row : link_rows) add(row);
  }

  // What rebounds is not slowed down before it arrives: the contact is made in the step in which the gap closes. What
  // comes to rest, no faster than its weight in two steps, is met before.
  bool waits(const Constraint& contact, const Body& master, const Body& slave) const {
    if (contact.restitution <= 0 || contact.gap <= 0) return false;
    const double h = domain.settings.step, rest = 2 * h * h * domain.gravity.norm();
    const double V = relative_velocity(contact, master, slave, master.state.u, slave.state.u).z();
    return contact.gap > rest && contact.gap + h * V > 0;
  }

  bool may_touch(const LocalBody& a, const LocalBody& b) const {
    if (!a.shapes || !b.shapes || (is_obstacle(a) && is_obstacle(b))) return false;
    const std::pair pair(static_cast<std::int32_t>(a.body.id), static_cast<std::int32_t>(b.body.id));
    const auto& excluded = domain.body_data.excluded;
    // Pairs are listed both ways: it does not matter who is named first.
    if (std::binary_search(excluded.begin(), excluded.end(), pair)) return false;
    // Contacts lie where both reach; elsewhere they are another rank's.
    const geometry::Box& cell = domain.cells.boxes[to_index(comm.rank())];
    const Vector3d low = a.reach.low.cwiseMax(b.reach.low).cwiseMax(cell.low);
    const Vector3d high = a.reach.high.cwiseMin(b.reach.high).cwiseMin(cell.high);
    return (low.array() <= high.array()).all();
  }

  // One pair of shapes: which bodies they are of, and how far these go until the next mid step.
  struct Pair {
    const LocalBody& master;
    const LocalBody& slave;
    const SceneShape& on_master;
    const SceneShape& on_slave;
    std::uint32_t part = 0;
    Vector3d way_of_master, way_of_slave;
    double share = 0;  // of their ways, after which they touch
  };

  void add_contact(const Pair& pair, const geometry::Touch& touch) {
    // Other ranks have found this point as well; the one whose cell it is in keeps it.
    if (!is_mine(touch.point)) return;
    Constraint contact;
    contact.key = {static_cast<std::int32_t>(pair.master.body.id), static_cast<std::int32_t>(pair.slave.body.id),
                   pair.part, touch.feature};
    set(contact.point, touch.point);
    set(contact.axes, contact_axes(touch.normal));
    set(contact.on_master, material_point(pair.master.body, touch.point - pair.share * pair.way_of_master));
    set(contact.on_slave, material_point(pair.slave.body, touch.point - pair.share * pair.way_of_slave));
    contact.friction = pair_friction(pair.on_master.friction, pair.on_slave.friction);
    contact.restitution = pair_restitution(pair.on_master.restitution, pair.on_slave.restitution);
    contact.gap = touch.gap;
    contact.allowed = allowed_overlap(pair.on_master, pair.on_slave);
    if (pair.share > 0) {
      // The gap along the normal that they will meet with. Sliding past each other is no meeting.
      const double closing = -touch.normal.dot(pair.way_of_master - pair.way_of_slave);
      if (closing <= 0) return;
      contact.gap += pair.share * closing;
    }
    if (!waits(contact, pair.master.body, pair.slave.body)) add(contact);
  }

  void find_contacts(const LocalBody& a, const LocalBody& b) {
    // What stands is the slave: the master always moves.
    const LocalBody& master = is_obstacle(a) ? b : a;
    const LocalBody& slave = is_obstacle(a) ? a : b;
    const math::Pose of_master = mid_pose(master.body), of_slave = mid_pose(slave.body);
    const BodyShapes& of_one = shapes_of(master);
    const BodyShapes& of_other = shapes_of(slave);
    const double h = domain.settings.step;
    const bool fast = is_fast(a, h) || is_fast(b, h);
    for (std::size_t i = 0; i < of_one.size(); ++i) {
      for (std::size_t j = 0; j < of_other.size(); ++j) {
        Pair pair{master,
                  slave,
                  of_one[i],
                  of_other[j],
                  static_cast<std::uint32_t>(i) << 16 | static_cast<std::uint32_t>(j),
                  way_of(master, h),
                  way_of(slave, h)};
        const Moving one{of_one[i].geometry, of_master * of_one[i].pose, pair.way_of_master};
        const Moving other{of_other[j].geometry, of_slave * of_other[j].pose, pair.way_of_slave};
        domain.touches.clear();
        geometry::collide(one.geometry, one.pose, other.geometry, other.pose, domain.margin, domain.touches);
        // What does not touch yet may be passed before the next look.
        if (fast && domain.touches.empty()) {
          const std::optional<double> share = first_touch(one, other, domain.margin, domain.touches);
          if (!share) continue;
          pair.share = *share;
        }
        for (const geometry::Touch& touch : domain.touches) add_contact(pair, touch);
      }
    }
  }
};

}  // namespace

Matrix3d contact_axes(const Vector3d& n) {
  // Across the axis that n is farthest from: the product is never short.
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vector3d t1 = n.cross(Vector3d::Unit(least)).normalized();
  Matrix3d axes;
  axes << t1.transpose(), n.cross(t1).transpose(), n.transpose();
  return axes;
}

void find_near(Domain& domain) {
  std::vector<geometry::Box> boxes;
  boxes.reserve(domain.bodies.size());
  for (const LocalBody& local : domain.bodies) boxes.push_back(local.reach);
  geometry::find_pairs(boxes, domain.broad);
}

void find_constraints(const comm::Comm& comm, Domain& domain) {
  // 3.1 Joints, whose rows are the same in every step.
  // In the memory of the last step's: nobody asks for those any more.
  Finder finder{comm, domain, std::move(domain.constraints), {}};
  finder.found.clear();
  for (const Link& link : domain.body_data.links) finder.find_joint(link);
  // 3.2 Shapes as they are stretched: those of ghosts too, since only their numbers travel.
  for (LocalBody& local : domain.bodies) {
    if (local.owner != comm.rank() || !local.stretched) stretch_shapes(local);
  }
  // 3.3 Contacts of pairs whose boxes overlap.
  for (const std::array<int, 2>& pair : domain.broad.pairs) {
    const LocalBody& a = domain.bodies[to_index(pair[0])];
    const LocalBody& b = domain.bodies[to_index(pair[1])];
    if (finder.may_touch(a, b)) finder.find_contacts(a, b);
  }
  domain.constraints = std::move(finder.found);
}

}  // namespace espalier::contact::detail
