#include "espalier/model/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/detail/parts.hpp"

namespace espalier::model {
namespace {

using detail::bar;
using detail::BarStock;
using detail::check_range;
using detail::joint_at;
using detail::pin_at;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const Vector3d kPlaneAxis = -Vector3d::UnitY();
const Vector3d kNormal = Vector3d::UnitY();  // of bars in the plane
constexpr double kScrewPitch = 0.02;         // [m/rev]

MaterialSpec steel() {
  MaterialSpec material;
  material.name = "steel";
  material.density = 7850;
  return material;
}

const BarStock kSteelBar = {"steel", 0.02};

// Chains and trees bend about -y and x by turns, so that they move in space.
Vector3d axis_of_level(int level) { return level % 2 == 0 ? kPlaneAxis : Vector3d::UnitX(); }

// Universal joint at `point` that lets a bar along `direction` swing but not spin: both axes stand square to the bar.
JointSpec swing_at(std::string name, std::string a, std::string b, const Vector3d& point, const Vector3d& direction,
                   const Vector3d& axis) {
  // x goes with a and stands square to the crank's axis and the bar; y goes with b.
  const Vector3d x = axis.cross(direction);
  return joint_at(std::move(name), JointType::kUniversal, std::move(a), std::move(b), point,
                  math::rotation_with_xy(x, direction.cross(x)));
}

struct Crank {
  std::string name;
  Vector3d base, tip, axis;
};

Crank ladder_crank(int k, LadderKind kind) {
  constexpr double kSpacing = 0.5;
  constexpr double kLength = 0.4;
  constexpr double kSwing = std::numbers::pi / 6;  // drawn this far from hanging straight down
  constexpr double kTilt = 0.2;                    // of the spatial ladder's swing planes, to both sides by turns
  // By turns to both sides, so that the couplers of a spatial ladder leave the plane.
  const double tilt = kind == LadderKind::kPlanar ? 0 : (k % 2 == 0 ? kTilt : -kTilt);
  const Vector3d base(kSpacing * k, 0, 0);
  // The plane that the crank swings in; its axis is square to it.
  const Vector3d along(elementary::cos(tilt), elementary::sin(tilt), 0);
  const Vector3d tip = base + kLength * (elementary::sin(kSwing) * along - elementary::cos(kSwing) * Vector3d::UnitZ());
  return {fmt::format("crank_{}", k), base, tip, Vector3d(elementary::sin(tilt), -elementary::cos(tilt), 0)};
}

void add_coupler(ModelSpec& spec, int k, const Crank& left, const Crank& right, LadderKind kind) {
  const std::string name = fmt::format("coupler_{}", k);
  // Drawn between the tips of both cranks: it is closed at both ends whatever their planes.
  spec.bodies.push_back(bar(name, left.tip, right.tip, kNormal, kSteelBar));
  const std::string left_pin = fmt::format("left_{}", k);
  const std::string right_pin = fmt::format("right_{}", k);
  if (kind == LadderKind::kPlanar) {
    spec.joints.push_back(pin_at(left_pin, left.name, name, left.tip, kPlaneAxis));
    spec.joints.push_back(pin_at(right_pin, name, right.name, right.tip, kPlaneAxis));
  } else {
    // A coupler between two tilted cranks needs five degrees of freedom in its ends: two and three.
    spec.joints.push_back(swing_at(left_pin, left.name, name, left.tip, right.tip - left.tip, left.axis));
    spec.joints.push_back(
        joint_at(right_pin, JointType::kSpherical, name, right.name, right.tip, Quaterniond::Identity()));
  }
}

// One vertex pair as a single number, the lower end first.
std::uint64_t pair_key(int a, int b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
}

// Edges of a connected graph on the vertices 0 .. bodies, vertex 0 with one edge of the tree.
std::vector<std::pair<int, int>> random_edges(int bodies, int joints, std::uint64_t seed) {
  // A stream of its own for each use: another number of joints must not move the bodies.
  Random random(seed, 0);
  std::vector<std::pair<int, int>> edges = {{0, 1}};
  std::unordered_set<std::uint64_t> taken = {pair_key(0, 1)};
  for (int v = 2; v <= bodies; ++v) {
    // A random recursive tree first, so that the graph is connected; then any further pairs.
    edges.emplace_back(1 + random.below(v - 1), v);
    taken.insert(pair_key(edges.back().first, v));
  }
  while (static_cast<int>(edges.size()) < joints) {
    const int a = random.below(bodies + 1);
    const int b = random.below(bodies + 1);
    // Pairs that exist already are drawn again: parallel joints would be redundant.
    if (a != b && taken.insert(pair_key(a, b)).second) edges.emplace_back(a, b);
  }
  return edges;
}

Quaterniond random_rotation(Random& random) {
  Quaterniond q;
  // Four normals point everywhere alike; a zero norm would need four exact zeros.
  do {
    q = Quaterniond(random.normal(), random.normal(), random.normal(), random.normal());
  } while (q.norm() < 1e-6);
  return q.normalized();
}

JointType random_joint_type(Random& random) {
  JointType type = JointType::kFixed;
  // Drawn again instead of taken from a shorter list: the table of joints may grow.
  while (type == JointType::kFixed) type = joint_kinds()[random.below(static_cast<int>(joint_kinds().size()))].type;
  return type;
}

BodySpec ball(std::string name, const Vector3d& position) {
  ShapeSpec shape;
  shape.kind = ShapeKind::kSphere;
  shape.size = {0.05, 0, 0};
  BodySpec body;
  body.name = std::move(name);
  body.material = "steel";
  body.pose.position = position;
  body.shapes.push_back(std::move(shape));
  return body;
}

constexpr double kPlateSpacing = 0.2;  // [m]

Vector3d plate_position(int row, int column) { return kPlateSpacing * Vector3d(column, 0, -row); }

std::string plate_name(int row, int column) { return fmt::format("plate_{}_{}", row, column); }

BodySpec plate(int row, int column) {
  // Nine tenths of the spacing, so that neighbours do not touch.
  ShapeSpec shape;
  shape.kind = ShapeKind::kBox;
  shape.size = {0.9 * kPlateSpacing, 0.01, 0.9 * kPlateSpacing};
  BodySpec body;
  body.name = plate_name(row, column);
  body.material = "steel";
  body.pose.position = plate_position(row, column);
  body.shapes.push_back(std::move(shape));
  return body;
}

}  // namespace

Result<ModelSpec> generate_ladder(int loops, LadderKind kind) {
  // Loops share their cranks: k loops have k + 1 of them and k couplers.
  const Result<void> range = check_range("loops", loops, 1, (kMostGenerated - 1) / 2);
  ESPALIER_TRY(range);
  ModelSpec spec;
  spec.name = fmt::format("{} ladder of {} four-bars", kind == LadderKind::kPlanar ? "planar" : "spatial", loops);
  spec.materials.push_back(steel());
  spec.bodies.reserve(2 * to_index(loops) + 1);
  spec.joints.reserve(3 * to_index(loops) + 1);
  Crank previous;
  for (int k = 0; k <= loops; ++k) {
    const Crank crank = ladder_crank(k, kind);
    spec.bodies.push_back(bar(crank.name, crank.base, crank.tip, -crank.axis, kSteelBar));
    spec.joints.push_back(pin_at(fmt::format("ground_{}", k), kGround, crank.name, crank.base, crank.axis));
    if (k > 0) add_coupler(spec, k, previous, crank, kind);
    previous = crank;
  }
  return spec;
}

Result<ModelSpec> generate_chain(int bodies) {
  const Result<void> range = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(range);
  // 0.3 m long, off the vertical: a chain that hung straight would stay at rest.
  const Vector3d link(0.18, 0, -0.24);
  ModelSpec spec;
  spec.name = fmt::format("chain of {} bars", bodies);
  spec.materials.push_back(steel());
  spec.bodies.reserve(to_index(bodies));
  spec.joints.reserve(to_index(bodies));
  std::string previous = kGround;
  for (int k = 1; k <= bodies; ++k) {
    std::string name = fmt::format("link_{}", k);
    spec.bodies.push_back(bar(name, (k - 1) * link, k * link, kNormal, kSteelBar));
    spec.joints.push_back(pin_at(fmt::format("pin_{}", k), previous, name, (k - 1) * link, axis_of_level(k - 1)));
    previous = std::move(name);
  }
  return spec;
}

Result<ModelSpec> generate_tree(int levels) {
  const Result<void> range = check_range("levels", levels, 1, 19);
  ESPALIER_TRY(range);
  const int bodies = (1 << levels) - 1;
  ModelSpec spec;
  spec.name = fmt::format("binary tree of {} bars", bodies);
  spec.materials.push_back(steel());
  // Numbered as a heap: the children of k are 2k and 2k+1. tip[0] is where the root hangs.
  std::vector<Vector3d> tip(to_index(bodies) + 1, Vector3d::Zero());
  for (int k = 1; k <= bodies; ++k) {
    // Exact for powers of two (docs/theory/base.md); all others lie well between two whole numbers.
    const int level = static_cast<int>(elementary::log2(k));
    const Vector3d base = tip[to_index(k / 2)];
    const double side = k == 1 ? 0 : (k % 2 == 0 ? -1 : 1);
    // Each level spreads half as wide as the one above, so no two bars of a level meet.
    tip[to_index(k)] = base + Vector3d(side * std::ldexp(2.0, -level), 0, -0.3);
    const std::string name = fmt::format("bar_{}", k);
    const std::string parent = k == 1 ? kGround : fmt::format("bar_{}", k / 2);
    spec.bodies.push_back(bar(name, base, tip[to_index(k)], kNormal, kSteelBar));
    spec.joints.push_back(pin_at(fmt::format("pin_{}", k), parent, name, base, axis_of_level(level)));
  }
  return spec;
}

Result<ModelSpec> generate_lattice(int rows, int columns, JointType joint) {
  const Result<void> rows_range = check_range("rows", rows, 1, kMostGenerated);
  ESPALIER_TRY(rows_range);
  const Result<void> columns_range = check_range("columns", columns, 1, kMostGenerated / rows);
  ESPALIER_TRY(columns_range);
  if (joint == JointType::kFixed) {
    return make_error(ErrorCode::kOption, {}, "a lattice of fixed joints is one rigid body; choose a movable joint");
  }
  // One frame for all joints, so that hinges leave the lattice in its plane.
  const Quaterniond frame = math::rotation_with_z(kPlaneAxis);
  ModelSpec spec;
  spec.name = fmt::format("lattice of {} x {} plates, {} joints", rows, columns, joint_kind(joint).name);
  spec.materials.push_back(steel());
  const auto add_joint = [&](std::string name, std::string a, std::string b, const Vector3d& point) {
    spec.joints.push_back(joint_at(std::move(name), joint, std::move(a), std::move(b), point, frame));
    if (joint == JointType::kScrew) spec.joints.back().pitch = kScrewPitch;
  };
  // At the plate's outer corner, where no neighbour is.
  add_joint("ground", kGround, plate_name(0, 0), Vector3d(-kPlateSpacing / 2, 0, kPlateSpacing / 2));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      spec.bodies.push_back(plate(r, c));
      const Vector3d here = plate_position(r, c);
      // To the left and upwards: each pair of neighbours gets one joint.
      if (c > 0) {
        add_joint(fmt::format("row_{}_{}", r, c), plate_name(r, c - 1), plate_name(r, c),
                  (plate_position(r, c - 1) + here) / 2);
      }
      if (r > 0) {
        add_joint(fmt::format("column_{}_{}", r, c), plate_name(r - 1, c), plate_name(r, c),
                  (plate_position(r - 1, c) + here) / 2);
      }
    }
  }
  return spec;
}

