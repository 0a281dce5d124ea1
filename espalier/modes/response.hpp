#pragma once

// Frequency response from a point to a point: the displacement at one under a force at the other, a unit force that
// swings with exp(i omega t). Receptance [m/N]; of rotations and moments accordingly.

#include <complex>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes {

// A point of the structure and a direction: its displacement is row . displacement of the vertex, and a unit force
// there is row^T.
struct Place {
  std::string name;
  int vertex = -1;
  bool rotation = false;
  Eigen::Matrix<double, 1, 6> row = Eigen::Matrix<double, 1, 6>::Zero();
};

// NAME.DIRECTION with a direction x y z rx ry rz of the world. NAME is a rigid body, whose frame's origin it is;
// BODY@x,y,z, a point in that frame; or an end of an elastic body, BODY.from, BODY.to. The error says what there is.
Result<Place> find_place(const model::Model& model, const Structure& structure, const std::string& text);

// One number for each omega [rad/s], all above 0. One pass each. Not finite where the structure is undamped and omega
// an eigenfrequency to the last digit.
Result<std::vector<std::complex<double>>> find_response(const Structure& structure, const Tree& tree,
                                                        const Place& force, const Place& answer,
                                                        std::span<const double> omega);

// The peaks of a frequency response, which are those of the modes and not of the frequencies at which somebody looked.
// Undamped: it is infinite at each eigenfrequency that the force moves and the answer sees. Damped: the largest values
// near the modes and near the largest of the samples.

struct Peak {
  double omega = 0;            // [rad/s]
  std::complex<double> value;  // damped: of the response there
  bool infinite = false;       // undamped
  double residue = 0;          // undamped: near it the response is residue / (peak^2 - omega^2) [1/kg] or accordingly
};

// By increasing omega. `omega` and `values`: samples of the response, from the lowest frequency to the highest one that
// is asked for. One search for modes up to there.
Result<std::vector<Peak>> find_peaks(const Structure& structure, const Tree& tree, const Place& force,
                                     const Place& answer, std::span<const double> omega,
                                     std::span<const std::complex<double>> values);

}  // namespace espalier::modes
