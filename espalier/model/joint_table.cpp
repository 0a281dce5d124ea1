#include "espalier/model/joint.hpp"

#include <array>
#include <utility>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using enum CoordinateKind;
using enum Direction;

// The motions of each type, in velocity order. Where two axes turn, the second one goes with M.
using Motion = CoordinateMotion;
constexpr std::array kRevoluteMotion = {Motion{kAboutZ}};
constexpr std::array kPrismaticMotion = {Motion{kZ}};
// Turning and sliding are one coordinate, counted by its angle.
constexpr std::array kScrewMotion = {Motion{kAboutZ, false, true}};
constexpr std::array kUniversalMotion = {Motion{kAboutX}, Motion{kAboutY, true}};
constexpr std::array kCylindricalMotion = {Motion{kZ}, Motion{kAboutZ}};
constexpr std::array kSphericalMotion = {Motion{kAboutX, true}, Motion{kAboutY, true}, Motion{kAboutZ, true}};
// It turns about the normal through M and not through F, so that a turn leaves x and y as they are.
constexpr std::array kPlanarMotion = {Motion{kX}, Motion{kY}, Motion{kAboutZ, true}};
constexpr std::array kFreeMotion = {
    Motion{kX}, Motion{kY}, Motion{kZ}, Motion{kAboutX, true}, Motion{kAboutY, true}, Motion{kAboutZ, true}};
constexpr std::array<Motion, 0> kFixedMotion = {};

// What each type holds: forces first, then couples, then what belongs to the type alone.
constexpr std::array kRevoluteRows = {kX, kY, kZ, kAboutX, kAboutY};
constexpr std::array kPrismaticRows = {kX, kY, kAboutX, kAboutY, kAboutZ};
constexpr std::array kScrewRows = {kX, kY, kAboutX, kAboutY, kThread};
constexpr std::array kUniversalRows = {kX, kY, kZ, kAboutNormal};
constexpr std::array kCylindricalRows = {kX, kY, kAboutX, kAboutY};
constexpr std::array kSphericalRows = {kX, kY, kZ};
constexpr std::array kPlanarRows = {kZ, kAboutX, kAboutY};
constexpr std::array<Direction, 0> kFreeRows = {};
constexpr std::array kFixedRows = {kX, kY, kZ, kAboutX, kAboutY, kAboutZ};

template <const auto& motions>
constexpr auto kMeasured = [] {
  std::array<CoordinateKind, motions.size()> kinds{};
  for (std::size_t k = 0; k < motions.size(); ++k) kinds[k] = is_length(motions[k].direction) ? kLength : kAngle;
  return kinds;
}();

// Sizes follow from the motions and rows, so that no row can contradict itself.
template <const auto& motions, const auto& rows>
constexpr JointRow row(JointType type, std::string_view name, char letter, int axes, int quaternion = -1) {
  static_assert(motions.size() + rows.size() == 6);
  constexpr auto freedom = static_cast<int>(motions.size());
  const int position_size = freedom + (quaternion >= 0 ? 1 : 0);
  // Held along all three axes the two origins stay together.
  const bool slides = std::count_if(rows.begin(), rows.end(), [](Direction d) { return d <= kZ; }) < 3;
  const bool threaded =
      std::any_of(motions.begin(), motions.end(), [](const Motion& motion) { return motion.threaded; });
  return {{type, name, letter, freedom, 6 - freedom, position_size, axes, kMeasured<motions>},
          quaternion,
          motions,
          rows,
          slides,
          threaded};
}

constexpr std::array kRows = {
    row<kRevoluteMotion, kRevoluteRows>(JointType::kRevolute, "revolute", 'R', 1),
    row<kPrismaticMotion, kPrismaticRows>(JointType::kPrismatic, "prismatic", 'P', 1),
    row<kScrewMotion, kScrewRows>(JointType::kScrew, "screw", 'H', 1),
    row<kUniversalMotion, kUniversalRows>(JointType::kUniversal, "universal", 'U', 2),
    row<kCylindricalMotion, kCylindricalRows>(JointType::kCylindrical, "cylindrical", 'C', 1),
    // The last number: where the quaternion begins, behind the translations.
    row<kSphericalMotion, kSphericalRows>(JointType::kSpherical, "spherical", 'S', 0, 0),
    row<kPlanarMotion, kPlanarRows>(JointType::kPlanar, "planar", 'E', 1),
    row<kFreeMotion, kFreeRows>(JointType::kFree, "free", 'F', 0, 3),
    row<kFixedMotion, kFixedRows>(JointType::kFixed, "fixed", 'W', 0),
};
// A type's place in the table is its number. A type without a row is a warning of the switches of joint.cpp.
static_assert([] {
  for (std::size_t k = 0; k < kRows.size(); ++k) {
    if (kRows[k].kind.type != static_cast<JointType>(k)) return false;
  }
  return true;
}());

constexpr auto kKinds = [] {
  std::array<JointKind, kRows.size()> kinds{};
  std::transform(kRows.begin(), kRows.end(), kinds.begin(), [](const JointRow& row) { return row.kind; });
  return kinds;
}();

}  // namespace

const JointRow& joint_row(JointType type) { return kRows[to_index(type)]; }

std::span<const JointKind> joint_kinds() { return kKinds; }

const JointKind& joint_kind(JointType type) { return joint_row(type).kind; }

