#include "espalier/dynamics/detail/ode_batch.hpp"

#include <algorithm>
#include <array>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/batch_data.hpp"
#include "espalier/dynamics/detail/engine.hpp"
#include "espalier/dynamics/detail/power.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics::detail {
namespace {

void prepare(const Ode& like, OdeBatch& batch) {
  if (batch.work && batch.dropped == like.work->dropped) return;
  batch.dropped = like.work->dropped;
  batch.work = std::make_unique<BatchWorkspace>(like.system, batch.dropped);
  // The program of the kernel depends on which rows are left out: other rows, another batch.
  (*batch.work)->engine.use_threads(like.work->threads);
  batch.q.resize(like.positions);
  batch.v.resize(like.velocities);
  batch.effort.resize(like.system->velocity_size);
  batch.lambda.resize(like.system->rows);
}

// f of one lane of an evaluated batch.
bool take_slope(const Ode& like, int lane, OdeBatch& batch, const SlopeAt& asked) {
  const System& system = like.system;
  const std::span<double> effort{batch.effort.data(), like.velocities};
  const std::span<double> lambda{batch.lambda.data(), to_index(system->rows)};
  // Out of the pack, since power is summed up by code for one state.
  get_lane(batch.work->effort(), lane, effort);
  get_lane(batch.work->lambda(), lane, lambda);
  set_position_rates(system, *asked.y, *asked.f);
  get_lane(batch.work->qdd(), lane, like.v(*asked.f));
  (*asked.f)[like.size() - 1] = exchanged_power(system, asked.time, like.q(*asked.y), like.v(*asked.y),
                                                (*batch.work)->links[to_index(lane)], effort, lambda);
  return asked.f->allFinite();
}

}  // namespace

std::span<Point> OdeBatch::points(const Ode& ode, std::size_t count) {
  if (point.empty()) point.assign(kBatch, Point(ode.size()));
  return {point.data(), count};
}

std::bitset<kBatch> derivatives_of(const Ode& like, std::span<const SlopeAt> asked, OdeBatch& batch) {
  ESPALIER_CHECK(!asked.empty() && asked.size() <= kBatch, "a batch has one to eight states");
  prepare(like, batch);
  for (int lane = 0; lane < kBatch; ++lane) {
    const SlopeAt& state = asked[std::min(to_index(lane), asked.size() - 1)];
    // Lanes that are over take the last state again: they must hold numbers, and are not read.
    batch.time.of[to_index(lane)] = state.time;
    set_lane(like.q(*state.y), lane, batch.q);
    set_lane(like.v(*state.y), lane, batch.v);
  }
  const auto lanes = static_cast<int>(asked.size());
  std::bitset<kBatch> good;
  if (!evaluate_batch(like.system, batch.time, batch.q, batch.v, *batch.work, lanes)) return good;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto k = to_index(lane);
    good[k] = take_slope(like, lane, batch, asked[k]);
  }
  return good;
}

void take_motion(const OdeBatch& batch, int lane, Ode& ode) {
  for (std::size_t i = 1; i < ode.system->links.size(); ++i)
    (*batch.work)->engine.get_motion(static_cast<int>(i), lane, ode.work->engine->link(i));
}

bool derivatives(Ode& ode, std::span<Point> points, OdeBatch& batch) {
  // Fewer states cost less one by one; before rows are chosen a single state has to choose them.
  if (static_cast<int>(points.size()) >= least_batch() && ode.work->rows_chosen) {
    std::array<SlopeAt, kBatch> asked;
    std::transform(points.begin(), points.end(), asked.begin(), [](Point& point) {
      return SlopeAt{point.time, &point.y, &point.f};
    });
    if (derivatives_of(ode, {asked.data(), points.size()}, batch).count() == points.size()) {
      ode.evaluations += static_cast<std::int64_t>(points.size());
      ode.time = points.back().time;
      return true;
    }
  }
  // One by one, so that the workspace shows which state broke.
  return std::all_of(points.begin(), points.end(),
                     [&](Point& point) { return derivative(ode, point.time, point.y, point.f); });
}

}  // namespace espalier::dynamics::detail
