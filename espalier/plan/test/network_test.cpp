#include "espalier/plan/network.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::plan {
namespace {

using model::JointType;
using model::ModelSpec;
using Reals = std::vector<double>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// Bodies b1, b2, ... in a row from the ground, joined by these types in turn, the joints called j1, j2, ...
ModelSpec row_of(const std::vector<JointType>& types) {
  ModelSpec spec;
  std::string previous = model::kGround;
  for (std::size_t k = 1; k <= types.size(); ++k) {
    model::BodySpec body;
    body.name = "b" + std::to_string(k);
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    spec.bodies.push_back(body);
    model::JointSpec joint;
    joint.name = "j" + std::to_string(k);
    joint.type = types[k - 1];
    joint.a = previous;
    joint.b = body.name;
    joint.at = math::Pose{};
    if (joint.type == JointType::kScrew) joint.pitch = 0.01;
    spec.joints.push_back(joint);
    previous = body.name;
  }
  return spec;
}

Network network_of(const ModelSpec& spec, Weights weights) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << to_string(model.error());
  return make_network(*model, make_mechanism(*model), weights);
}

const std::vector<JointType> kMovable = {JointType::kPrismatic,   JointType::kRevolute,  JointType::kScrew,
                                         JointType::kCylindrical, JointType::kUniversal, JointType::kSpherical,
                                         JointType::kPlanar,      JointType::kFree};

TEST(MakeNetwork, WeighsCoordinatesByLiusTable) {
  const Network network = network_of(row_of(kMovable), Weights::kLiu);
  EXPECT_EQ(network.weight, (Reals{1, 1, 1, 2, 2, 3, 3, 6}));
  EXPECT_EQ(network.length, network.weight);
  EXPECT_EQ(network.freedom, (std::vector<int>{1, 1, 1, 2, 2, 3, 3, 6}));
}

TEST(MakeNetwork, WeighsJointsByWangsTable) {
  const Network network = network_of(row_of(kMovable), Weights::kWang);
  EXPECT_EQ(network.weight, (Reals{1.0, 1.1, 1.1, 2.0, 2.1, 3.0, 3.0, 6.0}));
  EXPECT_EQ(network.length, network.weight);
}

TEST(MakeNetwork, TakesWhatTheModelGivesItsJoints) {
  ModelSpec spec = row_of(kMovable);
  spec.joints[0].weight = 2.5;
  spec.joints[3].length = 7;
  const Network network = network_of(spec, Weights::kFile);
  EXPECT_EQ(network.weight, (Reals{2.5, 1, 1, 2, 2, 3, 3, 6}));
  EXPECT_EQ(network.length, (Reals{1, 1, 1, 7, 2, 3, 3, 6}));
  EXPECT_EQ(network_of(spec, Weights::kLiu).weight, (Reals{1, 1, 1, 2, 2, 3, 3, 6})) << "only where it is asked for";
}

TEST(MakeNetwork, MeasuresStepsInUnitsOfAHinge) {
  Network network = network_of(row_of(kMovable), Weights::kMeasured);
  EXPECT_EQ(network.weight, (Reals{1, 1, 1, 2, 2, 3, 3, 6}));
  // Built in: 50 ns a joint and 37.5 ns a coordinate.
  const double two = 125 / 87.5, three = 162.5 / 87.5, six = 275 / 87.5;
  const Reals built_in = {1, 1, 1, two, two, three, three, six};
  for (std::size_t e = 0; e < built_in.size(); ++e) EXPECT_NEAR(network.length[e], built_in[e], 1e-12);
  MachineConstants machine;
  machine.seconds[to_index(Work::kJoint)] = 1e-6;
  machine.seconds[to_index(Work::kCoordinate)] = 1e-6;
  measure_lengths(machine, network);
  EXPECT_EQ(network.length, (Reals{1, 1, 1, 1.5, 1.5, 2, 2, 3.5}));
  EXPECT_EQ(network.weight, (Reals{1, 1, 1, 2, 2, 3, 3, 6}));
  machine.seconds.fill(0);
  measure_lengths(machine, network);
  EXPECT_EQ(network.length, Reals(8, 1));
}