std::optional<JointType> find_joint_type(std::string_view name) {
  for (const JointKind& kind : kKinds) {
    if (kind.name == name) return kind.type;
  }
  return std::nullopt;
}

bool loses_turns(JointType type, int k) {
  const JointRow& row = joint_row(type);
  const auto at = to_index(k);
  // A length has no turns, a thread's translation tells them, and a quaternion knows none.
  return row.kind.coordinates[at] == kAngle && row.quaternion < 0 && !row.motions[at].threaded;
}

namespace {

// q = (w, x, y, z), `w` in the axes of the turning frame: dq/dt = q (0, w/2).
void quaternion_rate(std::span<const double> q, std::span<const double> w, std::span<double> rate) {
  const Quaterniond turned = Quaterniond(q[0], q[1], q[2], q[3]) * Quaterniond(0, w[0] / 2, w[1] / 2, w[2] / 2);
  rate[0] = turned.w();
  rate[1] = turned.x();
  rate[2] = turned.y();
  rate[3] = turned.z();
}

}  // namespace

void position_rate(JointType type, std::span<const double> q, std::span<const double> v, std::span<double> rate) {
  const int quaternion = joint_row(type).quaternion;
  const std::size_t plain = quaternion < 0 ? v.size() : to_index(quaternion);
  // Positions without a quaternion change with the velocities as they are.
  std::copy_n(v.begin(), plain, rate.begin());
  if (quaternion >= 0) quaternion_rate(q.subspan(plain), v.subspan(plain), rate.subspan(plain));
}

Quaterniond exchange_turn(JointType type) {
  switch (type) {
    case JointType::kRevolute:
    case JointType::kPrismatic:
    case JointType::kScrew:
    case JointType::kCylindrical:
      return Quaterniond(0, 1, 0, 0);  // half a turn about x: z points back
    case JointType::kUniversal: {
      Eigen::Matrix3d axes;  // the two axes change places: x' = -y, y' = -x, z' = -z
      axes << 0, -1, 0, -1, 0, 0, 0, 0, -1;
      return Quaterniond(axes);
    }
    case JointType::kSpherical:
    case JointType::kPlanar:
    case JointType::kFree:
    case JointType::kFixed:
      break;
  }
  return Quaterniond::Identity();
}

namespace {

// A planar joint and a free one carry the translation along: with R, t the pose of M in F and w its angular velocity in
// F, t' = -R^T t, t = -R t', and dt = w x t - R dt'.

void exchange_turning(std::span<double> quaternion, std::span<double> spin) {
  const Quaterniond turned(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  // Seen from M, F turns the other way; the axes are those of the new M, which is F.
  const Vector3d w = -(turned * Vector3d(spin[0], spin[1], spin[2]));
  // The inverse of a unit quaternion.
  for (int k = 1; k < 4; ++k) quaternion[to_index(k)] *= -1;
  std::copy(w.begin(), w.end(), spin.begin());
}

void exchange_free(std::span<double> position, std::span<double> velocity) {
  const std::span<double> quaternion = position.last(4);
  const Quaterniond turned(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  exchange_turning(quaternion, velocity.last(3));
  const Vector3d w(velocity[3], velocity[4], velocity[5]);
  const Vector3d t = -(turned.conjugate() * Vector3d(position[0], position[1], position[2]));
  const Vector3d rate = turned.conjugate() * Vector3d(velocity[0], velocity[1], velocity[2]);
  // The new angular velocity, in the axes of the new frame F.
  const Vector3d w_f = turned.conjugate() * w;
  const Vector3d t_rate = w_f.cross(t) - rate;
  std::copy(t.begin(), t.end(), position.begin());
  std::copy(t_rate.begin(), t_rate.end(), velocity.begin());
}

void exchange_planar(std::span<double> position, std::span<double> velocity) {
  const elementary::SinCos turned = elementary::sin_cos(position[2]);
  const auto back = [&](double x, double y) {
    return Eigen::Vector2d(turned.cos * x + turned.sin * y, turned.cos * y - turned.sin * x);
  };
  const Eigen::Vector2d t = -back(position[0], position[1]);
  const Eigen::Vector2d rate = back(velocity[0], velocity[1]);
  const double w = -velocity[2];
  position[0] = t.x(), position[1] = t.y(), position[2] *= -1;
  velocity[0] = -w * t.y() - rate.x(), velocity[1] = w * t.x() - rate.y(), velocity[2] = w;
}

}  // namespace

void exchange_coordinates(JointType type, std::span<double> position, std::span<double> velocity) {
  switch (type) {
    case JointType::kUniversal:
      std::swap(position[0], position[1]);
      std::swap(velocity[0], velocity[1]);
      break;
    case JointType::kSpherical:
      return exchange_turning(position, velocity);
    case JointType::kPlanar:
      return exchange_planar(position, velocity);
    case JointType::kFree:
      return exchange_free(position, velocity);
    case JointType::kRevolute:
    case JointType::kPrismatic:
    case JointType::kScrew:
    case JointType::kCylindrical:
    case JointType::kFixed:
      break;
  }
}

int exchanged_coordinate(JointType type, int k) {
  const JointRow& row = joint_row(type);
  // Of a universal joint the two axes change places.
  if (row.quaternion >= 0 || type == JointType::kPlanar) return -1;
  return row.kind.axes == 2 ? 1 - k : k;
}

}  // namespace espalier::model
