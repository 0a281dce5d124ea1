// Question: what does a step of a pile cost, part by part, on how many ranks, and how much does a rank hold and send?
// Prints one line for bench/run_piles, which asks for all of them. Wall time of a step is the median of those measured;
// parts are means over ranks of their own time, without messages; memory is the
// most that was held at once in a step. Every step takes the same sweeps on any number of
// ranks, since its numbers are the same.
// Usage: mpirun -n P piles SCENE BODIES [WARM STEPS STORAGE WEIGHTS ORDER]
//   SCENE    spheres  equal ones in pits of four, between walls
//            boxes    bricks, each on four
//            mixed    columns: a third spheres, a third prisms of 24 sides, a third pseudo-rigid boxes; some pinned
//   WEIGHTS  measured, counted, or the factor of the formula; with a + before it space is cut anew every five steps

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/model/model.hpp"

namespace {

// Bytes that `new` has handed out here, now and at most.
struct Heap {
  std::int64_t now = 0, most = 0;
};
Heap heap;

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  heap.now += static_cast<std::int64_t>(malloc_usable_size(memory));
  heap.most = std::max(heap.most, heap.now);
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) heap.now -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

using namespace espalier;
using namespace espalier::contact;
using Eigen::Vector3d;

constexpr double kSize = 0.1;  // [m]

model::ModelSpec ground() {
  model::ModelSpec spec;
  spec.name = "pile";
  spec.materials.push_back({"stone", 2000.0, 1e8, 4e7, 0.5, 0.0, {}});
  model::BodySpec floor;
  floor.name = model::kGround;
  model::ShapeSpec plane;
  plane.kind = model::ShapeKind::kPlane;
  floor.shapes.push_back(plane);
  spec.bodies.push_back(floor);
  spec.contact = model::ContactSpec{};
  spec.contact->margin = 1e-3;
  return spec;
}

void add_wall(model::ModelSpec& spec, const Vector3d& point, const Vector3d& inwards) {
  model::ShapeSpec plane;
  plane.kind = model::ShapeKind::kPlane;
  plane.pose.position = point;
  plane.pose.rotation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), inwards);
  spec.bodies.front().shapes.push_back(plane);
}

model::BodySpec& add(model::ModelSpec& spec, const model::ShapeSpec& shape, const Vector3d& place) {
  model::BodySpec body;
  body.name = std::to_string(spec.bodies.size());
  body.shapes.push_back(shape);
  body.material = "stone";
  body.pose.position = place;
  spec.bodies.push_back(body);
  return spec.bodies.back();
}

model::ShapeSpec shape_of(model::ShapeKind kind, const Vector3d& size) {
  model::ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  return shape;
}

// As high as wide.
int side_of(int bodies, double height) {
  return std::max(2, static_cast<int>(std::lround(std::cbrt(bodies * height))));
}

// Layers of n x n and (n - 1) x (n - 1) in turns, each sphere on four. Neighbours of a layer do not touch.
model::ModelSpec spheres(int bodies) {
  model::ModelSpec spec = ground();
  const double pitch = 1.02 * kSize;
  const double rise = std::sqrt(kSize * kSize - pitch * pitch / 2);
  const int side = side_of(bodies, rise / pitch);
  for (int layer = 0; static_cast<int>(spec.bodies.size()) <= bodies; ++layer) {
    const int wide = side - layer % 2;
    for (int k = 0; k < wide * wide && static_cast<int>(spec.bodies.size()) <= bodies; ++k) {
      const double shift = layer % 2 * 0.5;
      add(spec, shape_of(model::ShapeKind::kSphere, {kSize / 2, 0, 0}),
          {pitch * (k % wide + shift), pitch * (k / wide + shift), kSize / 2 + rise * layer});
    }
  }
  const double low = -kSize / 2, high = pitch * (side - 1) + kSize / 2;
  add_wall(spec, {low, 0, 0}, Vector3d::UnitX());
  add_wall(spec, {high, 0, 0}, -Vector3d::UnitX());
  add_wall(spec, {0, low, 0}, Vector3d::UnitY());
  add_wall(spec, {0, high, 0}, -Vector3d::UnitY());
  return spec;
}

