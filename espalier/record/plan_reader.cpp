#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/plan_file.hpp"

namespace espalier::record {
namespace {

using files::JsonScanner;
using plan::Network;
using plan::Objective;

constexpr std::array kObjectives = {
    Objective::kMccst,   Objective::kMwst,    Objective::kScbst,   Objective::kScbmwst,    Objective::kMwscbst,
    Objective::kBcbmwst, Objective::kBwscbst, Objective::kBcbbwst, Objective::kSequential, Objective::kTime};
constexpr std::array kMethods = {plan::Method::kExact, plan::Method::kSearch,   plan::Method::kA1,  plan::Method::kA2,
                                 plan::Method::kA3,    plan::Method::kExchange, plan::Method::kDfs, plan::Method::kBfs,
                                 plan::Method::kPrim,  plan::Method::kKruskal};

// Where the values of a map begin.
using Places = std::map<std::string, std::size_t, std::less<>>;

bool find_places(JsonScanner& scanner, Places& places) {
  // The same map serves run.json and the plan within it.
  places.clear();
  if (!scanner.take('{')) return scanner.expected("a plan as the verb plan writes it");
  if (scanner.take('}')) return true;
  do {
    if (scanner.peek() != '"') return scanner.expected("a key in quotes");
    const std::size_t begin = scanner.position();
    const std::optional<std::string_view> key = scanner.string();
    if (!key) return false;
    if (!scanner.take(':')) return scanner.expected("a colon after the key");
    // peek() steps over white space, so that the place is that of the value itself.
    scanner.peek();
    if (!places.emplace(std::string(*key), scanner.position()).second) {
      return scanner.fail(ErrorCode::kName, begin, fmt::format("the key {} stands twice; keep one", in_quotes(*key)));
    }
    if (!scanner.skip()) return false;
  } while (scanner.take(','));
  return scanner.take('}') || scanner.expected("a comma or }");
}

class PlanReader {
 public:
  PlanReader(std::string_view text, const std::string& name, const Network& network)
      : scanner_(text, name), name_(name), network_(network) {
    // A plan names every vertex and edge: they are looked up in maps, and plan::find_vertex() only makes messages.
    for (int v = 0; v < network.graph.vertices; ++v) vertices_.emplace(plan::vertex_name(network, v), v);
    for (int e = 0; e < static_cast<int>(network.graph.edges.size()); ++e) {
      edges_.emplace(plan::edge_name(network, e), e);
    }
  }

  Result<plan::Plan> read() {
    // check_named() is last: it asks which joints neither the tree nor the cut has named.
    if (!find_places(scanner_, places_) || !check_end() || !enter_run() || !read_halves() || !read_roots() ||
        !read_tree() || !read_cut() || !check_named()) {
      return tl::unexpected(scanner_.error());
    }
    // Costs are computed again from the tree: the file is believed only in what it chose.
    Result<plan::Plan> plan =
        plan::plan_from_tree(network_, given_, find_word(kObjectives, "objective").value_or(Objective::kMccst), beta());
    // The planner knows no lines: what is wrong with the tree is said where it begins.
    if (!plan) return make_error(plan.error().code, {name_, line_of("tree"), 0}, plan.error().message);
    keep_proof(*plan);
    return plan;
  }

 private:
  bool check_end() { return scanner_.at_end() || scanner_.expected("the end of the file after the plan"); }

  // A run.json holds its plan under `plan`.
  bool enter_run() {
    const auto inner = places_.find("plan");
    // A document with a tree is a plan, whatever other keys it has.
    if (inner != places_.end() && !places_.contains("tree")) {
      scanner_.go_to(inner->second);
      if (!find_places(scanner_, places_)) return false;
    }
    for (const char* key : {"root", "tree", "cut"}) {
      if (places_.contains(key)) continue;
      return scanner_.fail(
          ErrorCode::kName, 0,
          fmt::format("there is no `{}`: not a plan; the verb plan writes one", key));
    }
    return true;
  }

