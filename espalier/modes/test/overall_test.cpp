#include "espalier/modes/transfer.hpp"

#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "espalier/modes/baseline/recursive.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {

using namespace baseline;

namespace {

// Factors that make rows and columns equally large.
struct Balance {
  Eigen::VectorXd rows, columns;
};

Balance balance(const Eigen::MatrixXcd& matrix) {
  Balance out{Eigen::VectorXd::Ones(matrix.rows()), Eigen::VectorXd::Ones(matrix.cols())};
  Eigen::MatrixXd size = matrix.cwiseAbs();
  for (int round = 0; round < 30; ++round) {
    const Eigen::VectorXd rows = size.rowwise().maxCoeff().cwiseSqrt().cwiseInverse();
    size = rows.asDiagonal() * size;
    const Eigen::VectorXd columns = size.colwise().maxCoeff().transpose().cwiseSqrt().cwiseInverse();
    size = size * columns.asDiagonal();
    out.rows = out.rows.cwiseProduct(rows);
    out.columns = out.columns.cwiseProduct(columns);
  }
  return out;
}

// Smallest first.
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& matrix, const Balance& by) {
  const Eigen::MatrixXcd balanced = by.rows.asDiagonal() * matrix * by.columns.asDiagonal();
  return Eigen::JacobiSVD<Eigen::MatrixXcd>(balanced).singularValues().reverse();
}

// How far the smallest singular value falls at omega, against a frequency a thousandth beside it.
double fall(const OverallEquation& equation, double omega, int which = 0) {
  const Eigen::MatrixXcd beside = overall_matrix(equation, {0, 1.001 * omega});
  const Balance by = balance(beside);
  return singular_values(overall_matrix(equation, {0, omega}), by)[which] / singular_values(beside, by)[which];
}

OverallEquation equation_of(const Structure& structure, const Tree& tree) {
  Result<OverallEquation> equation = make_overall(structure, tree);
  EXPECT_TRUE(equation) << to_string(equation.error());
  return std::move(*equation);
}

double real_determinant(const OverallEquation& equation, double omega) {
  const Scaled<std::complex<double>> value = determinant(overall_matrix(equation, {0, omega}));
  return std::ldexp(value.mantissa.real(), static_cast<int>(value.exponent));
}

Tree tree_of(std::vector<int> parent, std::vector<int> element) { return {std::move(parent), std::move(element)}; }

constexpr SectionOf kSteel = {6e-4, 4.5e-8, 2e-8, 7.8e-8, 2.1e11, 8.1e10, 7850};

// Support 0 - beam - vertex 1, all in the plane.
Structure cantilever(const Directions& moves, double length = 1.5) {
  Structure out;
  out.vertices = {vertex_at({0, 0, 0}, kSupport), vertex_at({length, 0, 0}, moves)};
  add_beam(out, 0, 1, kSteel, {0, 1, 0});
  return out;
}

double bending_omega(double lambda_l, double length) {
  return lambda_l * lambda_l / (length * length) * std::sqrt(kSteel.E * kSteel.Iz / (kSteel.rho * kSteel.area));
}

TEST(OverallEquation, IsSingularAtACantileversFrequencies) {
  const OverallEquation equation = equation_of(cantilever(kBending), tree_of({-1, -1}, {-1, -1}));
  EXPECT_EQ(equation.order, 4);
  EXPECT_EQ(equation.boundaries, 2);
  for (const double lambda_l : {1.8751040687119611664, 4.6940911329741745764, 7.8547574382376125648}) {
    EXPECT_LT(fall(equation, bending_omega(lambda_l, 1.5)), 1e-10) << lambda_l;
  }
}

// Stocky, so that bending has not lost its digits where the axis and the torsion resonate.
TEST(OverallEquation, HoldsAllFieldsOfABeamInSpace) {
  const double length = 0.1, bending = bending_omega(1.8751040687119611664, length);
  const OverallEquation equation = equation_of(cantilever(kAll, length), tree_of({-1, -1}, {-1, -1}));
  EXPECT_EQ(equation.order, 12);
  EXPECT_LT(fall(equation, bending), 1e-10);
  EXPECT_LT(fall(equation, bending * std::sqrt(kSteel.Iy / kSteel.Iz)), 1e-10);
  const double along = std::sqrt(kSteel.E / kSteel.rho);
  const double torsion = std::sqrt(kSteel.G * kSteel.J / (kSteel.rho * (kSteel.Iy + kSteel.Iz)));
  EXPECT_LT(fall(equation, M_PI / 2 / length * along), 1e-10);
  EXPECT_LT(fall(equation, M_PI / 2 / length * torsion), 1e-10);
}

