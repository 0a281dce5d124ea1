#include "espalier/record/plan_file.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "espalier/formats/formats.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::record {
namespace {

using plan::Network;

Network read(const std::string& text) {
  const Result<Network> network = read_graph_text(text, "g.json");
  EXPECT_TRUE(network.has_value()) << to_string(network.error());
  return network.value_or(Network());
}

Error error_of(const std::string& text) {
  const Result<Network> network = read_graph_text(text, "g.json");
  EXPECT_FALSE(network.has_value()) << text;
  return network ? Error() : network.error();
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int k = 0; k < count; ++k) all += text;
  return all;
}

// Three vertices and two good edges, around what is to be tried.
std::string with_edge(const std::string& edge) {
  return "{\"vertices\": 3,\n \"edges\": [[1, 2, 1],\n  [2, 3, 1],\n  " + edge + "]}";
}
std::string with_vertices(const std::string& vertices) {
  return "{\n\"vertices\": " + vertices + ", \"edges\": [[1, 2, 1], [2, 3, 1]]}";
}

TEST(GraphFile, ALengthIsTheWeightWhereNoneIsGiven) {
  const Network network = read("{\"vertices\": 3, \"edges\": [[1, 2, 4], [3, 2, 0.5, 7e1]]}");
  EXPECT_EQ(network.graph.vertices, 3);
  ASSERT_EQ(network.graph.edges.size(), 2u);
  EXPECT_EQ(network.graph.edges[0].a, 0);
  EXPECT_EQ(network.graph.edges[0].b, 1);
  EXPECT_EQ(network.graph.edges[1].a, 2);
  EXPECT_EQ(network.weight, (std::vector<double>{4, 0.5}));
  EXPECT_EQ(network.length, (std::vector<double>{4, 70}));
  EXPECT_TRUE(network.freedom.empty());
  EXPECT_EQ(network.ground, -1);
  EXPECT_TRUE(plan::check_network(network).has_value());
}

TEST(GraphFile, KeysStandInAnyOrderAndSpaceIsFree) {
  const Network network = read("\xEF\xBB\xBF\t{ \"edges\"\r\n: [ [ 1 ,2,\n1 ]\n] , \"vertices\":2 }\r\n\n");
  EXPECT_EQ(network.graph.vertices, 2);
  EXPECT_EQ(network.graph.edges.size(), 1u);
}

TEST(GraphFile, OneVertexAndNoEdgeIsAGraph) { EXPECT_EQ(read("{\"vertices\": 1, \"edges\": []}").graph.vertices, 1); }

TEST(GraphFile, ParallelEdgesAreWelcome) {
  EXPECT_EQ(read("{\"vertices\": 2, \"edges\": [[1, 2, 1], [2, 1, 1]]}").graph.edges.size(), 2u);
}

TEST(GraphFile, OtherKeysAreSkippedWhateverTheyHold) {
  const std::string graph = "\"vertices\": 2, \"edges\": [[1, 2, 1]]";
  for (const std::string value : {"\"a ] } , \\\" \\\\\"", "{}", "[]", "null", "NaN", "-Infinity",
                                  "[1, {\"edges\": [[9, 9, 9]]}, \"x\"]", "{\"vertices\": 7, \"b\": [[], [{}]]}"}) {
    EXPECT_EQ(read("{\"note\": " + value + ", " + graph + "}").graph.edges.size(), 1u) << value;
    EXPECT_EQ(read("{" + graph + ", \"note\": " + value + "}").graph.edges.size(), 1u) << value;
  }
  const std::string deep = repeated("[{\"a\":", 500'000) + "1" + repeated("}]", 500'000);
  EXPECT_EQ(read("{\"note\": " + deep + ", " + graph + "}").graph.edges.size(), 1u);
}

TEST(GraphFile, JointLettersGiveCoordinates) {
  const std::string graph = "{\"vertices\": 2, \"edges\": [[1,2,1],[1,2,1],[1,2,1],[1,2,1],[1,2,1]], \"joints\": ";
  EXPECT_EQ(read(graph + "[\"R\", \"T\", \"U\", \"C\", \"S\"]}").freedom, (std::vector<int>{1, 1, 2, 2, 3}));
  for (const char* incomplete :
       {"[\"R\", \"T\"]", "[\"R\", \"T\", \"U\", \"C\", \"X\"]", "[1, 2, 3, 4, 5]", "null", "[]",
        "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5}", "[\"R\", \"T\", \"U\", \"C\", \"S\", \"S\"]",
        "[\"R\", \"T\", \"U\", \"C\", [\"S\"]]"}) {
    EXPECT_TRUE(read(graph + incomplete + "}").freedom.empty()) << incomplete;
  }
}

struct Broken {
  std::string text;
  ErrorCode code;
  int line;
  std::string part;
};

void expect_errors(const std::vector<Broken>& all) {
  for (const Broken& broken : all) {
    const Error error = error_of(broken.text);
    EXPECT_EQ(to_string(error.code), to_string(broken.code)) << to_string(error);
    EXPECT_EQ(to_string(error.where), "g.json:" + std::to_string(broken.line)) << to_string(error);
    EXPECT_MENTIONS(error.message, broken.part);
  }
}