// Layers in turns, shifted by half a brick both ways.
model::ModelSpec boxes(int bodies) {
  model::ModelSpec spec = ground();
  const Vector3d brick(kSize, 0.8 * kSize, 0.6 * kSize);
  const int side = side_of(bodies, 0.6);
  for (int k = 0; k < bodies; ++k) {
    const int layer = k / (side * side);
    const double shift = layer % 2 * 0.5;
    add(spec, shape_of(model::ShapeKind::kBox, brick),
        {1.03 * brick.x() * (k % side + shift), 1.03 * brick.y() * (k / side % side + shift),
         brick.z() * (layer + 0.5)});
  }
  return spec;
}

model::ModelSpec mixed(int bodies) {
  model::ModelSpec spec = ground();
  const int side = side_of(bodies, 1);
  for (int k = 0; k < bodies; ++k) {
    const int column = k % side;
    const Vector3d place(1.03 * kSize * column, 1.03 * kSize * (k / side % side), kSize * (k / side / side + 0.5));
    if (3 * column < side) {
      add(spec, shape_of(model::ShapeKind::kSphere, {kSize / 2, 0, 0}), place);
    } else if (3 * column < 2 * side) {
      add(spec, shape_of(model::ShapeKind::kCylinder, {kSize / 2, kSize, 0}), place);
    } else {
      add(spec, shape_of(model::ShapeKind::kBox, {kSize, kSize, kSize}), place).kind = model::BodyKind::kPseudoRigid;
    }
    if (k % 20 != 0) continue;
    model::JointSpec joint;
    joint.name = "pin" + std::to_string(k);
    joint.type = model::JointType::kSpherical;
    joint.a = model::kGround;
    joint.b = spec.bodies.back().name;
    joint.at = math::Pose{};
    joint.at->position = place;
    spec.joints.push_back(joint);
  }
  return spec;
}

Scene make(const std::string& name, int bodies) {
  const model::ModelSpec spec = name == "spheres" ? spheres(bodies) : name == "boxes" ? boxes(bodies) : mixed(bodies);
  return bench::need(make_scene(bench::need(model::compile(spec))));
}

Settings settings_of(const std::string& storage, std::string weights, const std::string& order) {
  Settings settings;
  settings.step = 1e-3;
  settings.solve.solver = Solver::kGaussSeidel;
  settings.solve.tolerance = 1e-4;
  settings.solve.max_sweeps = 50;
  settings.storage = storage == "redundant" ? Storage::kRedundant : Storage::kEfficient;
  settings.order = order == "ranks" ? Order::kRanks : Order::kKeys;
  if (weights.starts_with("+")) {
    settings.imbalance = 0;
    weights.erase(0, 1);
  }
  if (weights == "counted") {
    settings.weighing = Weighing::kCounted;
  } else if (weights != "measured") {
    settings.weighing = Weighing::kFormula;
    settings.weight_factor = std::atof(weights.c_str());
  }
  return settings;
}

struct Traffic {
  double neighbours = 0, collectives = 0, messages = 0;  // of all ranks
};
Traffic traffic_of(const comm::Comm& comm) {
  const comm::Traffic traffic = comm.traffic();
  const comm::Traffic::Count exchanged = traffic.of(comm::Collective::kExchange), all = traffic.total();
  std::array<double, 3> sums = {static_cast<double>(exchanged.bytes), static_cast<double>(all.bytes - exchanged.bytes),
                                static_cast<double>(all.messages)};
  comm::sum(comm, std::span<double>(sums));
  return {sums[0], sums[1], sums[2]};
}

struct Spread {
  double mean = 0, most = 0;
  double imbalance() const { return mean > 0 ? most / mean : 1; }
};
Spread over_ranks(const comm::Comm& comm, double mine) {
  return {comm::sum(comm, mine) / comm.size(), comm::max(comm, mine)};
}

void add_times(const StepTimes& times, StepTimes& sum) {
  sum.balance += times.balance;
  sum.bodies += times.bodies;
  sum.exchange += times.exchange;
  sum.broad += times.broad;
  sum.narrow += times.narrow;
  sum.assemble += times.assemble;
  sum.solve += times.solve;
  sum.messages += times.messages;
}

struct Measured {
  std::vector<double> walls;
  StepTimes times;
  StepReport last;
  double sweeps = 0, moved = 0, heap = 0;
  int cuts = 0;
};