// support - k - m - k - m: omega^2 = (3 -+ sqrt 5) / 2 k / m
TEST(OverallEquation, IsSingularAtTheFrequenciesOfTwoMasses) {
  const Structure structure = spring_chain({7, 7}, {2, 2});
  for (const int root : {1, 2}) {
    const OverallEquation equation = equation_of(structure, chain_tree(structure, root));
    EXPECT_EQ(equation.order, 2);
    for (const double square : {(3 - std::sqrt(5.0)) / 2, (3 + std::sqrt(5.0)) / 2}) {
      EXPECT_LT(fall(equation, std::sqrt(3.5 * square)), 1e-10);
    }
  }
}

// Support 0 - beam - vertex 1 - pin about z - support 2.
Structure propped() {
  Structure out = cantilever(kBending);
  out.vertices.push_back(vertex_at({1.5, 0, 0}, kSupport));
  Hinge pin;
  pin.kind[5] = Hinge::Kind::kReleased;
  out.elements.push_back({"pin", pin, {1, 2}, {Matrix6::Identity(), Matrix6::Identity()}});
  return out;
}

TEST(OverallEquation, TakesAReleaseAsAnUnknown) {
  const OverallEquation equation = equation_of(propped(), tree_of({-1, -1, -1}, {-1, -1, -1}));
  EXPECT_EQ(equation.releases, 1);
  EXPECT_EQ(equation.order, 5);
  EXPECT_LT(fall(equation, bending_omega(3.9266023120479187782, 1.5)), 1e-10);
  EXPECT_LT(fall(equation, bending_omega(7.0685827456287320838, 1.5)), 1e-10);
}

// support - beam - vertex that only turns - beam - free: the turning one holds y.
TEST(OverallEquation, TakesARestraintAsAnUnknown) {
  Structure structure = cantilever({false, false, false, false, false, true});
  structure.vertices.push_back(vertex_at({1.5, 0, 0}, kBending));
  Hinge pin;
  pin.kind[5] = Hinge::Kind::kReleased;
  structure.elements.push_back({"pin", pin, {1, 2}, {Matrix6::Identity(), Matrix6::Identity()}});
  const OverallEquation equation = equation_of(structure, tree_of({-1, -1, 1}, {-1, -1, 1}));
  EXPECT_EQ(equation.restraints, 1);
  EXPECT_EQ(equation.order, 4 + 1 + 1);
  structure.vertices[2].mass(5, 5) = 1;  // else its free rotation would be singular everywhere
  EXPECT_LT(fall(equation_of(structure, tree_of({-1, -1, 1}, {-1, -1, 1})), bending_omega(3.9266023120479187782, 1.5)),
            1e-10);
}

TEST(OverallEquation, TakesAnElementBetweenSupportsAsAPart) {
  Structure structure = cantilever(kBending);
  structure.vertices.push_back(vertex_at({3, 0, 0}, kSupport));
  structure.vertices.push_back(vertex_at({4, 0, 0}, kSupport));
  add_beam(structure, 2, 3, kSteel, {0, 1, 0});
  const OverallEquation equation = equation_of(structure, tree_of({-1, -1, -1, -1}, {-1, -1, -1, -1}));
  EXPECT_EQ(equation.order, 8);
  EXPECT_LT(fall(equation, bending_omega(4.7300407448627040260, 1)), 1e-10);
  EXPECT_LT(fall(equation, bending_omega(1.8751040687119611664, 1.5)), 1e-10);
}

