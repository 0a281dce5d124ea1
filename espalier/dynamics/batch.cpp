#include "espalier/dynamics/batch.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/batch_data.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/engine.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_forces;
using detail::drive_row;
using detail::term_slope;

static_assert(kBatch == detail::kLanes);

static_assert(sizeof(Lanes) == kBatch * sizeof(double));
const double* numbers(std::span<const Lanes> lanes) { return lanes.empty() ? nullptr : lanes.front().of.data(); }

// Forces, efforts and drives of one lane, by the same code as for a single state.
void apply_laws(const System& system, double time, int lane, BatchWorkspace& work) {
  // Laws branch on the state (limits, ropes), so that they would not run in lanes anyway; the passes do not, and cost
  // more.
  LinkArrays& links = work->links[to_index(lane)];
  detail::LinkState<double> state{};
  for (const int i : work->touched) {
    work->engine.get_motion(i, lane, state);
    detail::export_link(system->links[to_index(i)], to_index(i), state, links);
    // Laws add up; a lane holds what its state before had.
    links.force[to_index(i)].setZero();
  }
  // Efforts of the caller come first, as in evaluate(): sums in another order would have other bits.
  get_lane(work->input, lane, {work->lane_effort.data(), to_index(work->lane_effort.size())});
  add_forces(system, time, work->q, work->v, links, work->lane_effort);
  set_lane({work->lane_effort.data(), to_index(work->lane_effort.size())}, lane, work->effort);
  for (const int i : work->touched) {
    work->engine.get_motion(i, lane, state);
    work->engine.set_outer(i, lane, detail::outer_wrench(state, links.force[to_index(i)]));
  }
  for (std::size_t d = 0; d < system->drives.size(); ++d) {
    work->drives[d * kBatch + to_index(lane)] = drive_row(system->drives[d], time, work->q, work->v, links);
  }
}

void set_slopes(const System& system, BatchWorkspace& work) {
  for (const detail::Term& term : work->engine.program().terms) {
    if (!term.drive) continue;
    const auto d = to_index(term.drive_index);
    for (std::size_t lane = 0; lane < kBatch; ++lane) {
      // The slope of a polynomial differs from lane to lane.
      work->engine.scratch(term.ratio_at)[lane] =
          term_slope(system->drives[d], work->drives[d * kBatch + lane], to_index(term.term_index));
    }
  }
}

void add_drive_bias(BatchWorkspace& work) {
  for (const detail::Term& term : work->engine.program().terms) {
    // The bias belongs to the equation: once for all of its terms.
    if (!term.drive || term.term_index != 0) continue;
    for (std::size_t lane = 0; lane < kBatch; ++lane)
      work->engine.scratch(term.k_b)[lane] += work->drives[to_index(term.drive_index) * kBatch + lane].bias;
  }
}

}  // namespace

detail::BatchData::BatchData(const System& system, const std::vector<bool>& dropped)
    : input(to_index(system->velocity_size)),
      effort(input),
      qdd(input),
      lambda(to_index(system->rows)),
      touched(touched_links(system)),
      links(kBatch, LinkArrays(system)),
      q(to_index(system->position_size)),
      v(to_index(system->velocity_size)),
      lane_effort(system->velocity_size),
      drives(system->drives.size() * kBatch),
      engine(system, dropped, kBatch) {}

BatchWorkspace::BatchWorkspace(const System& system, const std::vector<bool>& dropped)
    : data_(std::make_unique<detail::BatchData>(system, dropped)) {}
BatchWorkspace::BatchWorkspace(BatchWorkspace&& other) noexcept = default;
BatchWorkspace& BatchWorkspace::operator=(BatchWorkspace&& other) noexcept = default;
BatchWorkspace::~BatchWorkspace() = default;

std::span<Lanes> BatchWorkspace::input() { return data_->input; }
std::span<const Lanes> BatchWorkspace::effort() const { return data_->effort; }
std::span<const Lanes> BatchWorkspace::qdd() const { return data_->qdd; }
std::span<const Lanes> BatchWorkspace::lambda() const { return data_->lambda; }

// The phases of evaluate(): passes for all lanes at once, laws lane by lane.
bool evaluate_batch(const System& system, const Lanes& time, std::span<const Lanes> q, std::span<const Lanes> v,
                    BatchWorkspace& work, int lanes) {
  // As in evaluate(): a caller's law may have come after the workspace.
  if (system->callback && work->touched.size() + 1 < system->links.size())
    work->touched = detail::touched_links(system);
  detail::Engine& engine = work->engine;
  engine.forward(numbers(q), numbers(v));
  if (detail::has_laws(system) || !system->drives.empty()) {
    for (int lane = 0; lane < lanes; ++lane) {
      // Only lanes that hold a state have laws worth computing.
      get_lane(q, lane, work->q);
      get_lane(v, lane, work->v);
      apply_laws(system, time.of[to_index(lane)], lane, work);
    }
    set_slopes(system, work);
  } else {
    work->effort = work->input;
  }
  // Rows come after the laws: a drive's slope is one of their numbers.
  engine.rows();
  add_drive_bias(work);
  const bool regular = engine.factor(numbers(work->effort));
  engine.outward(work->qdd.empty() ? nullptr : work->qdd.front().of.data());
  for (const detail::LoopProgram& loop : engine.program().loops) {
    // The kernel numbers the rows it keeps; the caller's rows include those that are left out.
    for (int r = 0; r < loop.rows; ++r) {
      std::copy_n(engine.scratch(loop.lambda + r), kBatch,
                  work->lambda[to_index(loop.row + loop.kept[to_index(r)])].of.begin());
    }
  }
  return regular;
}

void get_lane(std::span<const Lanes> batch, int lane, std::span<double> state) {
  for (std::size_t k = 0; k < state.size(); ++k) state[k] = batch[k].of[to_index(lane)];
}

void set_lane(std::span<const double> state, int lane, std::span<Lanes> batch) {
  for (std::size_t k = 0; k < state.size(); ++k) batch[k].of[to_index(lane)] = state[k];
}

}  // namespace espalier::dynamics
