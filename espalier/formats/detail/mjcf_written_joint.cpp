#include "espalier/formats/detail/mjcf_written_joint.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::Joint;
using model::JointType;
using Type = MjcfWrittenJoint::Type;

// A list that the model leaves out stands for zeros.
double entry(const std::vector<double>& list, std::size_t k) { return k < list.size() ? list[k] : 0; }

bool nonzero(const std::vector<double>& list) {
  return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; });
}

// Makes the <joint> elements of one joint. The two frames are those in the child, in the drawn pose: `held` by the
// parent, and the child's `own`. Reversed joints have their axes turned round, so that each coordinate keeps its value.
class JointMaker {
 public:
  JointMaker(const Joint& joint, bool reversed) : joint_(joint), sign_(reversed ? -1 : 1) {
    const math::Pose X_FM = model::joint_pose(joint.type, joint.pitch, joint.position);
    // MJCF gives axes and places in the child, whichever of our two bodies that is.
    own_ = reversed ? joint.X_AF : joint.X_BM;
    held_ = own_ * (reversed ? X_FM : X_FM.inverse());
    // F carries the first axes of our joint and M the last ones, whichever body holds them.
    F_ = (reversed ? own_ : held_).rotation.toRotationMatrix();
    M_ = (reversed ? held_ : own_).rotation.toRotationMatrix();
  }

  MjcfTreeJoint make(bool reversed, bool parent_is_ground) {
    // The order of each group of elements is the order in which our coordinates act, and match_joints() expects it.
    switch (joint_.type) {
      case JointType::kRevolute:
        // z of a joint frame is its axis.
        add(Type::kHinge, "", F_.col(2), held_.position, 0);
        break;
      case JointType::kPrismatic:
        add(Type::kSlide, "", F_.col(2), held_.position, 0);
        break;
      case JointType::kScrew:
        screw();
        break;
      case JointType::kCylindrical:
        add(Type::kSlide, "__1", F_.col(2), held_.position, 0);
        add(Type::kHinge, "__2", F_.col(2), held_.position, 1);
        break;
      case JointType::kUniversal:
        universal(reversed);
        break;
      case JointType::kPlanar:
        planar(reversed);
        break;
      case JointType::kSpherical:
        ball("", 0);
        break;
      case JointType::kFree:
        free(reversed, parent_is_ground);
        break;
      // In MJCF a body without joints is fixed to its parent.
      case JointType::kFixed:
        break;
    }
    return std::move(made_);
  }

 private:
  MjcfWrittenJoint& add(Type type, const char* ending, const Vector3d& axis, const Vector3d& pos, std::size_t k) {
    MjcfWrittenJoint joint = bare(type, joint_.name + ending, axis, pos);
    // MuJoCo draws every body at ref: with our drawn position there, both count from the same zero.
    joint.ref = joint_.position[k];
    fill(joint, k);
    if (k < joint_.spec.limits.size()) joint.range = joint_.spec.limits[k];
    joint.springref = entry(joint_.spec.rest, k);
    // An actuated joint has its limit in the motor; see write_motor().
    if (!joint_.spec.actuated) joint.effort = joint_.spec.effort_limit;
    made_.joints.push_back(std::move(joint));
    return made_.joints.back();
  }

  MjcfWrittenJoint bare(Type type, std::string name, const Vector3d& axis, const Vector3d& pos) const {
    MjcfWrittenJoint joint;
    joint.type = type;
    joint.name = std::move(name);
    // Turned round for a reversed joint, so that its coordinate grows in the same direction.
    joint.axis = sign_ * axis;
    joint.pos = pos;
    return joint;
  }

  void fill(MjcfWrittenJoint& joint, std::size_t k) const {
    joint.stiffness = entry(joint_.spec.stiffness, k);
    joint.damping = entry(joint_.spec.damping, k);
    joint.friction = entry(joint_.spec.friction, k);
    joint.armature = entry(joint_.spec.armature, k);
  }

  void screw() {
    made_.slope = joint_.pitch / (2 * std::numbers::pi);
    // The hinge carries the coordinate of the screw; the slide follows it.
    made_.hinge = joint_.name;
    made_.slide = joint_.name + "__slide";
    MjcfWrittenJoint slide = bare(Type::kSlide, made_.slide, F_.col(2), held_.position);
    // The slide reads zero where the hinge does, or the equality would shift the nut.
    slide.ref = made_.slope * joint_.position[0];
    made_.joints.push_back(std::move(slide));
    add(Type::kHinge, "", F_.col(2), held_.position, 0);
  }

  // Names in falling order tell our reader that the child is a.
  void universal(bool reversed) {
    const Vector3d x = F_.col(0);
    const Vector3d y = M_.col(1);
    if (!reversed) {
      add(Type::kHinge, "__1", x, own_.position, 0);
      add(Type::kHinge, "__2", y, own_.position, 1);
    } else {
      add(Type::kHinge, "__2", y, own_.position, 1);
      add(Type::kHinge, "__1", x, own_.position, 0);
    }
  }