// Three masses and three springs in a ring: omega^2 = 3 k / m, twice. No boundary but the one that is added.
TEST(OverallEquation, OpensARingAndSeesADoubleRoot) {
  Structure ring;
  for (int k = 0; k < 3; ++k) {
    ring.vertices.push_back(vertex_at({1.0 * k, 0, 0}, kAlongX));
    ring.vertices.back().mass(0, 0) = 2;
  }
  for (int k = 0; k < 3; ++k) add_spring(ring, k, (k + 1) % 3, 7);
  const OverallEquation equation = equation_of(ring, tree_of({-1, 0, 1}, {-1, 0, 1}));
  EXPECT_EQ(equation.loops, 1);
  EXPECT_EQ(equation.boundaries, 1);
  EXPECT_EQ(equation.order, 3);
  EXPECT_LT(fall(equation, std::sqrt(10.5), 0), 1e-10);
  EXPECT_LT(fall(equation, std::sqrt(10.5), 1), 1e-10);
}

// 4 --- 5
// |     |     two storeys, feet clamped
// 1 --- 2
// |     |
// 0     3
Structure portal() {
  Structure out;
  out.vertices = {vertex_at({0, 0, 0}, kSupport),   vertex_at({0, 1, 0}, kPlanar),   vertex_at({1.5, 1, 0}, kPlanar),
                  vertex_at({1.5, 0, 0}, kSupport), vertex_at({0, 1.8, 0}, kPlanar), vertex_at({1.5, 1.8, 0}, kPlanar)};
  add_beam(out, 0, 1, kSteel, {1, 0, 0});
  add_beam(out, 1, 2, kSteel, {0, 1, 0});
  add_beam(out, 3, 2, kSteel, {1, 0, 0});
  add_beam(out, 1, 4, kSteel, {1, 0, 0});
  add_beam(out, 4, 5, kSteel, {0, 1, 0});
  add_beam(out, 2, 5, kSteel, {1, 0, 0});
  return out;
}

// By a p-version of finite elements, and to 30 digits by transfer matrices. From the fifth on, the products of double
// numbers along five metres of beam have lost too many digits for the test below.
const std::vector<double> kPortal = {41.765006570934184, 154.586278579471442, 201.488228816911377, 242.233437964548767};

TEST(OverallEquation, IsSingularAtAFramesFrequenciesWhateverTheTree) {
  const std::vector<Tree> trees = {tree_of({-1, -1, 1, -1, 1, 2}, {-1, -1, 1, -1, 3, 5}),
                                   tree_of({-1, 2, 5, -1, 5, -1}, {-1, 1, 5, -1, 4, -1}),
                                   tree_of({-1, 4, -1, -1, 5, 2}, {-1, 3, -1, -1, 4, 5})};
  for (const Tree& tree : trees) {
    const OverallEquation equation = equation_of(portal(), tree);
    EXPECT_EQ(equation.boundaries, 2);
    EXPECT_EQ(equation.loops, 1);
    EXPECT_EQ(equation.order, 3 * (2 + 2));
    for (const double omega : kPortal) EXPECT_LT(fall(equation, omega), 1e-8) << omega;
  }
}

// Support 0 - stem - hub 1, from it left to 2 and right to 3, where a body is: ports off the hub's point.
Structure y_frame() {
  Structure out;
  out.vertices = {vertex_at({0, 0, 0}, kSupport), vertex_at({1, 0, 0}, kAll), vertex_at({1.7, 0.6, 0.2}, kAll),
                  vertex_at({1.6, -0.7, 0.3}, kAll)};
  Eigen::Matrix3d hub;
  hub << 0.004, 0.0005, 0, 0.0005, 0.006, 0.0002, 0, 0.0002, 0.007;
  out.vertices[1].mass = rigid_mass(2, {0.01, 0.005, -0.003}, hub);
  out.vertices[3].mass = rigid_mass(0.5, {0.02, 0, 0}, Eigen::Vector3d(0.0004, 0.0005, 0.0006).asDiagonal());
  const double E = 2.1e11, G = 8.1e10, rho = 7850;
  add_beam(out, 0, 1, kSteel, {0, 1, 0}, {0, 0, 0}, {-0.05, 0, 0});
  add_beam(out, 1, 2, {3e-4, 1e-8, 5.625e-9, 1.875e-8, E, G, rho}, {0, 0, 1}, {0.04, 0.03, 0.01});
  add_beam(out, 1, 3, {3.75e-4, 1.953125e-8, 7.03125e-9, 3.1875e-8, E, G, rho}, {0, 0, 1}, {0.04, -0.03, 0.01});
  return out;
}

