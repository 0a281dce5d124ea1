#include "espalier/record/plan_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record {
namespace {

using files::JsonScanner;
using plan::Network;

constexpr int kMostVertices = 100'000'000;
constexpr const char* kForm = "{\"vertices\": 3, \"edges\": [[1, 2, 1], [2, 3, 1.5]]}";

// Where a value of the file begins.
struct Value {
  std::size_t begin = 0;
  std::size_t items = 0;  // of a list or map
};

struct Values {
  std::optional<Value> vertices;
  std::optional<Value> edges;
  std::optional<Value> joints;

  // A key that is none of these is skipped: files of others hold more than the graph.
  std::optional<Value>* find(std::string_view key) {
    if (key == "vertices") return &vertices;
    if (key == "edges") return &edges;
    return key == "joints" ? &joints : nullptr;
  }
};

bool find_value(JsonScanner& scanner, Values& values) {
  if (scanner.peek() != '"') return scanner.expected("a key in quotes");
  const std::size_t begin = scanner.position();
  const std::optional<std::string_view> key = scanner.string();
  if (!key) return false;
  if (!scanner.take(':')) return scanner.expected("a colon after the key");
  // Two lists of edges would make one of them a matter of luck.
  std::optional<Value>* value = values.find(*key);
  if (value != nullptr && *value) {
    return scanner.fail(ErrorCode::kName, begin, fmt::format("the key `{}` stands twice; keep one", *key));
  }
  scanner.peek();
  // Items are counted on the way, so that memory is asked for once.
  Value found{scanner.position(), 0};
  if (!scanner.skip(&found.items)) return false;
  if (value != nullptr) *value = found;
  return true;
}

// The first pass: the whole file is JSON, and this is where the parts of the graph stand.
bool find_values(JsonScanner& scanner, Values& values) {
  if (!scanner.take('{')) return scanner.expected(fmt::format("a graph such as {}", kForm));
  if (!scanner.take('}')) {
    do {
      if (!find_value(scanner, values)) return false;
    } while (scanner.take(','));
    if (!scanner.take('}')) return scanner.expected("a comma or }");
  }
  // Two graphs in one file would be read as the first of them.
  if (!scanner.at_end()) {
    return scanner.fail(ErrorCode::kSyntax, scanner.position(),
                        fmt::format("{} after the end of the graph; a file holds one graph: remove the rest",
                                    scanner.found_at(scanner.position())));
  }
  // Asked for at the end, since keys may stand in any order.
  for (const char* key : {"vertices", "edges"}) {
    if (*values.find(key)) continue;
    return scanner.fail(ErrorCode::kName, 0, fmt::format("the graph has no `{}`; a graph looks like {}", key, kForm));
  }
  return true;
}

// A whole number in decimal digits alone.
std::optional<long long> parse_whole(std::string_view word) {
  long long value = 0;
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, value);
  // A number that goes on after its digits (1.0, 1e3) is no count.
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

bool read_vertices(JsonScanner& scanner, const Values& values, int& vertices) {
  const std::size_t begin = values.vertices->begin;
  scanner.go_to(begin);
  const std::string_view word = scanner.word();
  const std::optional<long long> count = parse_whole(word);
  // A graph of nothing has no tree that could be planned.
  if (!count || *count < 1) {
    return scanner.fail(ErrorCode::kValue, begin,
                        fmt::format("`vertices` is {}; it must be a whole number from 1 on", scanner.found_at(begin)));
  }
  if (*count > kMostVertices) {
    return scanner.fail(ErrorCode::kLimit, begin,
                        fmt::format("`vertices` is {}; at most {} are read", word, kMostVertices));
  }
  // Before memory is taken for them: the number of vertices alone is no measure of the file.
  const std::size_t edges = values.edges->items;
  if (*count > static_cast<long long>(edges) + 1) {
    return scanner.fail(ErrorCode::kTopology, begin,
                        fmt::format("{} vertices and {}: not connected; {} vertices need at least {}", *count,
                                    counted(edges, "edge"), *count, counted(*count - 1, "edge")));
  }
  vertices = static_cast<int>(*count);
  return true;
}

class EdgeReader {
 public:
  EdgeReader(JsonScanner& scanner, Network& network) : scanner_(scanner), network_(network) {}

  bool read(const Value& edges) {
    scanner_.go_to(edges.begin);
    if (!scanner_.take('[')) {
      return scanner_.fail(ErrorCode::kType, edges.begin,
                           fmt::format("`edges` must be a list of [u, v, weight] or [u, v, weight, length]; found {}",
                                       scanner_.found_at(edges.begin)));
    }
    // The shortest edge is [1,2,3]: a list of something else cannot ask for more memory than the text.
    const std::size_t count = std::min(edges.items, scanner_.text().size() / 7);
    network_.graph.edges.reserve(count);
    network_.weight.reserve(count);
    network_.length.reserve(count);
    if (scanner_.take(']')) return true;
    do {
      if (!read_edge()) return false;
    } while (scanner_.take(','));
    // That the list closes is known from the first pass.
    return true;
  }

