// Question: how long does it take to find where two shapes touch, beside Bullet in double precision on the same pairs,
// and which of ten thousand boxes are near each other?
//   touching   pairs that overlap a little, as bodies of a pile do
//   near       pairs whose boxes along the axes overlap while they themselves do not
// Times are the least of all passes, a pair [ns]; `points` is the mean number of contact points of a pair.
// Usage: collide [CSV]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/geometry/geometry.hpp"
#ifdef BENCH_BULLET
#include "bench/peers/bullet.hpp"
#endif

namespace {

namespace geometry = espalier::geometry;
using geometry::Geometry;
using Eigen::Vector3d;
using espalier::Random;
using espalier::math::Pose;
using espalier::model::ShapeKind;

constexpr int kPairs = 100;
constexpr int kShapes = 20;      // of a kind
constexpr double kBudget = 0.5;  // [s] a program and case

Vector3d random_vector(Random& random, double range) {
  return {random.uniform(-range, range), random.uniform(-range, range), random.uniform(-range, range)};
}

Pose random_pose(Random& random, double range) {
  const Eigen::Quaterniond turn(random.normal(), random.normal(), random.normal(), random.normal());
  return {random_vector(random, range), turn.normalized()};
}

espalier::model::ShapeSpec random_shape(ShapeKind kind, Random& random) {
  espalier::model::ShapeSpec spec;
  spec.kind = kind;
  spec.size = Vector3d::Ones() + random_vector(random, 0.3);
  if (kind == ShapeKind::kSphere) spec.size *= 0.5;
  if (kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder) spec.size[0] *= 0.4;
  if (kind == ShapeKind::kEllipsoid) spec.size *= 0.5;
  if (kind == ShapeKind::kHull) {
    for (int k = 0; k < 12; ++k) spec.points.push_back(0.6 * random_vector(random, 1).normalized());
  }
  return spec;
}

struct Pairs {
  std::vector<Geometry> shapes;  // pair k is 2 k and 2 k + 1
  std::vector<Pose> poses;
};

std::vector<geometry::Touch> touches_of(const Geometry& a, const Pose& X_WA, const Geometry& b, const Pose& X_WB) {
  std::vector<geometry::Touch> touches;
  geometry::collide(a, X_WA, b, X_WB, 0, touches);
  return touches;
}

bool boxes_overlap(const Geometry& a, const Pose& X_WA, const Geometry& b, const Pose& X_WB) {
  const geometry::Box one = geometry::bounds(a, X_WA);
  const geometry::Box other = geometry::bounds(b, X_WB);
  return (one.low.array() <= other.high.array()).all() && (other.low.array() <= one.high.array()).all();
}

// Draws until a pair is as wanted: touching no deeper than a tenth of their size, or near.
Pairs draw_pairs(ShapeKind kind, bool touching) {
  std::vector<Geometry> shapes;
  for (std::uint32_t k = 0; k < kShapes; ++k) {
    Random random(6, k);
    shapes.push_back(geometry::make_geometry(random_shape(kind, random)).value());
  }
  Pairs pairs;
  for (std::uint32_t draw = 0; static_cast<int>(pairs.shapes.size()) < 2 * kPairs; ++draw) {
    Random random(7, draw);
    const Geometry& a = shapes[random.below(kShapes)];
    const Geometry& b = shapes[random.below(kShapes)];
    const Pose X_WA = random_pose(random, 0.8);
    const Pose X_WB = random_pose(random, 0.8);
    if (!boxes_overlap(a, X_WA, b, X_WB)) continue;
    double gap = 1e300;
    for (const geometry::Touch& touch : touches_of(a, X_WA, b, X_WB)) gap = std::min(gap, touch.gap);
    const bool fits = touching ? gap < 0 && gap > -0.1 : gap > 0;
    if (!fits) continue;
    pairs.shapes.insert(pairs.shapes.end(), {a, b});
    pairs.poses.insert(pairs.poses.end(), {X_WA, X_WB});
  }
  return pairs;
}

#ifdef BENCH_BULLET
std::optional<bench::BulletPairs> bullet_pairs(ShapeKind kind, const Pairs& pairs) {
  std::vector<Vector3d> halves;
  std::vector<std::vector<Vector3d>> points;
  for (const Geometry& shape : pairs.shapes) {
    halves.push_back(shape.size);
    if (shape.polyhedron) points.push_back(shape.polyhedron->vertices);
  }
  if (kind == ShapeKind::kBox) return bench::BulletPairs::of_boxes(halves, pairs.poses);
  if (points.size() == pairs.shapes.size()) return bench::BulletPairs::of_hulls(points, pairs.poses);
  return std::nullopt;
}
#endif

void time_pairs(ShapeKind kind, bool touching, std::FILE* csv) {
  const Pairs pairs = draw_pairs(kind, touching);
  std::vector<geometry::Touch> touches;
  double points = 0;
  double bullet_points = 0;
  const auto ours = [&](int) {
    points = 0;
    for (int k = 0; k < kPairs; ++k) {
      touches.clear();
      geometry::collide(pairs.shapes[2 * k], pairs.poses[2 * k], pairs.shapes[2 * k + 1], pairs.poses[2 * k + 1], 0,
                       touches);
      points += static_cast<double>(touches.size());
    }
  };
  std::function<void(int)> theirs;
#ifdef BENCH_BULLET
  std::optional<bench::BulletPairs> bullet = bullet_pairs(kind, pairs);
  if (bullet) {
    theirs = [&](int) {
      bullet_points = 0;
      for (int k = 0; k < kPairs; ++k) bullet_points += bullet->collide(k);
    };
  }
#endif
  const std::vector<bench::Times> times = bench::time_in_turns({ours, theirs}, kBudget);
  const double nanoseconds = 1e9 / kPairs;
  const char* how = touching ? "touching" : "near";
  std::printf("%-10s %-9s %9.0f %7.2f", espalier::model::word(kind), how, nanoseconds * times[0].least,
              points / kPairs);
  if (times[1].known()) {
    std::printf(" %11.0f %7.2f %8.2f", nanoseconds * times[1].least, bullet_points / kPairs,
                times[1].least / times[0].least);
  }
  std::printf("\n");
  if (csv == nullptr) return;
  std::fprintf(csv, "%s,%s,%.1f,%.3f,", espalier::model::word(kind), how, nanoseconds * times[0].least,
               points / kPairs);
  if (times[1].known()) std::fprintf(csv, "%.1f,%.3f", nanoseconds * times[1].least, bullet_points / kPairs);
  std::fprintf(csv, "%s\n", times[1].known() ? "" : ",");
}

// Boxes of like size, or of sizes over two decades, at such a density that each has some 24 neighbours.
void time_broad_phase(int count, bool mixed, std::FILE* csv) {
  Random random(8);
  std::vector<geometry::Box> boxes;
  const double side = std::cbrt(count / 3.0) * (mixed ? 0.35 : 1);
  for (int k = 0; k < count; ++k) {
    const double size = mixed ? std::pow(10, random.uniform(-2, 0)) : random.uniform(0.8, 1.2);
    const Vector3d low = Vector3d(random.uniform(), random.uniform(), random.uniform()) * side;
    boxes.push_back({low, low + Vector3d::Constant(size)});
  }
  geometry::BroadPhase memory;
  const bench::Times times = bench::time_in_turns({[&](int) { geometry::find_pairs(boxes, memory); }}, kBudget)[0];
  const char* sizes = mixed ? "mixed" : "like";
  std::printf("%-10d %-9s %9.3f %9zu %11.1f\n", count, sizes, 1e3 * times.least, memory.pairs.size(),
              1e9 * times.least / static_cast<double>(memory.pairs.size()));
  if (csv != nullptr) {
    std::fprintf(csv, "broad phase %d,%s,%.1f,%zu,,\n", count, sizes, 1e9 * times.least, memory.pairs.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "shapes,pairs,least_ns,points,bullet_ns,bullet_points\n");
  std::printf("%-10s %-9s %9s %7s %11s %7s %8s\n", "shapes", "pairs", "time [ns]", "points", "Bullet [ns]", "points",
              "Bullet/us");
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kHull,
                               ShapeKind::kCylinder, ShapeKind::kEllipsoid}) {
    for (const bool touching : {true, false}) time_pairs(kind, touching, csv);
  }
  std::printf("\n%-10s %-9s %9s %9s %11s\n", "boxes", "sizes", "time [ms]", "pairs", "a pair [ns]");
  for (const int count : {1000, 10000, 100000}) {
    for (const bool mixed : {false, true}) time_broad_phase(count, mixed, csv);
  }
  if (csv != nullptr) std::fclose(csv);
}
