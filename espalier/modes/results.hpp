#pragma once

// What a user wants to know of modes beside their eigenvalues: shapes scaled as asked, the mass that takes part, where
// the energy is, displacements along beams, and what segments of tapered bodies cost.
//   In:   ModeSet with its structure and tree
//   Out:  ModeResults; the shapes of the ModeSet as those of the results
// Read next: modes.hpp, the search for modes. Below, the front door find_results() stands last: its parts come first.

#include <array>
#include <complex>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes {

// A structure with vertices along its beams: the same modes, but displacements are known everywhere. From a vertex to
// the next is so short a way that the fields between them are few terms of a series; nothing is ever carried along a
// whole beam.

struct CutStructure {
  // The vertices of the whole structure first, with their numbers; those along beams have the beam's own axes.
  Structure structure;
  Tree tree;
  int whole_vertices = 0;
  // By element of the whole structure: its slices, from end 0 to end 1; a hinge is one slice.
  std::vector<std::vector<int>> slices;
  std::vector<Eigen::Matrix3d> axes;  // by vertex: rows are those of its coordinates, in the world
};

// Slices fit for |s| <= largest_s, and at least `least` of each elastic body. O(slices).
CutStructure cut_beams(const Structure& structure, const Tree& tree, double largest_s, int least = 1);

// Into how many slices cut_beams() cuts each element.
std::vector<int> slice_counts(const Structure& structure, double largest_s, int least = 1);
// The same with as many slices as said, by element.
CutStructure cut_beams(const Structure& structure, const Tree& tree, std::span<const int> slices);

// Rows: the axes of a slice of a beam, in the world.
Eigen::Matrix3d beam_axes(const CutStructure& cut, const Element& slice);

// Where the two ends of an element are in the drawn pose [m].
std::array<Eigen::Vector3d, 2> end_points(const Structure& structure, const Element& element);

// What of a mode is where: energies of elements and vertices, and the mass that moves. All by integrals over the cut
// structure (results.hpp), of which the displacements are known everywhere.
//
// With m = u* M u, k = u* K u, c = u* C u of a shape u at s, an eigenvalue with Im s != 0 has k = |s|^2 m and
// c = -2 Re s m, damped or not: kinetic and potential energy are equal over a cycle.

// Twice the mean energies of a cycle, and the mean power that is lost, of a shape as it is scaled.
struct Energy {
  double kinetic = 0;    // |s|^2 u* M u
  double potential = 0;  // u* K u
  double lost = 0;       // |s|^2 u* C u

  Energy& operator+=(const Energy& other);
};

struct Energies {
  std::vector<Energy> elements, vertices;  // of the whole structure
  Energy total;
};

// `shape` has a displacement for each vertex of the cut structure. O(slices).
Energies find_energies(const CutStructure& cut, const Shape& shape, std::complex<double> s);

// Numbers q of a shape whose products are those of the mass: q_u* q_v = u* M v. As many for each shape of a cut
// structure, in the same order; where two structures are cut alike, comparable between them.
Eigen::VectorXcd mass_coordinates(const CutStructure& cut, const Shape& shape, std::complex<double> s);

// The same for the six motions of the structure as one rigid body, x y z and rotations about `centre`, in those
// directions in which its vertices move at all.
Eigen::MatrixXcd rigid_mass_coordinates(const CutStructure& cut, const Eigen::Vector3d& centre);

// Of the kinetic energy of a vertex, the part of each of its rigid bodies.
std::vector<double> body_shares(const model::Model& model, const Vertex& vertex,
                                const std::array<std::complex<double>, 6>& displacement);

// Where the mass that can move has its centre.
Eigen::Vector3d mass_centre(const CutStructure& cut);

// What it costs that tapered bodies stand as segments of constant section: eigenvalues are off by C / n^2 for n
// segments, so that those with twice as many, which are off by a quarter of it, show 3/4 of the error.

// Options to find the same modes of the structure with twice the segments (StructureOptions::refine), and some more, so
// that none leaves over the edge.
ModesOptions finer_options(const ModeSet& set, const ModesOptions& options);

// Sets segment_error of each mode: 4/3 of the relative distance to the finer structure's. Frequencies are compared in
// their order, eigenvalues of damped structures with the nearest. Nothing is set for those that have none to compare.
void estimate_segments(ModeSet& set, const ModeSet& finer);

// Shapes scaled as asked, with all of the above.

enum class Scaling {
  kLargest,  // the largest displacement of a vertex or along a beam is 1; of torsion alone the largest rotation
  kMass,     // the modal mass is 1
};
constexpr Words<Scaling, 2> words(Scaling) { return {{{"largest", Scaling::kLargest}, {"mass", Scaling::kMass}}}; }

struct ResultOptions {
  Scaling scaling = Scaling::kLargest;
  int least_slices = 8;  // of each elastic body
};

// Of one shape; shapes of an eigenvalue that is several ones are orthogonal to each other by mass.
struct ShapeResult {
  Shape shape;            // by vertex of the cut structure
  double modal_mass = 0;  // u* M u [kg]
  Energies energies;      // all 0 but the mass of a free motion
  // Into each rigid motion x y z rx ry rz: u* M r / u* M u, and |u* M r|^2 / u* M u [kg], [kg m^2]. The masses of all
  // modes add up to those of the structure, as far as rigid joints let it move, where damping is none or proportional.
  std::array<std::complex<double>, 6> participation{};
  std::array<double, 6> effective_mass{};
};

struct ModeResults {
  CutStructure cut;
  Scaling scaling = Scaling::kLargest;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // of the mass; rotations are about it
  std::array<double, 6> mass{};                      // of the rigid motions [kg], [kg m^2]
  std::vector<std::vector<ShapeResult>> modes;       // as in ModeSet, one for each multiplicity
};

// A pass of the cut structure for each mode. Replaces the shapes of `set` by those found here, whose numbers are 0
// nowhere but where the mode is: a beam between two supports has no vertex that would tell of it.
Result<ModeResults> find_results(const Structure& structure, const Tree& tree, ModeSet& set,
                                 const ResultOptions& options = {});

}  // namespace espalier::modes
