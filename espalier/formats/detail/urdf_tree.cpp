#include <functional>
#include <queue>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

bool is_tree_candidate(const UrdfJoint& joint) { return std::string_view(joint.element->Name()) != "loop"; }

std::vector<bool> find_children(const UrdfRobot& robot) {
  // A <loop> makes no child: it only closes what joints have placed.
  std::vector<bool> is_child(robot.links.size(), false);
  for (const UrdfJoint& joint : robot.joints) {
    if (is_tree_candidate(joint)) is_child[joint.child] = true;
  }
  return is_child;
}

// 'world' without an inertial is the ground; where there is none, a root called 'ground' is. Any other link called
// 'ground' gets another name, as 'ground' is taken in every model.
void find_ground(UrdfRobot& robot, const std::vector<bool>& is_child) {
  const auto index_of = [&](const char* name) {
    const auto entry = robot.link_index.find(name);
    return entry == robot.link_index.end() ? -1 : entry->second;
  };
  const int world = index_of("world");
  const int ground = index_of(model::kGround);
  // With mass, a link 'world' is a body that happens to have this name.
  const bool world_is_ground = world >= 0 && !robot.links[world].has_inertial;
  const bool ground_is_ground =
      !world_is_ground && ground >= 0 && !robot.links[ground].has_inertial && !is_child[ground];
  if (world_is_ground || ground_is_ground) {
    UrdfLink& link = robot.links[world_is_ground ? world : ground];
    link.is_ground = true;
    link.body.name = model::kGround;
    // Whatever was written of its weight, the ground has none.
    link.body.mass.reset();
    link.body.com.reset();
    link.body.inertia.reset();
  }
  if (ground < 0 || ground_is_ground) return;
  std::string name = "ground_link";
  // A name that no link of the file has.
  while (robot.link_index.contains(name)) name += "_";
  robot.links[ground].body.name = name;
  robot.xml.note(robot.links[ground].element,
                 fmt::format("link 'ground' is read as {}: 'ground' means the world here", in_quotes(name)));
}

// Each link is placed by its first joint; where that alone leaves a ring of links unreached, by the first joint (in
// file order) that leads into the ring. O(joints log joints).
class Placer {
 public:
  explicit Placer(UrdfRobot& robot) : robot_(robot), first_(robot.links.size(), -1), leaving_(robot.links.size()) {
    for (int j = 0; j < static_cast<int>(robot.joints.size()); ++j) {
      const UrdfJoint& joint = robot.joints[j];
      if (!is_tree_candidate(joint)) continue;
      // By parent: the walk goes outward from the roots.
      leaving_[joint.parent].push_back(j);
      // The first joint in file order decides, so that the same file always gives the same drawn pose.
      if (first_[joint.child] < 0) first_[joint.child] = j;
    }
    placed_.assign(robot.links.size(), false);
  }

  // Places all that hangs on these roots.
  void run(const std::vector<int>& roots) {
    for (const int root : roots) {
      // A root stands at the origin, as URDF has it.
      placed_[root] = true;
      follow(root);
    }
    // The queue gives the earliest joint first, whichever link was reached last.
    while (!detours_.empty()) {
      const int j = detours_.top();
      detours_.pop();
      if (!placed_[robot_.joints[j].child]) {
        place(j);
        follow(robot_.joints[j].child);
      }
    }
  }

  bool placed(int link) const { return placed_[link]; }

 private:
  void place(int j) {
    const UrdfJoint& joint = robot_.joints[j];
    const UrdfLink& parent = robot_.links[joint.parent];
    UrdfLink& link = robot_.links[joint.child];
    link.placed_by = j;
    // Couplings over paths climb by it to the lowest common link.
    link.depth = parent.depth + 1;
    link.body.pose = parent.body.pose * joint.origin;
    // Products of quaternions drift from unit length along a chain.
    link.body.pose.rotation = math::normalised(link.body.pose.rotation);
    placed_[joint.child] = true;
  }

  void follow(int start) {
    // Without recursion: a chain may have as many links as the file.
    std::vector<int> stack = {start};
    while (!stack.empty()) {
      const int link = stack.back();
      stack.pop_back();
      for (const int j : leaving_[link]) {
        const int child = robot_.joints[j].child;
        if (placed_[child]) continue;
        // Another joint comes first for this link: it may still be reached by that one.
        if (first_[child] != j) {
          detours_.push(j);
          continue;
        }
        place(j);
        stack.push_back(child);
      }
    }
  }

