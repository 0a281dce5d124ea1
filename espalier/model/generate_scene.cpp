#include "espalier/model/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/detail/parts.hpp"

namespace espalier::model {
namespace {

using detail::check_range;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
constexpr double kGrain = 0.1;    // [m]
constexpr double kMargin = 1e-3;  // [m]

ShapeSpec shape(ShapeKind kind, const Vector3d& size) {
  ShapeSpec result;
  result.kind = kind;
  result.size = size;
  result.material = "stone";
  return result;
}

BodySpec body(std::string name, ShapeSpec with, const Vector3d& position) {
  BodySpec result;
  result.name = std::move(name);
  result.shapes.push_back(std::move(with));
  result.pose.position = position;
  return result;
}

// An empty scene: floor, stone, contact.
ModelSpec scene(std::string name, double friction) {
  ModelSpec spec;
  spec.name = std::move(name);
  MaterialSpec stone;
  stone.name = "stone";
  stone.density = 2000;
  stone.friction = friction;
  stone.restitution = 0;
  spec.materials.push_back(std::move(stone));
  BodySpec ground;
  ground.name = kGround;
  ground.shapes.push_back(shape(ShapeKind::kPlane, Vector3d::Zero()));
  spec.bodies.push_back(std::move(ground));
  // What lies keeps its points of contact, where without it they come and go by rounding.
  spec.contact = ContactSpec{};
  spec.contact->margin = kMargin;
  return spec;
}

// A board of the ground.
void add_board(ModelSpec& spec, const Vector3d& lengths, const math::Pose& pose) {
  ShapeSpec board = shape(ShapeKind::kBox, lengths);
  board.pose = pose;
  spec.bodies.front().shapes.push_back(std::move(board));
}

// Grains stand on a grid as wide as `side` grains both ways, layer by layer from `height` on, shaken a little.
void add_grains(ModelSpec& spec, int count, int side, double height, Grain grain, std::uint64_t seed) {
  constexpr double kPitch = 1.25 * kGrain;
  for (int k = 0; k < count; ++k) {
    // Keyed by the grain: a larger pile begins with the grains of a smaller one.
    Random random(seed, static_cast<std::uint32_t>(k));
    // Integer division: column, row and layer of grain k.
    const Vector3d cell(k % side, k / side % side, k / side / side);
    const Vector3d shake(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.05, 0.05));
    // Sizes vary a little: equal spheres would settle into a crystal.
    const double size = kGrain * random.uniform(0.8, 1);
    const Vector3d middle((side - 1) / 2.0, (side - 1) / 2.0, 0);
    const Vector3d place = kPitch * (cell - middle) + kGrain * shake + Vector3d(0, 0, height + kGrain);
    // By turns, not by chance: half of any pile is round.
    const bool round = grain == Grain::kSphere || (grain == Grain::kMixed && k % 2 == 0);
    const ShapeSpec of =
        round ? shape(ShapeKind::kSphere, {size / 2, 0, 0}) : shape(ShapeKind::kBox, size * Vector3d(0.85, 0.7, 0.6));
    BodySpec made = body(fmt::format("grain_{}", k + 1), of, place);
    // About the vertical only: a tilted box could reach into its neighbours' cells.
    if (!round) made.pose.rotation = math::rotation_about(Vector3d::UnitZ(), random.uniform(0, 2 * kPi));
    spec.bodies.push_back(std::move(made));
  }
}

// One voussoir between two angles, as a hull.
ShapeSpec voussoir(double inner, double outer, double from, double to, double depth) {
  ShapeSpec hull = shape(ShapeKind::kHull, Vector3d::Zero());
  // The eight corners; the hull orders them itself.
  for (const double y : {-depth / 2, depth / 2}) {
    for (const double radius : {inner, outer}) {
      for (const double angle : {from, to})
        hull.points.emplace_back(radius * elementary::cos(angle), y, radius * elementary::sin(angle));
    }
  }
  return hull;
}

}  // namespace

Result<ModelSpec> generate_pile(int bodies, Grain grain, std::uint64_t seed) {
  const Result<void> checked = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(checked);
  ModelSpec spec = scene(fmt::format("pile of {}", bodies), 0.4);
  // As high as wide before it settles.
  const int side = std::max(1, static_cast<int>(std::ceil(elementary::cbrt(bodies))));
  const double half = 0.625 * kGrain * side + 0.3 * kGrain, thick = 2 * kGrain;
  const double high = 1.5 * kGrain * side + 4 * kGrain;
  for (const double sign : {-1.0, 1.0}) {
    // The boards overlap in the corners, so that no grain finds a gap.
    const double away = sign * (half + thick / 2);
    add_board(spec, {thick, 2 * half + 2 * thick, high}, {Vector3d(away, 0, high / 2), Eigen::Quaterniond::Identity()});
    add_board(spec, {2 * half + 2 * thick, thick, high}, {Vector3d(0, away, high / 2), Eigen::Quaterniond::Identity()});
  }
  add_grains(spec, bodies, side, 0, grain, seed);
  return spec;
}