  void planar(bool reversed) {
    // Hinge and slides act in the point of M, which the slides carry along.
    const Vector3d& M = (reversed ? held_ : own_).position;
    // Seen from the other side the turn acts first.
    if (reversed) add(Type::kHinge, "__3", F_.col(2), M, 2);
    add(Type::kSlide, "__1", F_.col(0), M, 0);
    add(Type::kSlide, "__2", F_.col(1), M, 1);
    if (!reversed) add(Type::kHinge, "__3", F_.col(2), M, 2);
  }

  // `k`: the first of its three coordinates. MJCF has one number for the three.
  void ball(const char* ending, std::size_t k) {
    MjcfWrittenJoint joint = bare(Type::kBall, joint_.name + ending, Vector3d::UnitZ(), own_.position);
    fill(joint, k);
    made_.joints.push_back(std::move(joint));
  }

  void free(bool reversed, bool parent_is_ground) {
    // MuJoCo's free joint must be a child of the world and carries no spring; else three slides and a ball say the
    // same.
    if (parent_is_ground && !is_elastic(joint_)) {
      made_.joints.push_back(bare(Type::kFree, joint_.name, Vector3d::UnitZ(), Vector3d::Zero()));
      return;
    }
    const math::Pose X_FM = model::joint_pose(joint_.type, 0, joint_.position);
    // The references of the three slides say where the drawn pose stands along them.
    const Vector3d at = (reversed ? X_FM.inverse() : X_FM).position;
    const Matrix3d axes = held_.rotation.toRotationMatrix();
    constexpr std::array kEnding = {"__1", "__2", "__3"};
    for (std::size_t k = 0; k < 3; ++k) {
      const Eigen::Index i = static_cast<Eigen::Index>(k);
      MjcfWrittenJoint slide = bare(Type::kSlide, joint_.name + kEnding[k], sign_ * axes.col(i), own_.position);
      slide.ref = at[i];
      // Springs and dampers along the three directions stand with their slides.
      fill(slide, k);
      slide.springref = entry(joint_.spec.rest, k);
      made_.joints.push_back(std::move(slide));
    }
    ball("__4", 3);
  }

  const Joint& joint_;
  double sign_;
  math::Pose own_, held_;
  Matrix3d F_, M_;
  MjcfTreeJoint made_;
};

void append_quaternion(std::vector<double>& qpos, const Eigen::Quaterniond& q) {
  qpos.insert(qpos.end(), {q.w(), q.x(), q.y(), q.z()});
}

}  // namespace

bool is_elastic(const Joint& joint) {
  return nonzero(joint.spec.stiffness) || nonzero(joint.spec.damping) || nonzero(joint.spec.friction) ||
         nonzero(joint.spec.armature);
}

MjcfTreeJoint make_tree_joint(const Joint& joint, bool reversed, bool parent_is_ground) {
  return JointMaker(joint, reversed).make(reversed, parent_is_ground);
}

math::Pose child_in_parent(const Joint& joint, bool reversed, const std::vector<double>& position) {
  const math::Pose X_AB = joint.X_AF * model::joint_pose(joint.type, joint.pitch, position) * joint.X_BM.inverse();
  return reversed ? X_AB.inverse() : X_AB;
}

std::vector<double> joint_qpos(const Joint& joint, bool reversed, const MjcfTreeJoint& written,
                               const std::vector<double>& position) {
  // A keyframe of a free joint is the child's pose, whatever frames our joint has.
  const math::Pose X_PC = child_in_parent(joint, reversed, position);
  std::vector<double> qpos;
  const auto add = [&](std::initializer_list<std::size_t> coordinates) {
    for (const std::size_t k : coordinates) qpos.push_back(position[k]);
  };
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kScrew:
      // Slide first, hinge second, as screw() writes them.
      qpos = {written.slope * position[0], position[0]};
      break;
    case JointType::kUniversal:
      reversed ? add({1, 0}) : add({0, 1});
      break;
    case JointType::kPlanar:
      reversed ? add({2, 0, 1}) : add({0, 1, 2});
      break;
    case JointType::kSpherical:
    case JointType::kFree: {
      if (written.joints[0].type == Type::kFree) {
        qpos = {X_PC.position.x(), X_PC.position.y(), X_PC.position.z()};
        append_quaternion(qpos, X_PC.rotation);
        break;
      }
      if (joint.type == JointType::kFree) {
        const math::Pose X_FM = model::joint_pose(joint.type, 0, position);
        const Vector3d at = (reversed ? X_FM.inverse() : X_FM).position;
        // The three slides stand before the ball, as free() writes them.
        qpos = {at.x(), at.y(), at.z()};
      }
      // A ball counts from the drawn pose, about the child's axes.
      const math::Pose drawn = child_in_parent(joint, reversed, joint.position);
      append_quaternion(qpos, drawn.rotation.conjugate() * X_PC.rotation);
      break;
    }
    // One number for each <joint>, in the order written.
    default:
      qpos = position;
  }
  return qpos;
}

}  // namespace espalier::formats::detail
