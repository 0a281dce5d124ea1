#include "espalier/modes/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/test/structure_support.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

Tree planned(const Structure& structure) {
  const Result<Tree> tree = plan_tree(structure);
  if (!tree) ADD_FAILURE() << to_string(tree.error());
  return tree.value_or(Tree{});
}

ModeSet modes_of(const Structure& structure, const Tree& tree, const ModesOptions& options) {
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, tree, options);
  if (!set) {
    ADD_FAILURE() << to_string(set.error());
    return {};
  }
  return *set;
}
ModeSet modes_of(const Structure& structure, const ModesOptions& options) {
  return modes_of(structure, planned(structure), options);
}

ModesOptions below(double omega, bool shapes = false) {
  ModesOptions options;
  options.max_frequency = omega;
  options.shapes = shapes;
  return options;
}

// Every frequency as often as it is multiple.
std::vector<double> frequencies(const ModeSet& set) {
  std::vector<double> omega;
  for (const Mode& mode : set.modes) {
    omega.insert(omega.end(), to_index(mode.multiplicity), mode.s.imag());
  }
  return omega;
}

void expect_proved(const Structure& structure, const std::vector<double>& reference, double tolerance = 1e-9) {
  const ModeSet set = modes_of(structure, below(reference.back() * (1 + 1e-6)));
  const std::vector<double> found = frequencies(set);
  ASSERT_EQ(found.size(), reference.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_LE(std::abs(found[k] - reference[k]), tolerance * reference[k]) << k;
  }
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
  EXPECT_EQ(set.counted, static_cast<int>(reference.size()));
}

TEST(FindModes, TenClassicalBeams) {
  const nlohmann::json data = read_reference("h01_uniform_beam_10_bcs");
  for (const nlohmann::json& system : data["systems"]) {
    SCOPED_TRACE(system["bc"]);
    std::vector<double> reference(system["zero_modes"].get<std::size_t>(), 0.0);
    for (const nlohmann::json& omega : system["omega"]) reference.push_back(reference_number(omega));
    const Structure structure = structure_of(uniform_beam_spec(system["bc"]));
    const ModeSet set = modes_of(structure, below(reference.back() * (1 + 1e-6)));
    const std::vector<double> found = frequencies(set);
    ASSERT_EQ(found.size(), reference.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_LE(std::abs(found[k] - reference[k]), 1e-12 * reference[k]) << k;
    }
    EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
  }
}

TEST(FindModes, ReferenceSystems) {
  expect_proved(structure_of(ten_rods_spec()), reference_frequencies(read_reference("h03_ten_rods_ten_equal_masses")));
  const nlohmann::json chain = read_reference("h12_chain_200_springs_masses");
  expect_proved(structure_of(chain_spec(chain)), reference_frequencies(chain));
  for (const char* name : {"h08_y_frame_tree", "h09_two_storey_portal_planar", "h16_mlrs_one_firing_tube"}) {
    SCOPED_TRACE(name);
    const nlohmann::json data = read_reference(name);
    expect_proved(structure_of(frame_spec(data)), reference_frequencies(data));
  }
}

TEST(FindModes, TheLaunchersModesTakeFewEvaluations) {
  const nlohmann::json data = read_reference("h16_mlrs_one_firing_tube");
  const std::vector<double> reference = reference_frequencies(data);
  const ModeSet set = modes_of(structure_of(frame_spec(data)), below(reference.back() * (1 + 1e-6)));
  EXPECT_EQ(set.found, 49);
  EXPECT_LE(set.counts + set.evaluations, 700);
}

