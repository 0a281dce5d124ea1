#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"
#include "espalier/model/detail/parts.hpp"
#include "espalier/model/generate.hpp"

// One leg, seen against y (x to the right, z up). Theo Jansen's lengths ("The Great Pretender", 010 Publishers 2007),
// taken as centimetres:
//   a 38 and l 7.8: the frame's pin Y lies this far left of and below the crank's axis Z
//   m 15 crank Z-X | j 50 X-W | k 61.9 X-U | b 41.5 Y-W | c 39.3 Y-U | d 40.1 Y-V | e 55.8 W-V | f 39.4 V-T
//   g 36.7 U-T | h 65.7 T-S | i 49 U-S, S the foot
//
//          W ___ j
//        e/|    ---___ X
//        / |b      /  m\        bodies: j, k, c, f, upper triangle Y W V, lower triangle U T S (and the crank, shared)
//      V---Y      / k   Z       joints: X: crank-j, crank-k | W: j-upper | Y: ground-upper, ground-c | V: upper-f
//      |f  |c   /                       T: f-lower | U: k-c, c-lower
//      T---U---                 9 joints - 6 bodies = 3 loops
//       \  |i                   in its plane 3 * 6 - 2 * 9 = 0: the crank alone decides
//      h \ |
//          S

namespace espalier::model {
namespace {

using detail::bar;
using detail::bar_shape;
using detail::BarStock;
using detail::pin_at;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kCentimetre = 0.01;
constexpr double kA = 38 * kCentimetre, kB = 41.5 * kCentimetre, kC = 39.3 * kCentimetre, kD = 40.1 * kCentimetre,
                 kE = 55.8 * kCentimetre, kF = 39.4 * kCentimetre, kG = 36.7 * kCentimetre, kH = 65.7 * kCentimetre,
                 kI = 49 * kCentimetre, kJ = 50 * kCentimetre, kK = 61.9 * kCentimetre, kL = 7.8 * kCentimetre,
                 kM = 15 * kCentimetre;
constexpr double kHeight = 1.0;        // of the crank's axis [m]
constexpr double kPairSpacing = 0.15;  // along the crank's axis [m]

// 12 mm square at 1400 kg/m^3: 0.2016 kg/m, a plastic tube.
const BarStock kTube = {"tube", 0.012};
const Vector3d kAxis = -Vector3d::UnitY();
const Vector3d kNormal = Vector3d::UnitY();  // of the bars

// The point at distance rp from p and rq from q, to the left of the way from p to q.
Vector2d left_corner(const Vector2d& p, double rp, const Vector2d& q, double rq) {
  const double distance = (q - p).norm();
  const Vector2d along = (q - p) / distance;
  const double x = (distance * distance + rp * rp - rq * rq) / (2 * distance);
  const double square = rp * rp - x * x;
  // Jansen's lengths reach round the whole turn of the crank; another set of lengths would not.
  ESPALIER_CHECK(square > 0, "Jansen's linkage closes at every crank angle");
  return p + x * along + std::sqrt(square) * Vector2d(-along.y(), along.x());
}

// The seven pins and the foot of a leg that stands to the left of the crank.
struct Leg {
  Vector2d X, Y, W, U, V, T, S;
};

Leg left_leg(double crank_angle) {
  Leg leg;
  leg.X = kM * Vector2d(elementary::cos(crank_angle), elementary::sin(crank_angle));
  leg.Y = Vector2d(-kA, -kL);
  // In the order in which each corner finds its two neighbours placed.
  leg.W = left_corner(leg.Y, kB, leg.X, kJ);
  leg.U = left_corner(leg.X, kK, leg.Y, kC);
  leg.V = left_corner(leg.Y, kD, leg.W, kE);
  leg.T = left_corner(leg.U, kG, leg.V, kF);
  leg.S = left_corner(leg.U, kI, leg.T, kH);
  return leg;
}

// Where the points of a leg's plane lie in the world. The right leg is the mirror image of the left one.
struct Plane {
  double y;
  bool mirrored;

