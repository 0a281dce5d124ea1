#include "espalier/modes/detail/drafts.hpp"

#include <algorithm>

#include <Eigen/SVD>

#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {

Split split(const Eigen::MatrixXd& a) {
  if (a.size() == 0)
    return {Eigen::MatrixXd::Identity(a.rows(), a.rows()), Eigen::MatrixXd::Identity(a.cols(), a.cols()), 0};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.singularValues();
  // Relative to 1 at least: rows are scaled, and what is small beside them is rounding of the model's numbers.
  const auto rank = (values.array() > kSame * std::max(1.0, values[0])).count();
  return {svd.matrixU(), svd.matrixV(), static_cast<int>(rank)};
}

double typical_stiffness(const std::vector<Draft>& drafts) {
  double sum = 0;
  int count = 0;
  const auto add = [&](double stiffness) {
    if (!(stiffness > 0)) return;
    // The geometric mean: stiffnesses spread over decades, and their sum would be the largest alone.
    sum += elementary::log(stiffness);
    ++count;
  };
  for (const Draft& draft : drafts) {
    const BeamLaw& beam = draft.hop.beam;
    if (draft.hop.is_beam) add((beam.EIy + beam.EIz) / elementary::pow(beam.length, 3));
    for (const double stiffness : draft.hop.hinge.stiffness) add(stiffness);
  }
  return count == 0 ? 1 : elementary::exp(sum / count);
}

}  // namespace espalier::modes::detail