TEST(FindModes, DampedCantileverAsPublished) {
  const nlohmann::json data = read_reference("h05_tapered_damped_cantilever");
  const std::vector<Complex> reference = reference_eigenvalues(data["stepped_n50"]);
  ModesOptions options = below(1200);
  const ModeSet set = modes_of(structure_of(tapered_beam_spec()), options);
  ASSERT_EQ(set.modes.size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_LT(std::abs(set.modes[k].s - reference[k]), 1e-11 * std::abs(reference[k])) << k;
  }
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
  EXPECT_EQ(set.counted, 14);
  for (const bool box : {false, true}) {
    if (box) options.box = Box{-20, 0, 0, 1200};
    const ModeSet again = modes_of(structure_of(tapered_beam_spec()), options);
    EXPECT_EQ(again.modes.size(), 7u);
    EXPECT_LE(again.evaluations, 60);
    EXPECT_LE(again.evaluations + again.counts, 120);
  }
}

TEST(FindModes, HalfCarWithOverdampedModes) {
  const nlohmann::json data = read_reference("h18_half_car_damped");
  std::vector<Complex> reference;
  for (const Complex& s : reference_eigenvalues(data["eigenvalues"])) {
    if (s.imag() > -1e-9) reference.push_back(s);
  }
  ModesOptions options = below(100);
  options.max_decay = 200;
  const ModeSet set = modes_of(structure_of(frame_spec(data)), options);
  ASSERT_EQ(set.modes.size(), reference.size());
  for (const Complex& s : reference) {
    const auto nearest = std::min_element(set.modes.begin(), set.modes.end(), [&](const Mode& a, const Mode& b) {
      return std::abs(a.s - s) < std::abs(b.s - s);
    });
    EXPECT_LT(std::abs(nearest->s - s), 1e-10 * std::abs(s));
  }
  EXPECT_EQ(set.counted, 12);
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
}

// Equal beams in a star, clamped at their tips: modes that leave the hub at rest are those of one beam clamped at both
// ends.
TEST(FindModes, EqualArmsAreCountedEach) {
  constexpr int kArms = 12;
  const SectionOf section{6e-4, 4.5e-8, 2e-8, 7.8e-8, 2.1e11, 8.1e10, 7850};
  Structure star;
  star.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kPlanar));
  star.vertices[0].name = "hub";
  for (int k = 0; k < kArms; ++k) {
    const double angle = 2 * std::numbers::pi * k / kArms;
    star.vertices.push_back(vertex_at({std::cos(angle), std::sin(angle), 0}, kSupport));
    add_beam(star, 0, k + 1, section, {-std::sin(angle), std::cos(angle), 0});
  }
  const Beam& beam = std::get<Beam>(star.elements[0].law);
  const double clamped = 4.730040744862704 * 4.730040744862704 * std::sqrt(beam.EIz / beam.rho_A);
  const ModeSet set = modes_of(star, below(1.2 * clamped));
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
  int multiple = 0;
  for (const Mode& mode : set.modes) {
    if (std::abs(mode.s.imag() / clamped - 1) < 1e-9) multiple = mode.multiplicity;
  }
  // Three combinations of the arms would push or turn the hub.
  EXPECT_EQ(multiple, kArms - 3);
  EXPECT_EQ(set.found, set.counted);
}

// Masses and springs between pairs at random, and their matrices.
struct RandomNetwork {
  RandomNetwork(Random& random, int size, double most_damping)
      : mass(Eigen::MatrixXd::Zero(size, size)), stiffness(mass), damping(mass) {
    structure.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
    for (int k = 0; k < size; ++k) {
      structure.vertices.push_back(vertex_at({static_cast<double>(k + 1), 0, 0}, kAlongX));
      structure.vertices.back().name = std::to_string(k);
      mass(k, k) = structure.vertices.back().mass(0, 0) = std::exp(random.uniform(-2, 2));
    }
    for (int k = 1; k <= size; ++k) connect(random.below(k), k, random, most_damping);
    for (int k = 0; k < size / 2; ++k) {
      const int a = random.below(size + 1), b = random.below(size + 1);
      if (a != b) connect(std::min(a, b), std::max(a, b), random, most_damping);
    }
  }