  int line_of(const char* key) {
    // Counted only for a message: reading keeps no lines.
    const std::string_view before = scanner_.text().substr(0, places_.at(key));
    return static_cast<int>(1 + std::count(before.begin(), before.end(), '\n'));
  }

  // A text with its escapes resolved.
  bool read_text(std::string& text) {
    const std::optional<std::string_view> raw = scanner_.string();
    if (!raw) return false;
    text = *raw;
    // Names seldom have escapes, and only a parser can resolve them.
    if (raw->find('\\') == std::string_view::npos) return true;
    const nlohmann::json parsed = nlohmann::json::parse('"' + text + '"', nullptr, false);
    if (parsed.is_string()) text = parsed.get<std::string>();
    return true;
  }

  // Calls `read` at each element of the list under `key`.
  template <class Read>
  bool read_list(const char* key, Read read) {
    scanner_.go_to(places_.at(key));
    if (!scanner_.take('[')) return scanner_.expected(fmt::format("a list under `{}`", key));
    if (scanner_.take(']')) return true;
    do {
      // The element and not the space before it: messages point at it.
      scanner_.peek();
      if (!read()) return false;
    } while (scanner_.take(','));
    return scanner_.take(']') || scanner_.expected("a comma or ]");
  }

  // A map of names, such as {"vertex": "2", "parent": "1", "joint": "e7"}: reads the ones asked for.
  bool read_names(std::initializer_list<std::pair<const char*, std::string*>> wanted) {
    const std::size_t begin = scanner_.position();
    Places places;
    if (!find_places(scanner_, places)) return false;
    const std::size_t end = scanner_.position();
    for (const auto& [key, text] : wanted) {
      const auto place = places.find(key);
      if (place == places.end()) {
        return scanner_.fail(ErrorCode::kName, begin, fmt::format("this entry needs `{}`", key));
      }
      scanner_.go_to(place->second);
      if (!read_text(*text)) return false;
    }
    // Keys may stand in any order: the last one read need not be the end of the map.
    scanner_.go_to(end);
    return true;
  }

  bool fail_name(std::size_t begin, const Error& error) {
    return scanner_.fail(error.code, begin, fmt::format("{}; the plan was made for another model", error.message));
  }
  bool find_vertex(const std::string& text, std::size_t begin, int& vertex) {
    // The error of the slow search names what is similar; it is only run where something is wrong.
    const auto found = vertices_.find(text);
    if (found == vertices_.end()) return fail_name(begin, plan::find_vertex(network_, text).error());
    vertex = found->second;
    return true;
  }
  bool find_edge(const std::string& text, std::size_t begin, int& edge) {
    const auto found = edges_.find(text);
    if (found == edges_.end()) return fail_name(begin, plan::find_edge(network_, text).error());
    edge = found->second;
    return true;
  }

  bool read_halves() {
    // Most plans cut no body, and older ones have no such key.
    if (!places_.contains("half_bodies")) return true;
    return read_list("half_bodies", [&] {
      const std::size_t begin = scanner_.position();
      std::string body, joint;
      plan::GivenTree::Half half;
      if (!read_names({{"other", &body}, {"joint", &joint}}) || !find_vertex(body, begin, half.body) ||
          !find_edge(joint, begin, half.edge)) {
        return false;
      }
      given_.halves.push_back(half);
      return true;
    });
  }

  bool read_roots() {
    const auto read_root = [&] {
      const std::size_t begin = scanner_.position();
      std::string text;
      int root = -1;
      if (!read_text(text) || !find_vertex(text, begin, root)) return false;
      given_.roots.push_back(root);
      return true;
    };
    // All of them where they are named; `root` is one alone.
    if (places_.contains("roots")) return read_list("roots", read_root);
    scanner_.go_to(places_.at("root"));
    return read_root();
  }

