#pragma once

// What the writers share: notes that are said once for many elements, and numbers without the dust of turned frames.

#include <string>
#include <vector>

#include <Eigen/Core>

namespace espalier::formats::detail {

// "message ('a', 'b', 'c' and 7 more)", once for each message however many elements it is true of.
class Remarks {
 public:
  void add(const std::string& message, const std::string& example);
  // In the order in which the messages first came up.
  std::vector<std::string> notes() const;

 private:
  struct Remark {
    std::string message;
    std::vector<std::string> examples;  // the first few
    std::size_t count = 0;
  };
  std::vector<Remark> remarks_;
};

// Rounding of turned frames; for lengths [m] and angles [rad] only.
double tidy(double value);
// Components that are meant to be -1, 0 or 1 are so exactly; for axes and unit quaternions.
double tidy_direction(double component);
Eigen::Vector3d tidy(const Eigen::Vector3d& position);
Eigen::Vector3d tidy_direction(const Eigen::Vector3d& axis);

}  // namespace espalier::formats::detail
