#include "bench/peers/bullet.hpp"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPolyhedralContactClipping.h>

namespace bench {
namespace {

using espalier::math::Pose;

struct Counter : btDiscreteCollisionDetectorInterface::Result {
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar) override { ++points; }
  int points = 0;
};

btVector3 to_bullet(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

btTransform to_bullet(const Pose& pose) {
  const Eigen::Quaterniond& q = pose.rotation;
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(pose.position));
}

}  // namespace

struct BulletPairs::State {
  std::vector<std::unique_ptr<btBoxShape>> boxes;
  std::vector<std::unique_ptr<btConvexHullShape>> hulls;
  std::vector<btTransform> poses;
  btVertexArray vertices, others;
};

BulletPairs::BulletPairs(std::unique_ptr<State> state) : state_(std::move(state)) {}
BulletPairs::BulletPairs(BulletPairs&&) noexcept = default;
BulletPairs::~BulletPairs() = default;

BulletPairs BulletPairs::of_boxes(std::span<const Eigen::Vector3d> halves, std::span<const Pose> poses) {
  auto state = std::make_unique<State>();
  for (const Eigen::Vector3d& half : halves) state->boxes.push_back(std::make_unique<btBoxShape>(to_bullet(half)));
  for (const Pose& pose : poses) state->poses.push_back(to_bullet(pose));
  return BulletPairs(std::move(state));
}

BulletPairs BulletPairs::of_hulls(std::span<const std::vector<Eigen::Vector3d>> points, std::span<const Pose> poses) {
  auto state = std::make_unique<State>();
  for (const std::vector<Eigen::Vector3d>& corners : points) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Eigen::Vector3d& corner : corners) hull->addPoint(to_bullet(corner), false);
    hull->recalcLocalAabb();
    hull->setMargin(0);
    hull->initializePolyhedralFeatures();
    state->hulls.push_back(std::move(hull));
  }
  for (const Pose& pose : poses) state->poses.push_back(to_bullet(pose));
  return BulletPairs(std::move(state));
}

int BulletPairs::collide(int pair) {
  State& state = *state_;
  const btTransform& a = state.poses[2 * pair];
  const btTransform& b = state.poses[2 * pair + 1];
  Counter counter;
  if (!state.boxes.empty()) {
    btBoxBoxDetector detector(state.boxes[2 * pair].get(), state.boxes[2 * pair + 1].get());
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = a;
    input.m_transformB = b;
    detector.getClosestPoints(input, counter, nullptr);
    return counter.points;
  }
  const btConvexPolyhedron& first = *state.hulls[2 * pair]->getConvexPolyhedron();
  const btConvexPolyhedron& second = *state.hulls[2 * pair + 1]->getConvexPolyhedron();
  btVector3 axis;
  if (!btPolyhedralContactClipping::findSeparatingAxis(first, second, a, b, axis, counter)) return 0;
  btPolyhedralContactClipping::clipHullAgainstHull(axis, first, second, a, b, -1e30, 0, state.vertices, state.others,
                                                   counter);
  return counter.points;
}

}  // namespace bench
