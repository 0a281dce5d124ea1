#pragma once

// Apart from joint.hpp for the kernels of dynamics: compiled for AVX-512 without fused multiply-add, they may not see
// Eigen.

namespace espalier::model {

// The nine joints. A joint holds frame F, fixed in body a, and frame M, fixed in body b; its coordinates give the pose
// of M in F. Axes: z for revolute, prismatic, screw, cylindrical and (as normal) planar; x of F and y of M for
// universal.
enum class JointType {
  kRevolute,
  kPrismatic,
  kScrew,
  kUniversal,
  kCylindrical,
  kSpherical,
  kPlanar,
  kFree,
  kFixed,
};

}  // namespace espalier::model