TEST(GraphFile, BrokenJsonIsNamedWithItsLine) {
  const auto syntax = ErrorCode::kSyntax;
  expect_errors({
      {"", syntax, 1, "expected a graph such as {\"vertices\""},
      {"[1, 2]", syntax, 1, "found '[1, 2]'"},
      {"{\"vertices\": 2,\n\"edges\": [[1, 2, 1]", syntax, 2, "expected a comma or ], found the end of the file"},
      {"{\"vertices\": 2,\n\"edges\": [[1, 2, 1}]", syntax, 2, "expected a comma or ], found '}'"},
      {"{\"vertices\": 2,\n\"edges\": [[1, 2, 1] [1, 2, 1]]}", syntax, 2, "found '[1, 2, 1]'"},
      {"{\"vertices\": 2,\n\"edges\": [[1, 2, 1],]}", syntax, 2, "expected a value, found ']'"},
      {"{\"vertices\": 2,\n\"edges\": [[1, 2, 1],,]}", syntax, 2, "expected a value, found ','"},
      {"{\"vertices\": 2\n\"edges\": [[1, 2, 1]]}", syntax, 2, "expected a comma or }, found '\"edges\"'"},
      {"{\"vertices\" 2, \"edges\": [[1, 2, 1]]}", syntax, 1, "expected a colon after the key, found '2'"},
      {"{vertices: 2}", syntax, 1, "expected a key in quotes, found 'vertices'"},
      {"{\"vertices\": 2, \"edges\": [], }", syntax, 1, "expected a key in quotes, found '}'"},
      {"{\"note\": {1: 2}}", syntax, 1, "expected a key in quotes, found '1'"},
      {"{\"note\": {\"a\", 2}}", syntax, 1, "expected a colon after the key, found ','"},
      {"{\"note\":\n\"never closed\n, \"vertices\": 1}", syntax, 2, "not closed on its line"},
      {"{\"note", syntax, 1, "not closed on its line"},
      {"{\"note\": \"\\", syntax, 1, "not closed on its line"},
      {with_vertices("3") + "\n\n{\"vertices\": 1}", syntax, 4, "after the end of the graph"},
      {with_vertices("3") + std::string(1, '\0'), syntax, 2, "after the end of the graph"},
      {"{\"note\": " + repeated("[", 1'000'000), syntax, 1, "expected a value, found the end of the file"},
  });
}

TEST(GraphFile, BothKeysAreNeededOnce) {
  expect_errors({
      {"{}", ErrorCode::kName, 1, "no `vertices`; a graph looks like {\"vertices\""},
      {"{\"edges\": []}", ErrorCode::kName, 1, "no `vertices`"},
      {"{\"vertices\": 1}", ErrorCode::kName, 1, "no `edges`"},
      {"{\"vertices\": 1, \"edges\": [],\n\"vertices\": 1}", ErrorCode::kName, 2, "`vertices` stands twice; keep one"},
  });
}

TEST(GraphFile, VerticesAreCountedInWholeNumbers) {
  for (const char* wrong : {"0", "-3", "2.5", "3.0", "\"3\"", "[3]", "null", "NaN", "1e1", "99999999999999999999"}) {
    expect_errors({{with_vertices(wrong), ErrorCode::kValue, 2, "must be a whole number from 1 on"}});
  }
  EXPECT_MENTIONS(error_of(with_vertices("2.5")).message, "'2.5'");
  expect_errors({
      {with_vertices("100000001"), ErrorCode::kLimit, 2, "at most 100000000"},
      {with_vertices("4"), ErrorCode::kTopology, 2,
       "4 vertices and 2 edges: not connected; 4 vertices need at least 3"},
  });
}

TEST(GraphFile, EndsAreVerticesOfTheGraph) {
  expect_errors({
      {with_edge("[1, 4, 1]"), ErrorCode::kTopology, 4, "edge e3 ends at '4'; vertices are numbered from 1 to 3"},
      {with_edge("[0, 1, 1]"), ErrorCode::kTopology, 4, "ends at '0'"},
      {with_edge("[-1, 1, 1]"), ErrorCode::kTopology, 4, "ends at '-1'"},
      {with_edge("[1.5, 1, 1]"), ErrorCode::kType, 4, "ends at '1.5'"},
      {with_edge("[\"a\", 1, 1]"), ErrorCode::kType, 4, "ends at '\"a\"'"},
      {with_edge("[1, 99999999999999999999, 1]"), ErrorCode::kType, 4, "ends at '99999999999999999999'"},
      {with_edge("[2, 2, 1]"), ErrorCode::kTopology, 4, "edge e3 joins vertex 2 to itself"},
  });
}