Result<ModelSpec> generate_random(int bodies, int joints, std::uint64_t seed) {
  const Result<void> bodies_range = check_range("bodies", bodies, 1, kMostGenerated);
  ESPALIER_TRY(bodies_range);
  // Fewer joints leave it in pieces; more than one a pair would be parallel.
  const long long pairs = static_cast<long long>(bodies) * (bodies + 1) / 2;
  const Result<void> joints_range = check_range("joints", joints, bodies, std::min(pairs, 4LL * kMostGenerated));
  ESPALIER_TRY(joints_range);
  ModelSpec spec;
  spec.name = fmt::format("random mechanism of {} bodies and {} joints, seed {}", bodies, joints, seed);
  spec.materials.push_back(steel());
  // One body per eighth of a cubic metre, however many there are.
  const double side = 0.5 * elementary::cbrt(bodies);
  Random places(seed, 1);
  for (int k = 1; k <= bodies; ++k) {
    // One after the other: the order in which arguments are evaluated is the compiler's.
    const double x = places.uniform(0, side);
    const double y = places.uniform(0, side);
    spec.bodies.push_back(ball(fmt::format("ball_{}", k), Vector3d(x, y, places.uniform(0, side))));
  }
  // A stream of its own, as in random_edges().
  Random frames(seed, 2);
  const auto name = [&](int v) { return v == 0 ? std::string(kGround) : spec.bodies[v - 1].name; };
  const auto place = [&](int v) { return v == 0 ? Vector3d(0, 0, 0) : spec.bodies[v - 1].pose.position; };
  for (const auto& [a, b] : random_edges(bodies, joints, seed)) {
    const JointType type = random_joint_type(frames);
    spec.joints.push_back(joint_at(fmt::format("joint_{}", spec.joints.size() + 1), type, name(a), name(b),
                                   (place(a) + place(b)) / 2, random_rotation(frames)));
    if (type == JointType::kScrew) spec.joints.back().pitch = kScrewPitch;
  }
  return spec;
}

}  // namespace espalier::model
