#include "espalier/contact/contact.hpp"

#include <algorithm>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/advance.hpp"
#include "espalier/contact/detail/zoltan.hpp"

namespace espalier::contact {

bool has_zoltan() { return detail::is_zoltan_built_in(); }

Engine::Engine(const comm::Comm& comm, Scene scene, const Settings& settings)
    : domain_(std::make_unique<detail::Domain>(detail::make_domain(comm, std::move(scene), settings))) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

StepReport Engine::step(const comm::Comm& comm) { return detail::step(comm, *domain_); }

Engine::Held Engine::held(const comm::Comm& comm) const {
  const geometry::Box& cell = domain_->cells.boxes[to_index(comm.rank())];
  // (I3) of docs/theory/contact.md: a rank needs what reaches into its cell, and what it owns.
  const auto is_needed = [&](const detail::LocalBody& local) {
    const bool reaches =
        (local.reach.low.array() <= cell.high.array()).all() && (local.reach.high.array() >= cell.low.array()).all();
    return reaches || local.owner == comm.rank();
  };
  return {std::ssize(domain_->bodies), std::ranges::count_if(domain_->bodies, is_needed)};
}

}  // namespace espalier::contact
