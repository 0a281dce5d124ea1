#pragma once

// The overall transfer equation of a model [Rui14], to read and to check against: its unknowns, and its matrix and
// determinant at an s. docs/theory/modes.md; modes/overall.hpp makes it.

#include <complex>
#include <optional>
#include <string>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/overall.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// The equation at one s.
struct MatrixValue {
  std::complex<double> s;  // [1/s]
  Eigen::MatrixXcd matrix;
  modes::Scaled<std::complex<double>> determinant;
};

struct MatrixAnswer {
  modes::Structure structure;
  modes::OverallEquation equation;
  std::optional<MatrixValue> value;  // where an s was given
};

// O(elements * order), with `at` and O(order^3). Errors: those of modes::make_overall; an s that is not finite.
Result<MatrixAnswer> transfer_matrix(const LoadedModel& loaded, std::optional<std::complex<double>> at = {});

// Of an unknown of the equation: "root", "tip", "cut", "release", "restraint"; the vertex or element where it is; and
// what it stands for, "forces of a support".
const char* kind_word(const modes::OverallUnknown& unknown);
std::string place_of(const MatrixAnswer& answer, const modes::OverallUnknown& unknown);
std::string meaning_of(const modes::OverallUnknown& unknown);

}  // namespace espalier::study
