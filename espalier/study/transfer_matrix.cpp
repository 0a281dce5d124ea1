#include "espalier/study/modes.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/study/detail/modes_input.hpp"

namespace espalier::study {
namespace {

using Kind = modes::OverallUnknown::Kind;

}  // namespace

Result<MatrixAnswer> transfer_matrix(const LoadedModel& loaded, std::optional<std::complex<double>> at) {
  // Refused here: a NaN would fill the matrix and come out as a determinant.
  if (at && !(std::isfinite(at->real()) && std::isfinite(at->imag()))) {
    return make_option_error("at", fmt::format("`at` is {} {}", at->real(), at->imag()),
                             "give two finite numbers, in 1/s");
  }
  Result<detail::ModesInput> input = detail::make_modes_input(loaded);
  ESPALIER_TRY(input);
  Result<modes::OverallEquation> equation = modes::make_overall(input->structure, input->tree);
  ESPALIER_TRY(equation);
  MatrixAnswer answer{std::move(input->structure), *std::move(equation), std::nullopt};
  // The unknowns alone are an answer: they do not depend on s.
  if (!at) return answer;
  Eigen::MatrixXcd matrix = modes::overall_matrix(answer.equation, *at);
  // With an exponent of its own, since it leaves the range of numbers for long chains.
  const modes::Scaled<std::complex<double>> determinant = modes::determinant(matrix);
  answer.value = MatrixValue{*at, std::move(matrix), determinant};
  return answer;
}

const char* kind_word(const modes::OverallUnknown& unknown) {
  switch (unknown.kind) {
    case Kind::kRoot:
      return "root";
    case Kind::kTip:
      return "tip";
    case Kind::kCut:
      return "cut";
    case Kind::kRelease:
      return "release";
    case Kind::kRestraint:
      break;
  }
  return "restraint";
}

std::string place_of(const MatrixAnswer& answer, const modes::OverallUnknown& unknown) {
  // Supports, cuts and releases belong to an element, all else to a vertex.
  if (unknown.element >= 0) return answer.structure.elements[to_index(unknown.element)].name;
  return answer.structure.vertices[to_index(unknown.vertex)].name;
}

std::string meaning_of(const modes::OverallUnknown& unknown) {
  const auto direction = [&] { return model::kDirectionWords[to_index(unknown.direction)]; };
  switch (unknown.kind) {
    case Kind::kRoot:
    case Kind::kTip:
      // What is not zero at a boundary is what is unknown there.
      return unknown.fixed ? "forces of a support" : "displacements of a free end";
    case Kind::kCut:
      return "displacements and forces where a loop is opened";
    case Kind::kRelease:
      return fmt::format("jump in {}, which passes no force", direction());
    case Kind::kRestraint:
      break;
  }
  return fmt::format("force in {}, which may not move", direction());
}

}  // namespace espalier::study