const std::vector<double> kYFrame = {25.2084420765493865, 36.6819062329539309, 61.3063382601657207, 118.239807639253572,
                                     133.000996227237296, 143.841651977936949, 387.983283792850162};

TEST(OverallEquation, IsSingularAtABranchingFramesFrequenciesWhateverTheRoot) {
  const std::vector<Tree> trees = {tree_of({-1, -1, 1, 1}, {-1, -1, 1, 2}), tree_of({-1, 2, -1, 1}, {-1, 1, -1, 2}),
                                   tree_of({-1, 3, 1, -1}, {-1, 2, 1, -1})};
  for (const Tree& tree : trees) {
    const OverallEquation equation = equation_of(y_frame(), tree);
    EXPECT_EQ(equation.order, 18);
    for (const double omega : kYFrame) EXPECT_LT(fall(equation, omega), 1e-8) << omega;
  }
}

// Six wheels on the ground, chassis, ring, cradle, and a tube held at two places: the literature's launcher.
TEST(OverallEquation, OfTheLauncherIsOfOrderSixty) {
  Structure out;
  Hinge bush;
  bush.kind.fill(Hinge::Kind::kElastic);
  bush.stiffness.fill(1e5);
  const auto hinge = [&](int a, int b) {
    out.elements.push_back({"bush", bush, {a, b}, {Matrix6::Identity(), Matrix6::Identity()}});
  };
  const auto add = [&](const Directions& moves) {
    out.vertices.push_back(vertex_at({0.5 * out.vertices.size(), 0, 0}, moves));
    return static_cast<int>(out.vertices.size()) - 1;
  };
  const int chassis = add(kAll), ring = add(kAll), cradle = add(kAll);
  Tree tree{{-1, chassis, ring}, {-1, 0, 1}};
  hinge(chassis, ring);
  hinge(ring, cradle);
  const auto hang = [&](int v, int parent, int element) {
    tree.parent.resize(out.vertices.size(), -1);
    tree.element.resize(out.vertices.size(), -1);
    tree.parent[v] = parent;
    tree.element[v] = element;
  };
  for (int k = 0; k < 6; ++k) {
    const int wheel = add(kAll), ground = add(kSupport);
    hinge(ground, wheel);
    hinge(wheel, chassis);
    hang(wheel, chassis, static_cast<int>(out.elements.size()) - 1);
  }
  const int tail = add(kAll), rear = add(kAll), front = add(kAll), muzzle = add(kAll);
  const int first = static_cast<int>(out.elements.size());
  for (int k = 0; k < 3; ++k) add_beam(out, tail + k, tail + k + 1, kSteel, {0, 1, 0});
  hinge(cradle, rear);
  hinge(cradle, front);
  hang(rear, cradle, first + 3);
  hang(tail, rear, first);
  hang(front, rear, first + 1);
  hang(muzzle, front, first + 2);
  const OverallEquation equation = equation_of(out, tree);
  EXPECT_EQ(equation.boundaries, 8);
  EXPECT_EQ(equation.loops, 1);
  EXPECT_EQ(equation.order, 60);
  const Eigen::MatrixXcd matrix = overall_matrix(equation, {0, 30});
  EXPECT_GT(singular_values(matrix, balance(matrix))[0], 1e-12);
  EXPECT_EQ(matrix.imag().cwiseAbs().maxCoeff(), 0);
}

TEST(OverallEquation, OfTheDampedBeamIsItsPlainProduct) {
  const Structure structure = stepped_beam(10);
  const OverallEquation equation = equation_of(structure, chain_tree(structure, 10));
  const std::vector<BendingSegment> segments = *find_bending_chain(structure);
  const std::complex<double> reference(-11, 300);
  const auto overall = [&](std::complex<double> s) {
    const Scaled<std::complex<double>> value = determinant(overall_matrix(equation, s));
    return value.mantissa * std::ldexp(1.0, static_cast<int>(value.exponent));
  };
  const std::complex<double> factor = overall(reference) / plain_determinant(segments, reference);
  for (const std::complex<double> s : {std::complex(-13.0, 10.0), std::complex(-2.0, 150.0), std::complex(0.0, 40.0)}) {
    const std::complex<double> expected = factor * plain_determinant(segments, s);
    EXPECT_LT(std::abs(overall(s) - expected), 1e-9 * std::abs(expected)) << s;
  }
}