Result<ModelSpec> generate_stack(int bodies) {
  const Result<void> checked = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(checked);
  ModelSpec spec = scene(fmt::format("stack of {}", bodies), 0.5);
  for (int k = 0; k < bodies; ++k) {
    spec.bodies.push_back(
        body(fmt::format("brick_{}", k + 1), shape(ShapeKind::kBox, {1, 1, 0.5}), {0, 0, 0.25 + 0.5 * k}));
  }
  return spec;
}

Result<ModelSpec> generate_arch(int blocks, double ratio) {
  const Result<void> checked = check_range("blocks", blocks, 3, 1000);
  ESPALIER_TRY(checked);
  // A half circle stands from about 0.107 on (Heyman). Thinner ones are allowed: they are there to fall.
  if (!(ratio > 0.01 && ratio < 1)) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("an arch of thickness {} of its radius is none; 0.12 stands", ratio));
  }
  ModelSpec spec = scene(fmt::format("arch of {}", blocks), 0.7);
  const double radius = 10, depth = 2, half = ratio * radius / 2;
  const double inner = radius - half, outer = radius + half, angle = kPi / blocks;
  for (int k = 0; k < blocks; ++k) {
    spec.bodies.push_back(
        body(fmt::format("voussoir_{}", k + 1), voussoir(inner, outer, k * angle, (k + 1) * angle, depth), {0, 0, 0}));
  }
  return spec;
}

Result<ModelSpec> generate_beads(int bodies) {
  const Result<void> checked = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(checked);
  ModelSpec spec = scene(fmt::format("chain of {} beads", bodies), 0.4);
  // High enough that the chain hangs free of the floor when it has swung down.
  const double height = 1.5 * kGrain * bodies + 1;
  const auto knot = [&](int k) { return Vector3d(1.1 * kGrain * k, 0, height); };
  for (int k = 0; k < bodies; ++k) {
    const std::string name = fmt::format("bead_{}", k + 1);
    spec.bodies.push_back(body(name, shape(ShapeKind::kSphere, {kGrain / 2, 0, 0}), (knot(k) + knot(k + 1)) / 2));
    spec.joints.push_back(detail::joint_at(fmt::format("knot_{}", k + 1), JointType::kSpherical,
                                           k == 0 ? std::string(kGround) : fmt::format("bead_{}", k), name, knot(k),
                                           Eigen::Quaterniond::Identity()));
  }
  return spec;
}

Result<ModelSpec> generate_silo(int bodies, std::uint64_t seed) {
  const Result<void> checked = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(checked);
  ModelSpec spec = scene(fmt::format("silo of {}", bodies), 0.4);
  const int side = std::max(2, static_cast<int>(std::ceil(elementary::cbrt(bodies / 2.0))));
  const double width = 1.25 * kGrain * side + kGrain, hole = 5 * kGrain, thick = 2 * kGrain;
  // A funnel of 45 degrees: steeper than grains of friction 0.4 can rest on.
  const double slope = kPi / 4, run = std::max(0.0, (width - hole) / 2), drop = run * elementary::tan(slope);
  const double bottom = 1.0, mouth = bottom + drop, high = 4 * width;
  for (int turn = 0; turn < 4; ++turn) {
    const Eigen::Quaterniond about = math::rotation_about(Vector3d::UnitZ(), turn * kPi / 2);
    const Eigen::Quaterniond tilt = math::rotation_about(Vector3d::UnitY(), -slope);
    // The plank's upper face runs from the hole's rim to the foot of the wall.
    const Vector3d face((hole + width) / 4, 0, (bottom + mouth) / 2);
    const Vector3d down = tilt * Vector3d(0, 0, -thick / 2);
    add_board(spec, {run / elementary::cos(slope) + thick, width + 2 * thick, thick},
              {about * (face + down), about * tilt});
    add_board(spec, {thick, width + 2 * thick, high},
              {about * Vector3d(width / 2 + thick / 2, 0, mouth + high / 2), about});
  }
  add_grains(spec, bodies, side, mouth, Grain::kMixed, seed);
  return spec;
}

}  // namespace espalier::model