TEST(GraphFile, WeightsAndLengthsArePositive) {
  for (const char* wrong : {"0", "-1", "NaN", "nan", "Infinity", "1e999", "1.1e12", "1e-999", "\"1\"", "null", "true",
                            "1x", "0x10", "--1", "[1]", "{}"}) {
    const std::string value = wrong;
    expect_errors(
        {{with_edge("[1, 2, " + value + "]"), ErrorCode::kValue, 4, "the weight of edge e3 is '" + value},
         {with_edge("[1, 2, 1, " + value + "]"), ErrorCode::kValue, 4, "the length of edge e3 is '" + value}});
  }
  EXPECT_MENTIONS(error_of(with_edge("[1, 2, 0]")).message, "it must be a positive number, at most 1000000000000");
}

TEST(GraphFile, AnEdgeHasThreeOrFourNumbers) {
  for (const std::string wrong : {"[]", "[1]", "[1, 2]", "[1, 2, 1, 1, 1]", "7", "\"e\"", "{\"a\": 1}"}) {
    expect_errors({{with_edge(wrong), ErrorCode::kType, 4,
                    "edge e3 must be [u, v, weight] or [u, v, weight, length]; found '" + wrong + "'"}});
  }
  expect_errors({{"{\"vertices\": 1, \"edges\": 7}", ErrorCode::kType, 1, "`edges` must be a list"},
                 {"{\"vertices\": 1, \"edges\": {}}", ErrorCode::kType, 1, "`edges` must be a list"}});
}

TEST(GraphFile, IsToldFromAModel) {
  for (const char* graph : {"{\"vertices\": 1, \"edges\": []}", " {\n\"name\": [{}, \"x\"], \"edges\": 7",
                            "{\"vertices\"", "\xEF\xBB\xBF{\"vertices\""}) {
    EXPECT_TRUE(formats::is_graph_text(graph)) << graph;
  }
  for (const char* other : {"", "espalier: 1\n", "{\"espalier\": 1, \"vertices\": 1, \"edges\": []}", "{espalier: 1}",
                            "{\"a\": {\"vertices\": 1, \"edges\": []}}", "[\"vertices\"]", "<robot/>", "{}",
                            "{\"a\": [", "vertices: 1\nedges: []\n"}) {
    EXPECT_FALSE(formats::is_graph_text(other)) << other;
  }
}

TEST(GraphFile, WhereAMechanismIsNeededAGraphIsNamed) {
  const Result<model::ModelSpec> json = formats::read_model_text("{\"vertices\": 1, \"edges\": [", "g.json");
  ASSERT_FALSE(json.has_value());
  EXPECT_MENTIONS(json.error().message, "a plain graph, without bodies and joints: this needs a mechanism");
  const Result<model::ModelSpec> yaml = formats::read_model_text("vertices: 1\nedges: []\n", "g.yaml");
  ASSERT_FALSE(yaml.has_value());
  EXPECT_MENTIONS(yaml.error().message, "I read plain graphs as JSON");
}

TEST(GraphFile, WhatIsWrittenReadsBack) {
  EXPECT_TRUE(rc::check([] {
    Network network;
    network.graph.vertices = *rc::gen::inRange(2, 20);
    const int edges = *rc::gen::inRange(network.graph.vertices - 1, 40);
    for (int e = 0; e < edges; ++e) {
      const int a = *rc::gen::inRange(0, network.graph.vertices);
      const int step = *rc::gen::inRange(1, network.graph.vertices);
      network.graph.edges.push_back({a, (a + step) % network.graph.vertices});
      network.weight.push_back(*rc::gen::inRange(1, 1'000'000) / 997.0);
      network.length.push_back(*rc::gen::arbitrary<bool>() ? network.weight.back() : 1e-7 * network.weight.back());
    }
    const std::string text = graph_text(network);
    RC_ASSERT(formats::is_graph_text(text));
    const Result<Network> again = read_graph_text(text, "g.json");
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->graph.vertices == network.graph.vertices);
    RC_ASSERT(again->weight == network.weight);
    RC_ASSERT(again->length == network.length);
    for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
      RC_ASSERT(again->graph.edges[e].a == network.graph.edges[e].a);
      RC_ASSERT(again->graph.edges[e].b == network.graph.edges[e].b);
    }
  }));
}

TEST(GraphFile, ReadsTheGraphsWithProvedOptima) {
  const std::filesystem::path folder = source_dir() + "/../shared/data/topology";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "the collection of graphs is not here";
  const Result<Network> figure = read_graph(folder / "liu1999_fig2a.json");
  ASSERT_TRUE(figure.has_value()) << to_string(figure.error());
  EXPECT_EQ(figure->graph.vertices, 20);
  EXPECT_EQ(figure->graph.edges.size(), 32u);
  const Result<Network> stewart = read_graph(folder / "h14_stewart.json");
  ASSERT_TRUE(stewart.has_value()) << to_string(stewart.error());
  ASSERT_EQ(stewart->freedom.size(), 18u);
  for (std::size_t e = 0; e < 18; ++e) EXPECT_EQ(stewart->freedom[e], stewart->weight[e]);
}

}  // namespace
}  // namespace espalier::record