Measured run(const comm::Comm& comm, Engine& engine, int steps) {
  Measured measured;
  heap.most = heap.now;
  for (int k = 0; k < steps; ++k) {
    const double start = bench::wall_seconds();
    measured.last = engine.step(comm);
    measured.walls.push_back(bench::wall_seconds() - start);
    add_times(measured.last.times, measured.times);
    measured.sweeps += measured.last.solved.sweeps;
    measured.moved += measured.last.moved;
    measured.cuts += measured.last.shared_out ? 1 : 0;
  }
  std::sort(measured.walls.begin(), measured.walls.end());
  measured.heap = static_cast<double>(heap.most);
  return measured;
}

void print(const comm::Comm& comm, const Engine& engine, const Measured& measured, const Traffic& traffic, int steps,
           const std::string& head) {
  const StepTimes& t = measured.times;
  const double per_step = 1e3 / steps;
  const auto part = [&](double mine) { return over_ranks(comm, mine).mean * per_step; };
  const std::vector<double> parts = {part(t.broad),    part(t.narrow), part(t.assemble), part(t.solve),
                                     part(t.exchange), part(t.bodies), part(t.balance),  part(t.messages)};
  const std::vector<double> imbalances = {over_ranks(comm, t.own()).imbalance(), over_ranks(comm, t.bodies).imbalance(),
                                          over_ranks(comm, t.broad + t.narrow).imbalance(),
                                          over_ranks(comm, t.assemble + t.solve).imbalance()};
  const Spread held = over_ranks(comm, measured.heap);
  const Engine::Held here = engine.held(comm);
  const Spread stored = over_ranks(comm, static_cast<double>(here.bodies));
  const auto extra = comm::sum(comm, here.bodies - here.needed);
  if (!comm.is_root()) return;
  std::printf("%s,%.4g", head.c_str(), 1e3 * measured.walls[measured.walls.size() / 2]);
  for (const double x : parts) std::printf(",%.4g", x);
  for (const double x : imbalances) std::printf(",%.3f", x);
  std::printf(",%d,%.3g,%d", measured.last.contacts, measured.sweeps / steps, measured.last.colours);
  std::printf(",%.4g,%.4g,%.4g", traffic.neighbours / steps, traffic.collectives / steps, traffic.messages / steps);
  std::printf(",%.4g,%.4g,%.0f,%.1f,%lld,%d,%.3f\n", held.most, held.mean, stored.most, stored.mean,
              static_cast<long long>(extra), measured.cuts, measured.cuts > 0 ? measured.moved / measured.cuts : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session session;
  const comm::Comm comm = comm::Comm::world();
  if (argc < 3) {
    std::puts(
        "scene,bodies,ranks,storage,weights,order,step_ms,broad_ms,narrow_ms,assemble_ms,solve_ms,exchange_ms,bodies_"
        "ms,"
        "balance_ms,messages_ms,imbalance,imbalance_bodies,imbalance_detection,imbalance_rows,contacts,sweeps,colours,"
        "neighbour_bytes,collective_bytes,messages,heap_most,heap_mean,stored_most,stored_mean,not_needed,cuts,moved");
    return 0;
  }
  const auto word = [&](int k, const char* otherwise) { return std::string(argc > k ? argv[k] : otherwise); };
  const int bodies = std::atoi(argv[2]), warm = std::atoi(word(3, "20").c_str()),
            steps = std::atoi(word(4, "20").c_str());
  const std::string storage = word(5, "efficient"), weights = word(6, "measured"), order = word(7, "keys");
  Engine engine(comm, comm.is_root() ? make(argv[1], bodies) : Scene{}, settings_of(storage, weights, order));
  run(comm, engine, warm);
  const Traffic before = traffic_of(comm), idle = traffic_of(comm);
  const Measured measured = run(comm, engine, steps);
  Traffic traffic = traffic_of(comm);
  // What counting itself sends.
  traffic.neighbours -= idle.neighbours;
  traffic.collectives -= 2 * idle.collectives - before.collectives;
  traffic.messages -= 2 * idle.messages - before.messages;
  const std::string head = std::string(argv[1]) + ',' + argv[2] + ',' + std::to_string(comm.size()) + ',' + storage +
                           ',' + weights + ',' + order;
  print(comm, engine, measured, traffic, steps, head);
  return 0;
}