 private:
  bool read_edge() {
    scanner_.peek();
    // Messages name the whole edge, whichever of its numbers is wrong.
    edge_begin_ = scanner_.position();
    graph::Edge edge;
    double weight = 0;
    if (!scanner_.take('[')) return wrong_form();
    if (!read_end(edge.a) || !next() || !read_end(edge.b) || !next() || !read_positive("weight", weight)) return false;
    // Graphs of the literature have one number per edge, which is both.
    double length = weight;
    if (scanner_.take(',') && !read_positive("length", length)) return false;
    if (!scanner_.take(']')) return wrong_form();
    // It closes no loop between two bodies and would be cut in every plan.
    if (edge.a == edge.b) {
      return scanner_.fail(
          ErrorCode::kTopology, edge_begin_,
          fmt::format("edge {} joins vertex {} to itself; a joint joins two bodies: remove it", name(), edge.a + 1));
    }
    network_.graph.edges.push_back(edge);
    network_.weight.push_back(weight);
    network_.length.push_back(length);
    return true;
  }

  bool next() { return scanner_.take(',') || wrong_form(); }

  bool read_end(int& end) {
    scanner_.peek();
    const std::size_t begin = scanner_.position();
    const std::optional<long long> number = parse_whole(scanner_.word());
    if (number && *number >= 1 && *number <= network_.graph.vertices) {
      end = static_cast<int>(*number) - 1;
      return true;
    }
    // An empty place before the bracket: the whole edge has the wrong form, not this end of it.
    if (scanner_.peek() == ']' && scanner_.position() == begin) return wrong_form();
    return scanner_.fail(number ? ErrorCode::kTopology : ErrorCode::kType, begin,
                         fmt::format("edge {} ends at {}; vertices are numbered from 1 to {}", name(),
                                     scanner_.found_at(begin), network_.graph.vertices));
  }

  bool read_positive(const char* what, double& value) {
    scanner_.peek();
    const std::size_t begin = scanner_.position();
    const std::optional<double> number = parse_number(scanner_.word());
    // Zero and below would make the lightest tree and the shortest way the same as none.
    if (number && *number > 0 && *number <= plan::kMostWeight) {
      value = *number;
      return true;
    }
    // As above: nothing stands where the number should.
    if (scanner_.peek() == ']' && scanner_.position() == begin) return wrong_form();
    return scanner_.fail(ErrorCode::kValue, begin,
                         fmt::format("the {} of edge {} is {}; it must be a positive number, at most {}", what, name(),
                                     scanner_.found_at(begin), number_text(plan::kMostWeight)));
  }

  bool wrong_form() {
    return scanner_.fail(ErrorCode::kType, edge_begin_,
                         fmt::format("edge {} must be [u, v, weight] or [u, v, weight, length]; found {}", name(),
                                     scanner_.found_at(edge_begin_)));
  }

  // Edges have no names in the file: they are counted as the reader met them.
  std::string name() const { return fmt::format("e{}", network_.graph.edges.size() + 1); }

  JsonScanner& scanner_;
  Network& network_;
  std::size_t edge_begin_ = 0;
};

// [Liu99] Table 1; 0 for what is no joint of it.
int freedom_of(std::string_view letter) {
  if (letter == "R" || letter == "T") return 1;
  if (letter == "U" || letter == "C") return 2;
  return letter == "S" ? 3 : 0;
}

// Empty where the list is not one known letter an edge: then it is skipped like any other key.
std::vector<int> read_freedom(JsonScanner& scanner, const Value& joints, std::size_t edges) {
  scanner.go_to(joints.begin);
  if (joints.items != edges || !scanner.take('[')) return {};
  std::vector<int> freedom;
  freedom.reserve(edges);
  while (freedom.size() < edges) {
    if (scanner.peek() != '"') return {};
    // One unknown letter makes the list another key of the same name.
    const int f = freedom_of(*scanner.string());
    if (f == 0) return {};
    freedom.push_back(f);
    scanner.take(',');
  }
  return freedom;
}

}  // namespace

Result<Network> read_graph_text(std::string_view text, const std::string& name) {
  JsonScanner scanner(text, name);
  Values values;
  Network network;
  // Vertices before edges, whose ends are checked against their number.
  const bool read = find_values(scanner, values) && read_vertices(scanner, values, network.graph.vertices) &&
                    EdgeReader(scanner, network).read(*values.edges);
  if (!read) return tl::unexpected(scanner.error());
  if (values.joints) network.freedom = read_freedom(scanner, *values.joints, network.graph.edges.size());
  return network;
}

Result<Network> read_graph(const std::filesystem::path& path) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  return read_graph_text(*text, path.string());
}

std::string graph_text(const Network& network) {
  // By hand and not as a tree of values, which would take many times the text.
  std::string text = fmt::format("{{\"vertices\": {}, \"edges\": [", network.graph.vertices);
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    const graph::Edge& edge = network.graph.edges[e];
    text += e == 0 ? "\n  " : ",\n  ";
    fmt::format_to(std::back_inserter(text), "[{}, {}, {}", edge.a + 1, edge.b + 1, network.weight[e]);
    // Left out where the reader would take the same.
    if (network.length[e] != network.weight[e]) fmt::format_to(std::back_inserter(text), ", {}", network.length[e]);
    text += ']';
  }
  return text + "]}\n";
}

}  // namespace espalier::record