  bool read_edge(std::vector<int>& edges, const std::string& text, std::size_t begin) {
    int edge = -1;
    if (!find_edge(text, begin, edge)) return false;
    if (named_.size() < network_.graph.edges.size()) named_.resize(network_.graph.edges.size(), 0);
    // In the tree and cut at once it would be counted twice.
    if (std::exchange(named_[edge], 1) != 0) {
      return scanner_.fail(
          ErrorCode::kName, begin,
          fmt::format("joint {} stands twice in the plan; it is in the tree once or cut once", in_quotes(text)));
    }
    edges.push_back(edge);
    return true;
  }

  bool read_tree() {
    // Parents are not read: the joints and the roots decide which way is up.
    return read_list("tree", [&] {
      const std::size_t begin = scanner_.position();
      std::string joint;
      return read_names({{"joint", &joint}}) && read_edge(given_.edges, joint, begin);
    });
  }
  bool read_cut() {
    // Only checked: what is not in the tree is cut, whatever the list says.
    std::vector<int> cut;
    return read_list("cut", [&] {
      const std::size_t begin = scanner_.position();
      std::string joint;
      return read_text(joint) && read_edge(cut, joint, begin);
    });
  }
  bool check_named() {
    named_.resize(network_.graph.edges.size(), 0);
    const auto missing = std::find(named_.begin(), named_.end(), 0);
    if (missing == named_.end()) return true;
    return scanner_.fail(ErrorCode::kName, places_.at("cut"),
                         fmt::format("the plan says nothing of joint {}: it was made for another model; plan again",
                                     in_quotes(plan::edge_name(network_, static_cast<int>(missing - named_.begin())))));
  }

  // What is no factor of a cost is none: then it is 1, as if it were not there.
  double beta() {
    const double value = number("beta").value_or(1);
    return value > 0 && value <= plan::kMostWeight ? value : 1;
  }
  std::optional<double> number(const char* key) {
    if (!places_.contains(key)) return std::nullopt;
    scanner_.go_to(places_.at(key));
    return parse_number(scanner_.word());
  }
  template <class Values>
  std::optional<typename Values::value_type> find_word(const Values& values, const char* key) {
    std::string text;
    if (!places_.contains(key)) return std::nullopt;
    scanner_.go_to(places_.at(key));
    if (scanner_.peek() != '"' || !read_text(text)) return std::nullopt;
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto value) { return plan::to_string(value) == text; });
    return found == values.end() ? std::nullopt : std::optional(*found);
  }

  void keep_proof(plan::Plan& plan) {
    plan.method = find_word(kMethods, "method").value_or(plan::Method::kAuto);
    const std::optional<double> cost = number("cost"), bound = number("lower_bound");
    // A proof belongs to its numbers: where one is missing, the plan is taken without it.
    if (!cost || !bound || !places_.contains("proof") || !places_.contains("optimal")) return;
    // Another cost than the one computed here: the model has changed since, or the file was edited.
    if (!(std::abs(*cost - plan.cost) <= plan::kSameCost * std::abs(plan.cost))) return;
    scanner_.go_to(places_.at("proof"));
    std::string proof;
    if (scanner_.peek() != '"' || !read_text(proof)) return;
    scanner_.go_to(places_.at("optimal"));
    plan.optimal = scanner_.word() == "true";
    // A bound above the cost would read as a negative gap.
    plan.lower_bound = std::min(*bound, plan.cost);
    plan.proof = std::move(proof);
  }

  JsonScanner scanner_;
  const std::string& name_;
  const Network& network_;
  std::unordered_map<std::string, int> vertices_, edges_;
  Places places_;
  plan::GivenTree given_;
  std::vector<char> named_;  // by edge
};

}  // namespace

Result<plan::Plan> read_plan_text(std::string_view text, const std::string& name, const Network& network) {
  return PlanReader(text, name, network).read();
}

Result<plan::Plan> read_plan(const std::filesystem::path& path, const Network& network) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  return read_plan_text(*text, path.string(), network);
}

}  // namespace espalier::record
