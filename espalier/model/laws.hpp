#pragma once

// What acts on the joints of a Model, resolved once for all engines: names are indices, empty lists are zeros, forces
// are with the joint they act on. An engine reads this, places it in its own frames, and refuses what it cannot do.
// Springs, bushings and loads on bodies need nothing resolved and stay in Model::forces.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model {

// A limit as large as this on both sides is none [rad] or [m].
inline constexpr double kNoLimit = 1e6;

// What a joint's own fields put on one of its coordinates. Units follow the coordinate.
struct CoordinateLaw {
  double stiffness = 0;                                        // [N m/rad] or [N/m]
  double rest = 0;                                             // where the stiffness pulls nowhere [rad] or [m]
  double damping = 0;                                          // [N m s/rad] or [N s/m]
  double friction = 0;                                         // Coulomb [N m] or [N]
  double armature = 0;                                         // inertia of the drive [kg m^2] or [kg]
  std::optional<std::array<double, 2>> limits = std::nullopt;  // [rad] or [m]
};

struct JointLaw {
  std::vector<CoordinateLaw> coordinates;  // velocity order; empty where none of them has a law
  int effort = -1;                         // Laws::efforts: loads on its coordinate; -1: none
  std::vector<int> motions;                // Laws::equations
  std::vector<int> couplings;              // Laws::equations

  // Forces or equations act on its coordinate.
  bool is_driven() const { return effort >= 0 || !motions.empty() || !couplings.empty(); }
};

// The loads on one coordinate together, held to the joint's effort_limit.
struct Effort {
  JointId joint;
  std::vector<Expression> values;  // their sum [N m] or [N]
  std::optional<double> limit;     // [N m] or [N]
  Where where;                     // of the last load
};
double evaluate(const Effort& effort, double time);
// The same as one formula.
Result<Expression> as_expression(const Effort& effort);

// One equation on coordinates of joints that have one:
//   sum_k ratio_k q_k = offset + value(t)      a linear coupling (several terms), a prescribed position (one term)
//   sum_k ratio_k qd_k = value(t)              a prescribed velocity: `of_velocity`
//   q_0 = sum_k polynomial_k q_1^k             where `polynomial` is not empty
struct Equation {
  struct Term {
    JointId joint;
    double ratio = 1;
  };
  std::vector<Term> terms;
  std::vector<double> polynomial;
  double offset = 0;
  Expression value;
  bool of_velocity = false;
  Where where;
};

struct Laws {
  std::vector<JointLaw> joints;     // by joint
  std::vector<Effort> efforts;      // in the order of their first loads
  std::vector<Equation> equations;  // motions, then couplings
};

// O(size of the model).
Laws resolve_laws(const Model& model);

// The lengths a spring cannot pass. A length is never below zero: there a rope has no limit [m].
std::optional<std::array<double, 2>> length_range(const Spring& spring);

}  // namespace espalier::model