  void connect(int a, int b, Random& random, double most_damping) {
    const double spring = std::exp(random.uniform(-3, 5)), damper = most_damping * random.uniform();
    add_spring(structure, a, b, spring, damper);
    for (const auto& [matrix, value] : {std::pair(&stiffness, spring), std::pair(&damping, damper)}) {
      (*matrix)(b - 1, b - 1) += value;
      if (a == 0) continue;
      (*matrix)(a - 1, a - 1) += value;
      (*matrix)(a - 1, b - 1) -= value;
      (*matrix)(b - 1, a - 1) -= value;
    }
  }

  Eigen::VectorXd frequencies() const {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, mass);
    return solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  }
  Eigen::VectorXcd eigenvalues() const {
    const Eigen::Index n = mass.rows();
    Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    companion.topRightCorner(n, n).setIdentity();
    companion.bottomLeftCorner(n, n) = -mass.inverse() * stiffness;
    companion.bottomRightCorner(n, n) = -mass.inverse() * damping;
    return companion.eigenvalues();
  }

  Structure structure;
  Eigen::MatrixXd mass, stiffness, damping;
};

TEST(FindModes, RandomNetworksAsTheirMatricesSay) {
  for (std::uint32_t seed = 0; seed < 250; ++seed) {
    Random random(7, seed);
    const RandomNetwork network(random, 2 + random.below(12), 0);
    const Eigen::VectorXd omega = network.frequencies();
    // Below a frequency at random, which may lie near one of the network's own.
    const double upto = omega.maxCoeff() * random.uniform(0.3, 1.1);
    const ModeSet set = modes_of(network.structure, below(upto));
    const std::vector<double> found = frequencies(set);
    const auto expected = (omega.array() < set.upto).count();
    ASSERT_EQ(found.size(), to_index(expected)) << "seed " << seed;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], omega[static_cast<Eigen::Index>(k)], 1e-9 * omega.maxCoeff()) << seed;
    }
    EXPECT_EQ(set.certainty, Certainty::kProved) << "seed " << seed << ": " << set.certificate;
  }
}

// From hardly damped to overdamped. What is found is right, and `proved` is never said of less than all.
TEST(FindModes, RandomDampedNetworksAsTheirMatricesSay) {
  int proved = 0, certain = 0;
  constexpr int kSystems = 250;
  for (std::uint32_t seed = 0; seed < kSystems; ++seed) {
    Random random(11, seed);
    const RandomNetwork network(random, 2 + random.below(8), std::exp(random.uniform(-6, 2)));
    const double top = network.frequencies().maxCoeff() * random.uniform(0.4, 1.2);
    ModesOptions options = below(top);
    options.max_decay = top * random.uniform(0.2, 2);
    const ModeSet set = modes_of(network.structure, options);
    const Eigen::VectorXcd all = network.eigenvalues();
    const double largest = all.cwiseAbs().maxCoeff();
    int inside = 0;
    for (const Complex& s : all) {
      if (s.imag() < -1e-9 * largest || std::abs(s.imag()) > top || -s.real() > options.max_decay) continue;
      ++inside;
      const bool found = std::any_of(set.modes.begin(), set.modes.end(),
                                     [&](const Mode& mode) { return std::abs(mode.s - s) < 1e-6 * largest; });
      EXPECT_TRUE(found || set.certainty == Certainty::kNone) << "seed " << seed << " misses " << s;
    }
    certain += set.certainty != Certainty::kNone ? 1 : 0;
    proved += set.certainty == Certainty::kProved ? 1 : 0;
    if (set.certainty == Certainty::kProved) {
      EXPECT_EQ(static_cast<int>(set.modes.size()), inside) << seed;
    }
  }
  EXPECT_GE(proved, 240) << proved;
  EXPECT_EQ(certain, kSystems);
}

