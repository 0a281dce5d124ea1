#pragma once

// A structure with vertices along its beams: the same modes, but displacements are known everywhere. From a vertex to
// the next is so short a way that the fields between them are few terms of a series; nothing is ever carried along a
// whole beam.

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

struct CutStructure {
  // The vertices of the whole structure first, with their numbers; those along beams have the beam's own axes.
  Structure structure;
  Tree tree;
  int whole_vertices = 0;
  // By element of the whole structure: its pieces, from end 0 to end 1; a hinge is one piece.
  std::vector<std::vector<int>> pieces;
  std::vector<Eigen::Matrix3d> axes;  // by vertex: rows are those of its coordinates, in the world
};

// Pieces fit for |s| <= largest_s, and at least `least` of each elastic body. O(pieces).
CutStructure cut_beams(const Structure& structure, const Tree& tree, double largest_s, int least = 1);

// Into how many pieces cut_beams() cuts each element.
std::vector<int> piece_counts(const Structure& structure, double largest_s, int least = 1);
// The same with as many pieces as said, by element.
CutStructure cut_beams(const Structure& structure, const Tree& tree, std::span<const int> pieces);

// Rows: the axes of a piece of a beam, in the world.
Eigen::Matrix3d beam_axes(const CutStructure& cut, const Element& piece);

// Where the two ends of an element are in the drawn pose [m].
std::array<Eigen::Vector3d, 2> end_points(const Structure& structure, const Element& element);

}  // namespace espalier::modes