// j1 has a drive, j2 a motion, j3 a torque, j4 a wanted reaction, j5 drive and reaction, j6 a force on its body alone.
ModelSpec driven_row() {
  ModelSpec spec = row_of(std::vector<JointType>(6, JointType::kRevolute));
  spec.joints[0].actuated = true;
  spec.forces.push_back({"motion", model::MotionSpec{"j2", false, model::constant_expression(1)}, {}});
  model::LoadSpec torque;
  torque.torque = true;
  torque.joint = "j3";
  torque.value = {model::constant_expression(1)};
  spec.forces.push_back({"torque", torque, {}});
  spec.joints[3].reaction_wanted = true;
  spec.joints[4].actuated = true;
  spec.joints[4].reaction_wanted = true;
  model::LoadSpec push;
  push.body = "b6";
  push.value = std::vector<model::Expression>(3, model::constant_expression(1));
  spec.forces.push_back({"push", push, {}});
  return spec;
}

TEST(MakeNetwork, LowersDrivenJointsAndRaisesWantedReactionsByWang) {
  const Network network = network_of(driven_row(), Weights::kWang);
  const Reals expected = {1.05, 1.05, 1.05, 1.15, 1.1, 1.1};
  for (std::size_t e = 0; e < expected.size(); ++e) EXPECT_NEAR(network.weight[e], expected[e], 1e-15) << e;
  EXPECT_EQ(network.length, network.weight);
}

TEST(MakeNetwork, AdjustsNothingByLiu) {
  EXPECT_EQ(network_of(driven_row(), Weights::kLiu).weight, Reals(6, 1));
  EXPECT_EQ(network_of(driven_row(), Weights::kMeasured).weight, Reals(6, 1));
}

TEST(MakeNetwork, NoAdjustedJointPassesAnotherType) {
  ModelSpec low = row_of(kMovable);
  ModelSpec high = row_of(kMovable);
  for (model::JointSpec& joint : low.joints) joint.actuated = true;
  for (model::JointSpec& joint : high.joints) joint.reaction_wanted = true;
  const Reals plain = network_of(row_of(kMovable), Weights::kWang).weight;
  const Reals least = network_of(low, Weights::kWang).weight;
  const Reals most = network_of(high, Weights::kWang).weight;
  for (std::size_t a = 0; a < plain.size(); ++a) {
    for (std::size_t b = 0; b < plain.size(); ++b) {
      EXPECT_TRUE(plain[a] >= plain[b] || most[a] <= least[b]) << a << " passes " << b;
    }
  }
}

int equations(const Network& network, const std::vector<int>& tree) {
  int result = 0;
  for (const int f : network.freedom) result += 6 - f;
  for (const int e : tree) result += 2 * network.freedom[e] - 6;
  return result;
}

TEST(MakeNetwork, WangsLightestTreeHasTheFewestEquations) {
  int spared = 0;
  for (std::uint32_t key = 0; key < 60; ++key) {
    Random random(21, key);
    const int bodies = 4 + random.below(12);
    Result<ModelSpec> spec = model::generate_random(bodies, bodies + 1 + random.below(6), key);
    ASSERT_TRUE(spec);
    for (model::JointSpec& joint : spec->joints) {
      joint.actuated = random.below(3) == 0;
      joint.reaction_wanted = random.below(3) == 0;
    }
    const Network liu = network_of(*spec, Weights::kLiu);
    const Network wang = network_of(*spec, Weights::kWang);
    const int fewest = equations(liu, graph::kruskal(liu.graph, liu.weight));
    EXPECT_EQ(equations(wang, graph::kruskal(wang.graph, wang.weight)), fewest) << "model " << key;
    const graph::Tree first = graph::breadth_first_tree(graph::Adjacency(liu.graph), liu.graph.vertices, 0);
    spared += equations(liu, graph::tree_edges(first)) > fewest ? 1 : 0;
  }
  EXPECT_GT(spared, 30);  // else every tree has the fewest, and this test says nothing
}

TEST(MakeNetwork, NamesAWeldedGroupAfterItsFirstBody) {
  const Network network =
      network_of(row_of({JointType::kRevolute, JointType::kFixed, JointType::kSpherical}), Weights::kLiu);
  EXPECT_EQ(network.vertex_names, (std::vector<std::string>{"ground", "b1", "b3"}));
  EXPECT_EQ(network.edge_names, (std::vector<std::string>{"j1", "j3"}));
  EXPECT_EQ(network.ground, 0);
  EXPECT_TRUE(check_network(network));
}

