#pragma once

#include <span>
#include <vector>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What fixed joints transmit. They are inside links, which know nothing of them: their wrenches follow from the balance
// of single bodies. Made once for a System. Of fixed joints that close a loop among themselves those with the higher
// ids carry nothing. What System::callback does to a link counts at the link's first body.
class Welds {
 public:
  // The body hangs on the rest of its link by this joint.
  struct Weld {
    std::size_t joint = 0;
    std::size_t body = 0;
    std::size_t inner = 0;  // the joint's other body
    bool is_b = true;       // body is the joint's body b
  };

  explicit Welds(const System& system);
  // Adds to on_b, which must hold the wrenches of all other joints. O(bodies), nothing where there are no fixed joints.
  void add(const System& system, double time, const Workspace& work, std::span<math::SpatialVector> on_b);

  // From the first bodies of the links outwards: an inner body's weld stands before.
  std::span<const Weld> list() const { return welds_; }

 private:
  void find_welds(const System& system);
  void make_body_system(const System& system);
  void set_needs(const System& system, double time, const Workspace& work, std::span<const math::SpatialVector> on_b);

  std::vector<Weld> welds_;
  System by_body_;                           // every body a link of its own; only forces between bodies
  std::vector<math::SpatialVector> needed_;  // by body: wrench that only fixed joints can bring
  std::vector<std::size_t> first_body_;      // by link
};

}  // namespace espalier::dynamics::detail
