#pragma once

// What impulses do to the bodies here and how constraints see it: W R body by body, without W. A row costs the same
// however many others hold its bodies, and needs no memory but for itself; the blocks of W are made where Newton wants
// them.
// A sweep changes one constraint of a body at a time, colour by colour: the same sums in the same order on every rank
// that holds the body.

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {

class Response {
 public:
  Response(const Domain& domain, const Prepared& prepared);

  // W of the row at `place` with itself.
  Eigen::Matrix3d own(int place) const;

  // For R of all places.
  void set(std::span<const Eigen::Vector3d> R);
  // R at `place` changes by so much.
  void add(int place, const Eigen::Vector3d& change);
  // W R of the row at `place`.
  Eigen::Vector3d at(int place) const;

 private:
  using Vector9 = Eigen::Matrix<double, 9, 1>;
  struct Three {
    double x = 0, y = 0, z = 0;
  };

  // Velocity seen: shift (v + w x arm) + spin w.
  struct Lever {
    Eigen::Matrix3d axes;
    std::array<Eigen::Vector3d, 2> arm;  // master's and slave's, in world axes; of pseudo-rigid bodies: material
    std::array<int, 2> body = {-1, -1};  // that move and are here
    double shift = 1, spin = 0;
  };
  struct Moved {
    Eigen::Vector3d v, w;  // change since the beginning
    double per_mass = 0;
    Eigen::Matrix3d inverse;  // of the inertia, in world axes
    int soft = -1;            // place in soft_
  };
  struct Soft {
    Vector9 rate;  // of F, row by row
    const DeformationInverse* deformation_inverse = nullptr;
  };
  void add_body(const Body& body, const DeformationInverse* deformation_inverse);
  Lever make_lever(const Domain& domain, const Constraint& constraint, int master, int slave) const;
  Three velocity(const Lever& lever, std::size_t side) const;
  void push(const Lever& lever, std::size_t side, Three impulse);
  static void stretch(const Eigen::Vector3d& material, const Eigen::Vector3d& impulse, Soft& soft);

  std::vector<Lever> levers_;  // by place
  std::vector<int> order_;     // of places: by colour, so that impulses on a body are added up alike on every rank
  std::vector<Moved> moved_;   // by body
  std::vector<Soft> soft_;
};

}  // namespace espalier::contact::detail