  UrdfRobot& robot_;
  std::vector<int> first_;                 // the first joint with this child
  std::vector<std::vector<int>> leaving_;  // the joints with this parent
  std::vector<bool> placed_;
  std::priority_queue<int, std::vector<int>, std::greater<>> detours_;
};

void refuse_second_root(UrdfRobot& robot, const UrdfLink& first, const UrdfLink& second) {
  robot.xml.fail(ErrorCode::kTopology, second.element,
                 fmt::format("two links are no joint's child: {} (line {}) and {}; a robot has one root: join one to "
                             "the other, or both to a <link name=\"world\"/>",
                             in_quotes(first.body.name), first.body.where.line, in_quotes(second.body.name)));
}

// The ground first, then the one link that is no joint's child.
std::vector<int> find_roots(UrdfRobot& robot, const std::vector<bool>& is_child) {
  std::vector<int> roots;
  int free_root = -1;
  for (int i = 0; i < static_cast<int>(robot.links.size()); ++i) {
    const UrdfLink& link = robot.links[i];
    if (link.is_ground && is_child[i]) {
      robot.xml.fail(ErrorCode::kTopology, link.element,
                     fmt::format("link {} is the world and cannot be a joint's child; make it the parent",
                                 in_quotes(robot.xml.text(link.element, "name"))));
    }
    if (link.is_ground) roots.insert(roots.begin(), i);
    // A ring without an entry has no root of its own; check_all_placed() tells of it.
    if (link.is_ground || is_child[i]) continue;
    if (free_root >= 0) refuse_second_root(robot, robot.links[free_root], link);
    free_root = i;
    roots.push_back(i);
  }
  return roots;
}

void check_all_placed(UrdfRobot& robot, const Placer& placer) {
  for (int i = 0; i < static_cast<int>(robot.links.size()); ++i) {
    if (placer.placed(i)) continue;
    robot.xml.fail(ErrorCode::kTopology, robot.links[i].element,
                   fmt::format("link {} has no root above it: its parents form a ring; a ring is closed by <loop>, or "
                               "by a second joint to a link that a root reaches",
                               in_quotes(robot.links[i].body.name)));
    return;
  }
}

void mark_closures(UrdfRobot& robot) {
  for (int j = 0; j < static_cast<int>(robot.joints.size()); ++j) {
    // What placed its link is the tree; whatever else leads to it closes a loop.
    UrdfJoint& joint = robot.joints[j];
    if (!is_tree_candidate(joint) || robot.links[joint.child].placed_by == j) continue;
    joint.spec.closure = true;
    robot.remark(joint.element, fmt::format("joint {}", in_quotes(joint.spec.name)),
                 "a link that is the child of several joints: the first one places it, the others close loops");
  }
}

void hold_root(UrdfRobot& robot, int root, Base base) {
  const UrdfLink& link = robot.links[root];
  // URDF does not say whether a robot stands or floats; by default it floats, with a note.
  if (base == Base::kFloating) {
    robot.xml.note(link.element, fmt::format("the root link {} floats; a fixed base would weld it to the ground",
                                             in_quotes(link.body.name)));
    return;
  }
  UrdfJoint joint;
  joint.element = link.element;
  // No parent: such a joint is held by the ground.
  joint.child = root;
  joint.spec.name = robot.unused_joint_name("base_fixed");
  joint.spec.type = model::JointType::kFixed;
  joint.spec.where = link.body.where;
  robot.add_joint(std::move(joint));
}

}  // namespace

void place_urdf_links(UrdfRobot& robot, Base base) {
  const std::vector<bool> is_child = find_children(robot);
  find_ground(robot, is_child);
  const std::vector<int> roots = find_roots(robot, is_child);
  if (robot.xml.failed()) return;
  Placer placer(robot);
  placer.run(roots);
  check_all_placed(robot, placer);
  if (robot.xml.failed()) return;
  mark_closures(robot);
  // The ground needs no holder; where it is the only root, all hangs on it.
  if (!roots.empty() && !robot.links[roots.back()].is_ground) hold_root(robot, roots.back(), base);
}

}  // namespace espalier::formats::detail