// The spectrum does not know on which tree it was computed.
TEST(FindModes, TreesAndRootsChangeNothing) {
  const nlohmann::json data = read_reference("h16_mlrs_one_firing_tube");
  const Structure structure = structure_of(frame_spec(data));
  const StructureNetwork network = make_network(structure);
  const std::vector<double> reference = frequencies(modes_of(structure, below(100)));
  for (const plan::Method method : {plan::Method::kDfs, plan::Method::kBfs, plan::Method::kKruskal}) {
    for (const int root : {0, 3, 8}) {
      plan::PlanOptions options;
      options.method = method;
      options.root = root;
      const Result<plan::Plan> plan = plan::make_plan(network.network, options);
      ASSERT_TRUE(plan.has_value());
      const std::vector<double> found =
          frequencies(modes_of(structure, make_tree(structure, network, *plan), below(100)));
      ASSERT_EQ(found.size(), reference.size());
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k] / reference[k], 1, 1e-12);
    }
  }
}

// However high one looks, the slowest vibration of the chain, 0.25 rad/s, is no free motion.
TEST(FindModes, SlowVibrationsAreNotFreeMotions) {
  const nlohmann::json chain = read_reference("h12_chain_200_springs_masses");
  const std::vector<double> reference = reference_frequencies(chain);
  const ModeSet set = modes_of(structure_of(chain_spec(chain)), below(1e10));
  const std::vector<double> found = frequencies(set);
  ASSERT_EQ(found.size(), reference.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k] / reference[k], 1, 1e-9) << k;
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
}

TEST(FindModes, FreeMotionsAreCounted) {
  Structure beam = structure_of(uniform_beam_spec("free-free"));
  ModesOptions options;
  options.count = 3;
  const ModeSet set = modes_of(beam, options);
  ASSERT_GE(set.modes.size(), 4u);
  EXPECT_EQ(set.modes[0].s, 0.0);
  EXPECT_EQ(set.modes[0].multiplicity, 2);
  ASSERT_EQ(set.modes[0].shapes.size(), 2u);
  // Both are motions of a rigid body: y0 + (x - x0) theta.
  for (const Shape& shape : set.modes[0].shapes) {
    const double y = shape[1][1].real() - shape[0][1].real();
    EXPECT_NEAR(y, 1.2 * shape[0][5].real(), 1e-7);
    EXPECT_NEAR(shape[1][5].real(), shape[0][5].real(), 1e-7);
  }
}

// y(x) of a cantilever, closed form.
TEST(FindModes, ShapesOfACantilever) {
  Structure uniform = stepped_beam(50, 0);
  for (Element& element : uniform.elements) element.law = std::get<Beam>(uniform.elements[0].law);
  const ModeSet set = modes_of(uniform, [] {
    ModesOptions options;
    options.count = 12;
    return options;
  }());
  const double z = (12 - 0.5) * std::numbers::pi;
  // 1 - sigma, without the difference of numbers that agree in 16 digits.
  const double rest = (std::exp(-z) + std::cos(z) + std::sin(z)) / (std::cosh(z) + std::cos(z));
  const auto y = [&](double x) {
    return std::exp(-z * x) + rest * std::sinh(z * x) - std::cos(z * x) + (1 - rest) * std::sin(z * x);
  };
  ASSERT_GE(set.modes.size(), 12u);
  const Shape& shape = set.modes[11].shapes.at(0);
  const double tip = shape[50][1].real();
  for (std::size_t k = 1; k <= 50; ++k) {
    EXPECT_NEAR(shape[k][1].real() / tip, y(static_cast<double>(k) / 50) / y(1), 1e-6) << k;
  }
}

TEST(FindModes, RefusesWhatHasNeitherInertiaNorStiffness) {
  Structure loose;
  loose.vertices = {vertex_at(Eigen::Vector3d::Zero(), kSupport), vertex_at(Eigen::Vector3d::UnitX(), kPlanar)};
  loose.vertices[1].name = "slug";
  loose.vertices[1].mass(0, 0) = 1;
  add_spring(loose, 0, 1, 100);
  std::get<Hinge>(loose.elements[0].law).kind[1] = Hinge::Kind::kReleased;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), loose, planned(loose), below(10));
  ASSERT_FALSE(set.has_value());
  EXPECT_NE(set.error().message.find("slug"), std::string::npos);
}

}  // namespace
}  // namespace espalier::modes