TEST(FindVertex, AnswersAnUnknownNameWithTheNearest) {
  const Network network = network_of(row_of(kMovable), Weights::kLiu);
  EXPECT_EQ(find_vertex(network, "ground").value(), 0);
  EXPECT_EQ(find_vertex(network, "b8").value(), 8);
  EXPECT_EQ(find_edge(network, "j8").value(), 7);
  const Result<int> body = find_vertex(network, "grund");
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code, ErrorCode::kName);
  EXPECT_EQ(body.error().message, "no body is called 'grund'; did you mean 'ground'?");
  const Result<int> joint = find_edge(network, "crankshaft");
  ASSERT_FALSE(joint);
  EXPECT_EQ(joint.error().message,
            "no joint is called 'crankshaft'; there are 'j1', 'j2', 'j3', 'j4', 'j5', 'j6', 'j7', 'j8'");
}

Network plain_triangle() {
  Network network;
  network.graph = {3, {{0, 1}, {1, 2}, {2, 0}}};
  network.weight = network.length = {1, 2, 3};
  return network;
}

TEST(FindVertex, OfAPlainGraphCountsFromOne) {
  const Network network = plain_triangle();
  for (int v = 0; v < 3; ++v) EXPECT_EQ(find_vertex(network, vertex_name(network, v)).value(), v);
  for (int e = 0; e < 3; ++e) EXPECT_EQ(find_edge(network, edge_name(network, e)).value(), e);
  EXPECT_EQ(vertex_name(network, 0), "1");
  EXPECT_EQ(edge_name(network, 2), "e3");
  for (const char* name : {"0", "4", "-1", "1x", "", "e1", "99999999999999999999"})
    EXPECT_FALSE(find_vertex(network, name)) << name;
  for (const char* name : {"1", "e0", "e4", "e", "e1.0", "E1"}) EXPECT_FALSE(find_edge(network, name)) << name;
  EXPECT_EQ(find_edge(network, "e9").error().message, "no edge is called 'e9'; they are called e1 to e3");
  Network point;
  point.graph.vertices = 1;
  EXPECT_EQ(find_edge(point, "e1").error().message, "no edge is called 'e1'; there is none");
}

std::string problem_of(const Network& network) {
  const Result<void> checked = check_network(network);
  return checked ? "" : checked.error().message;
}

TEST(CheckNetwork, TakesATriangleASelfLoopAndAPoint) {
  Network network = plain_triangle();
  EXPECT_EQ(problem_of(network), "");
  network.graph.edges[0] = {1, 1};
  EXPECT_EQ(problem_of(network), "");
  Network point;
  point.graph.vertices = 1;
  EXPECT_EQ(problem_of(point), "");
}

TEST(CheckNetwork, RefusesNoVerticesAndEndsThatAreNotThere) {
  EXPECT_EQ(problem_of({}), "a graph needs at least one vertex");
  for (const int end : {-1, 3}) {
    Network network = plain_triangle();
    network.graph.edges[1].b = end;
    EXPECT_EQ(problem_of(network), "edge e2 ends at vertex number " + std::to_string(end) + "; there are 3");
  }
  for (const int ground : {-2, 3}) {
    Network network = plain_triangle();
    network.ground = ground;
    EXPECT_EQ(problem_of(network), "the ground is vertex number " + std::to_string(ground) + "; there are 3");
  }
}

TEST(CheckNetwork, RefusesWeightsAndLengthsThatAreNotPositiveAndFinite) {
  for (const double value : {0.0, -1.0, kNotANumber, std::numeric_limits<double>::infinity(), 2e12}) {
    Network network = plain_triangle();
    network.weight[1] = value;
    EXPECT_TRUE(problem_of(network).starts_with("the weight of edge e2 is ")) << value;
    network = plain_triangle();
    network.length[2] = value;
    EXPECT_TRUE(problem_of(network).starts_with("the length of edge e3 is ")) << value;
  }
  Network network = plain_triangle();
  network.weight[0] = kMostWeight;
  EXPECT_EQ(problem_of(network), "");
}

TEST(CheckNetwork, RefusesListsOfAnotherSize) {
  Network network = plain_triangle();
  network.length.pop_back();
  EXPECT_EQ(problem_of(network), "3 edges, but 3 weights and 2 lengths: there must be one of each per edge");
  network = plain_triangle();
  network.freedom = {1};
  EXPECT_EQ(problem_of(network), "1 degrees of freedom for 3 edges: give one of each, or none");
  network = plain_triangle();
  network.edge_names = {"a", "b"};
  EXPECT_EQ(problem_of(network), "2 names for 3 edges: give one of each, or none");
  network = plain_triangle();
  network.vertex_names = {"a", "b", "c", "d"};
  EXPECT_EQ(problem_of(network), "4 names for 3 vertices: give one of each, or none");
}

}  // namespace
}  // namespace espalier::plan
