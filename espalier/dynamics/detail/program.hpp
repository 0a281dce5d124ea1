#pragma once

// A System made ready for the kernel: numbers only, every list flat, every place in the scratch memory fixed. Made once
// for a System and a choice of equations; then an evaluation allocates nothing and decides nothing.
//
// Each link's frame is frame B of the joint it hangs on, its reference point o the origin of B.
//
// Loops (closures and drives) are carried along as rows K (a wrench about o) and k (a number), so that a row of the
// constraints reads K^T a + k + sum_d M_cd lambda_d = 0 with a the acceleration of the link the row has reached.
// See kernel.hpp for the passes, plan/loop_elimination.hpp for the order.

#include <array>
#include <vector>

#include "espalier/dynamics/detail/small.hpp"
#include "espalier/model/joint_type.hpp"
#include "espalier/plan/options.hpp"
#include "espalier/plan/task_tree.hpp"

namespace espalier::dynamics {
class System;
}

namespace espalier::dynamics::detail {

// States evaluated at once in a pack.
inline constexpr int kLanes = 8;

struct Range {
  int begin = 0;
  int end = 0;
};

struct LinkProgram {
  bool anchored = false;  // the world, or a part of it: takes up any force, only closes loops
  int parent = 0;
  model::JointType type = model::JointType::kFree;
  int freedom = 0;
  int q = 0;  // first of its numbers in q, v
  int v = 0;
  bool turned = false;  // `turn` is not the identity
  Turn<double> turn;    // frame A in the parent's frame
  Fixed at;             // origin of A in the parent's frame, about the parent's reference point
  int angle = -1;       // first of its angles in Program::angles
  double lead = 0;      // of a screw: pitch / 2 pi [m/rad]
  double mass = 0;
  Fixed moment;         // mass times centre of mass, in the link's frame
  Sym<double> inertia;  // about o, in the link's frame
  std::array<double, 6> armature{};
  int joint = 0;   // scratch: JointScratch
  Range children;  // in Program::children
  Range gathers;   // in Program::gathers, and so on
  Range merges;
  Range closes;
  Range passes;
  Range pairs;
};

// Rows that come together at a link: their K and k are summed.
struct Gather {
  int rows = 0;
  int K = 0, k = 0;  // scratch: where to
  Range sources;     // in Program::sources
};
struct Source {
  int K = 0, k = 0;
};
// A block of M that comes together from several branches.
struct Merge {
  int size = 0;
  int to = 0;
  Range from;  // in Program::merge_sources
};
// An open loop passes the joint.
struct Pass {
  int rows = 0;
  int K = 0, k = 0;        // before the joint
  int K_up = 0, k_up = 0;  // seen from the parent
  int W = 0, WD = 0;       // S^T K and D^-1 S^T K, rows x f
  int lambda = 0;
};
// Two open loops pass the joint: M += W^T D^-1 W.
struct CoupledPair {
  int rows_c = 0, rows_d = 0;
  int W = 0, WD = 0;
  int M = 0;
};
// A loop is eliminated.
struct Close {
  int rows = 0;
  int K = 0, k = 0;
  int M = 0;           // becomes its factors L, D
  int yK = 0, yk = 0;  // M^-1 K^T, M^-1 k
  int lambda = 0;
  Range near;     // in Program::nears
  Range updates;  // in Program::updates
};
struct Near {
  int rows = 0;
  int M = 0;
  bool transposed = false;  // M is stored as (near, loop) instead of (loop, near)
  int Y = 0;                // M_cc^-1 M_cd
  int K = 0, k = 0;
  int lambda = 0;
};
struct Update {
  int first = 0, second = 0;  // in Program::nears
  int M = 0;
  bool transposed = false;
};

// Equations between frame A in link a and frame B in link b, and where their rows enter.
struct Term {
  int a = 0, b = 0;
  model::JointType type = model::JointType::kFixed;  // the cut joint
  bool drive = false;                                // one row along z instead: of a coordinate
  bool slides = false;
  double ratio = 1;  // of a drive, where it is constant
  int ratio_at = 0;  // scratch: the ratio in use
  double lead = 0;
  Turn<double> turn_a, turn_b;
  Fixed at_a, at_b;
  int rows = 0;
  std::array<int, 6> row{};  // which of the joint's rows are kept
  int K_a = 0, k_a = 0;      // scratch
  int K_b = 0, k_b = 0;
  int drive_index = -1;  // in System::drives
  int term_index = -1;
};

struct LoopProgram {
  int row = 0;         // first of all its rows in System order
  int rows = 0;        // kept
  int first_term = 0;  // in Program::terms
  std::array<int, 6> kept{};
  int lambda = 0;  // scratch, also its place in the vector of kept rows
};

struct Program {
  std::vector<LinkProgram> links;  // 0 is the world; those of the system; parts of the world
  plan::TaskTree task_tree;        // of links
  std::vector<int> children;
  std::vector<Gather> gathers;
  std::vector<Source> sources;
  std::vector<Merge> merges;
  std::vector<int> merge_sources;
  std::vector<Pass> passes;
  std::vector<CoupledPair> pairs;
  std::vector<Close> closes;
  std::vector<Near> nears;
  std::vector<Update> updates;
  std::vector<Term> terms;
  std::vector<LoopProgram> loops;
  std::vector<int> angles;  // coordinates whose sine and cosine are needed, by place in q
  int sines = 0;            // scratch, at a whole number of packs
  int cosines = 0;
  int scratch = 0;  // scalars of scratch memory besides the links' own
  Range zeroed;     // blocks of M that start from zero
  Range lambdas;    // multipliers, in the order of the loops
  int positions = 0, velocities = 0;
};

// `dropped`: by row of the system, true for equations that others imply.
Program make_program(const System& system, const std::vector<bool>& dropped);

// What an evaluation does at links [begin, end), in the terms of the plan.
plan::WorkCount count_work(const Program& program, int begin, int end);

// Scratch numbers of a joint with f coordinates: S and U by columns, D^-1, u.
constexpr int joint_scratch(int f) { return 6 * f + 6 * f + f * (f + 1) / 2 + f; }

}  // namespace espalier::dynamics::detail
