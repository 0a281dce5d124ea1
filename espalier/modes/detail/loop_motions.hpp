#pragma once

// How the rows of closed loops depend on each other: a question of kinematics, whatever the frequency. Each rigid joint
// of the tree leaves the vertex behind it some motions of its own against the vertex ahead, and a rigid row of a cut is
// linear in those of its two ways.

#include <array>
#include <vector>

#include <Eigen/Core>

namespace espalier::modes::detail {

// On the way from a vertex to its parent: near x = far x_parent holds. No rows where an elastic element leads there, or
// none.
struct RigidJoint {
  int parent = -1;
  int coordinates = 0;
  Eigen::MatrixXd near, far;
};

// A rigid row of a cut: the sum of both is 0.
struct RigidRow {
  std::array<int, 2> vertex = {-1, -1};
  std::array<Eigen::RowVectorXd, 2> along;
};

// One of the numbers that a row is linear in.
struct RowMotion {
  int vertex = -1;  // whose motion it is
  int column = 0;
  double value = 0;
};
using RowMotions = std::vector<RowMotion>;

// By row. O(rows times the length of their ways).
std::vector<RowMotions> find_row_motions(const std::vector<RigidJoint>& joints, const std::vector<RigidRow>& rows);

// Rows one after the other, those accepted independent of each other.
class IndependentRows {
 public:
  // True where more than `least` of the row's length is independent of those accepted before; it then is one of them.
  // Only motions of vertices with `keep` count: the others are held.
  bool accept(const RowMotions& row, const std::vector<char>& keep, double least);

 private:
  std::vector<std::vector<double>> basis_;  // orthonormal, over places_
  std::vector<int> place_;                  // by column; -1: not met yet
  int places_ = 0;
};

}  // namespace espalier::modes::detail