  Vector3d operator()(const Vector2d& p) const { return {mirrored ? -p.x() : p.x(), y, kHeight + p.y()}; }
};

// A triangle of three bars; its frame stands at the first corner, axes as the world's.
BodySpec triangle(std::string name, const std::array<Vector3d, 3>& corners) {
  BodySpec body;
  body.name = std::move(name);
  body.material = kTube.material;
  body.pose.position = corners[0];
  for (std::size_t k = 0; k < 3; ++k) {
    body.shapes.push_back(bar_shape(corners[k], corners[(k + 1) % 3], kNormal, kTube, body.pose));
  }
  return body;
}

void add_leg(ModelSpec& spec, const std::string& name, const Leg& leg, const Plane& at) {
  const auto part = [&](const char* what) { return fmt::format("{}_{}", name, what); };
  const std::string j = part("j"), k = part("k"), c = part("c"), f = part("f");
  const std::string upper = part("upper"), lower = part("lower");
  spec.bodies.push_back(bar(j, at(leg.X), at(leg.W), kNormal, kTube));
  spec.bodies.push_back(bar(k, at(leg.X), at(leg.U), kNormal, kTube));
  spec.bodies.push_back(triangle(upper, {at(leg.Y), at(leg.W), at(leg.V)}));
  spec.bodies.push_back(bar(c, at(leg.Y), at(leg.U), kNormal, kTube));
  spec.bodies.push_back(bar(f, at(leg.V), at(leg.T), kNormal, kTube));
  spec.bodies.push_back(triangle(lower, {at(leg.U), at(leg.T), at(leg.S)}));

  const auto pin = [&](const char* what, std::string a, std::string b, const Vector2d& point) {
    spec.joints.push_back(pin_at(part(what), std::move(a), std::move(b), at(point), kAxis));
  };
  pin("X_j", "crank", j, leg.X);
  pin("X_k", "crank", k, leg.X);
  pin("W", j, upper, leg.W);
  pin("Y_upper", kGround, upper, leg.Y);
  pin("Y_c", kGround, c, leg.Y);
  pin("V", upper, f, leg.V);
  pin("T", f, lower, leg.T);
  pin("U_c", k, c, leg.U);
  pin("U_lower", c, lower, leg.U);
}

// Arms from the axis to each pin, and a bar along the axis.
BodySpec crankshaft(const std::vector<double>& angles, const std::vector<double>& stations) {
  BodySpec body;
  body.name = "crank";
  body.material = kTube.material;
  body.pose.position = {0, 0, kHeight};
  const Vector3d first(0, stations.front() - kPairSpacing / 2, kHeight);
  const Vector3d last(0, stations.back() + kPairSpacing / 2, kHeight);
  body.shapes.push_back(bar_shape(first, last, Vector3d::UnitZ(), kTube, body.pose));
  for (std::size_t p = 0; p < angles.size(); ++p) {
    const Vector3d foot(0, stations[p], kHeight);
    const Vector3d pin = foot + kM * Vector3d(elementary::cos(angles[p]), 0, elementary::sin(angles[p]));
    body.shapes.push_back(bar_shape(foot, pin, kNormal, kTube, body.pose));
  }
  return body;
}

}  // namespace

Result<ModelSpec> generate_strandbeest(int pairs) {
  // Twelve bodies for a pair of legs, and the crank.
  const Result<void> range = detail::check_range("pairs", pairs, 1, (kMostGenerated - 1) / 12);
  ESPALIER_TRY(range);
  ModelSpec spec;
  spec.name = fmt::format("strandbeest of {} pairs of legs", pairs);
  MaterialSpec tube;
  tube.name = kTube.material;
  tube.density = 1400;
  spec.materials.push_back(std::move(tube));

  std::vector<double> angles, stations;
  // All pairs share the crank, their arms evenly spread over a turn.
  for (int p = 0; p < pairs; ++p) {
    angles.push_back(2 * std::numbers::pi * p / pairs);
    stations.push_back(kPairSpacing * (p - (pairs - 1) / 2.0));
  }
  spec.bodies.push_back(crankshaft(angles, stations));
  spec.joints.push_back(pin_at("crank", kGround, "crank", {0, 0, kHeight}, kAxis));
  spec.joints.back().velocity = {std::numbers::pi};  // half a turn a second
  for (int p = 0; p < pairs; ++p) {
    const double y = stations[to_index(p)];
    const double angle = angles[to_index(p)];
    add_leg(spec, fmt::format("left_{}", p + 1), left_leg(angle), {y, false});
    // Mirrored at the crank's axis, the crank pin stands at pi - angle.
    add_leg(spec, fmt::format("right_{}", p + 1), left_leg(std::numbers::pi - angle), {y, true});
  }
  return spec;
}

}  // namespace espalier::model