TEST(OverallEquation, RefusesDirectionsThatAnElementCouplesWithOthers) {
  Structure askew = cantilever(kBending);
  askew.vertices[1].point = {1, 0.5, 0};
  askew.elements.clear();
  add_beam(askew, 0, 1, kSteel, {0, 1, 0});
  const Result<OverallEquation> equation = make_overall(askew, tree_of({-1, -1}, {-1, -1}));
  ASSERT_FALSE(equation);
  EXPECT_EQ(equation.error().code, ErrorCode::kUnsupported);
}

TEST(Determinant, IsTheProductOfPivotsWithItsSign) {
  Eigen::MatrixXcd matrix(2, 2);
  matrix << 0.0, 3.0, 4.0, 0.0;
  const Scaled<std::complex<double>> value = determinant(matrix);
  EXPECT_EQ(value.mantissa * std::ldexp(1.0, static_cast<int>(value.exponent)), std::complex<double>(-12));
  EXPECT_EQ(determinant(Eigen::MatrixXcd::Zero(2, 2)).mantissa, std::complex<double>(0));
}

// Of ten equal masses on ten rods, by exact stiffness and counts to 20 digits.
TEST(Baselines, FindTenEqualMassesOnRods) {
  const Structure structure = rod_chain(std::vector<double>(10, 1));
  const OverallEquation equation = equation_of(structure, chain_tree(structure, 10));
  const auto f = [&](double omega) { return real_determinant(equation, omega); };
  const std::vector<double> expected = {1604.762717406925, 4788.697357732386, 7894.952412977495, 10868.80379823962,
                                        13651.47259755479, 16179.37914814858, 18384.63446091645, 20197.46770164940,
                                        21551.12223894453, 22389.03143146744};
  const SearchResult signs = find_sign_changes(f, {0, 25000, 101, 1e-6});
  ASSERT_EQ(signs.roots.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(signs.roots[k].y, expected[k], 2e-6);
}

// The literature's unequal masses: two of the ten roots below 60000 rad/s are only 21 rad/s apart.
struct UnequalMasses {
  OverallEquation equation;

  UnequalMasses() {
    const Structure structure = rod_chain({0.25, 0.093, 0.55, 1, 0.5, 0.5, 0.6, 0.15, 0.15, 1});
    equation = equation_of(structure, chain_tree(structure, 10));
  }
  SearchResult by_signs(double upto, int samples) const {
    return find_sign_changes([this](double omega) { return real_determinant(equation, omega); },
                             {0, upto, samples, 1e-4});
  }
  SearchResult by_minima(double upto, int samples) const {
    const BatchFunction f = [this](std::span<const Point> points, std::span<double> values) {
      for (std::size_t k = 0; k < points.size(); ++k) values[k] = std::abs(real_determinant(equation, points[k].y));
    };
    return find_minima(f, {{}, {0, upto, samples, 1e-4}});
  }
};

TEST(Baselines, SignChangesMissTwoCloseRootsThatMinimaShow) {
  const UnequalMasses masses;
  const SearchResult signs = masses.by_signs(60000, 120), minima = masses.by_minima(60000, 120);
  EXPECT_EQ(signs.roots.size(), 8u);
  ASSERT_EQ(minima.roots.size(), 10u);
  EXPECT_NEAR(minima.roots[8].y, 40507.674444, 1e-4);
  EXPECT_NEAR(minima.roots[9].y, 40528.842965, 1e-4);
  EXPECT_EQ(masses.by_signs(60000, 500).roots.size(), 10u);
}

// Eighteen roots: both searches stop short and neither says so.
TEST(Baselines, NeitherKnowsWhatItMissed) {
  const UnequalMasses masses;
  EXPECT_LT(masses.by_signs(100000, 60).roots.size(), 18u);
  const SearchResult minima = masses.by_minima(100000, 60);
  EXPECT_LT(minima.roots.size(), 18u);
  EXPECT_TRUE(minima.complete);
}

}  // namespace
}  // namespace espalier::modes
