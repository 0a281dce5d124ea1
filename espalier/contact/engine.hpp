#pragma once

// A scene that is moved step by step, by all ranks together; contact.hpp does so for whole runs.
//   In:   Scene (scene.hpp)
//   Out:  a StepReport per step
// What a rank holds is explained in detail/domain.hpp.

#include <cstdint>
#include <memory>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/contact/settings.hpp"

namespace espalier::contact {

namespace detail {
struct Domain;
}

class Engine {
 public:
  // Collective. `scene` counts on the root alone, which holds all of it until the first step distributes it.
  Engine(const comm::Comm& comm, Scene scene, const Settings& settings);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Collective. One step. `comm` as at the beginning.
  StepReport step(const comm::Comm& comm);

  // Bodies this rank holds, copies of other ranks' bodies included; and how many of them it needs: those it owns and
  // those that reach into its cell.
  struct Held {
    std::int64_t bodies = 0, needed = 0;
  };
  Held held(const comm::Comm& comm) const;

 private:
  std::unique_ptr<detail::Domain> domain_;
};

}  // namespace espalier::contact
