#include "espalier/record/plan_file.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/arrays.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::record {
namespace {

using nlohmann::ordered_json;
using plan::Plan;

// Chains and loops of a large graph together may be far larger than the graph.
constexpr std::size_t kMostEntries = 2'000'000;

// Reasons stand in every plan, and must not take longer than the plan itself: some hundredths of a second.
constexpr plan::ExplainLimits kShortReasons = {.cuts = 40, .vertices = 200'000};

class Writer {
 public:
  explicit Writer(const Plan& plan) : plan_(plan) {}

  // Names and not numbers: a plan is read with another version of the model too.
  std::string vertex(int v) const { return plan::vertex_name(plan_.network, v); }
  std::string edge(int e) const { return plan::edge_name(plan_.network, e); }

  // Names of what the arrays of [Wang97] count from 1.
  ordered_json vertices_from_one(const std::vector<int>& numbers) const {
    ordered_json names = ordered_json::array();
    for (const int v : numbers) names.push_back(vertex(v - 1));
    return names;
  }
  ordered_json edges_from_one(const std::vector<int>& numbers) const {
    ordered_json names = ordered_json::array();
    for (const int e : numbers) names.push_back(edge(e - 1));
    return names;
  }
  ordered_json lists_of_vertices(const std::vector<std::vector<int>>& lists) const {
    ordered_json all = ordered_json::array();
    for (const std::vector<int>& list : lists) all.push_back(vertices_from_one(list));
    return all;
  }

  ordered_json tree() const {
    ordered_json steps = ordered_json::array();
    for (const int v : plan_.tree.order) {
      // A root is attached to nothing: it is no step of the tree.
      if (plan_.tree.parent[v] < 0) continue;
      steps.push_back({{"vertex", vertex(v)},
                       {"parent", vertex(plan_.tree.parent[v])},
                       {"joint", edge(plan_.tree.parent_edge[v])}});
    }
    return steps;
  }

  ordered_json cut() const {
    ordered_json names = ordered_json::array();
    for (const int e : plan_.cut) names.push_back(edge(e));
    return names;
  }

  // In units of length, as the schedule has them: how long one takes is the machine's.
  ordered_json turns(const std::vector<std::vector<plan::Turn>>& workers) const {
    ordered_json all = ordered_json::array();
    for (const std::vector<plan::Turn>& worker : workers) {
      ordered_json& list = all.emplace_back(ordered_json::array());
      for (const plan::Turn& turn : worker) {
        list.push_back({{"vertex", vertex(turn.vertex)}, {"start", turn.start}, {"end", turn.end}});
      }
    }
    return all;
  }

  ordered_json schedule(int workers) const {
    const plan::Schedule schedule = plan::make_schedule(plan_, workers);
    return {{"workers", workers},      {"makespan", schedule.makespan},      {"lower_bound", schedule.lower_bound},
            {"total", schedule.total}, {"forward", turns(schedule.forward)}, {"backward", turns(schedule.backward)}};
  }

  ordered_json reasons(const plan::PlanOptions& options) const {
    ordered_json all = ordered_json::array();
    for (const plan::CutExplanation& cut : plan::explain_cuts(plan_, options, kShortReasons)) {
      all.push_back({{"joint", edge(cut.edge)}, {"reason", plan::reason_text(plan_, cut)}});
    }
    return all;
  }

  ordered_json explanation(const plan::PlanOptions& options) const {
    ordered_json all = ordered_json::array();
    // Each cut beside what else could have been cut in its loop: a reason is one only against others.
    for (const plan::CutExplanation& cut : plan::explain_cuts(plan_, options)) {
      ordered_json others = ordered_json::array();
      for (const plan::Alternative& other : cut.alternatives) {
        ordered_json& entry = others.emplace_back(ordered_json{{"joint", edge(other.edge)}});
        if (other.pinned) entry["pinned"] = true;
        if (other.breaks_limit) entry["breaks_limit"] = true;
        // What was not examined has no numbers; a missing key says so, where 0 would be an answer.
        if (!other.examined) continue;
        entry.update({{"length", other.length}, {"weight", other.weight}, {"cost", other.cost}});
        entry["equations"] = other.equations ? ordered_json(*other.equations) : ordered_json();
      }
      ordered_json loop = ordered_json::array();
      for (const int e : cut.loop) loop.push_back(edge(e));
      all.push_back(
          {{"joint", edge(cut.edge)}, {"loop", loop}, {"reason", plan::reason_text(plan_, cut)}, {"instead", others}});
    }
    return all;
  }

 private:
  const Plan& plan_;
};

template <class T>
ordered_json rows_of(const plan::Table<T>& table) {
  ordered_json rows = ordered_json::array();
  for (int r = 0; r < table.rows; ++r) {
    ordered_json& row = rows.emplace_back(ordered_json::array());
    for (int c = 0; c < table.columns; ++c) row.push_back(table.at(r, c));
  }
  return rows;
}

Result<ordered_json> matrices_json(const Plan& plan) {
  // They grow with the square of the graph: larger ones than a file may hold are an error.
  const Result<plan::TopologyMatrices> matrices = plan::make_matrices(plan);
  ESPALIER_TRY(matrices);
  ordered_json edges = ordered_json::array();
  // By numbers: these are the arrays of the paper, which knows no names.
  for (const plan::EdgeEntry& edge : matrices->edges) edges.push_back({edge.a, edge.b, edge.weight});
  return ordered_json{{"incidence", rows_of(matrices->incidence)},
                      {"path", rows_of(matrices->path)},
                      {"adjacency", rows_of(matrices->adjacency)},
                      {"edges", edges},
                      {"plain_adjacency", rows_of(matrices->plain_adjacency)}};
}

ordered_json trace_json(const plan::ExchangeTrace& trace) {
  // It speaks of the largest piece alone, whose vertices have numbers of their own.
  const auto name = [&](int v) { return plan::vertex_name(trace.network, v); };
  const auto names = [&](const std::vector<int>& vertices) {
    ordered_json all = ordered_json::array();
    for (const int v : vertices) all.push_back(name(v));
    return all;
  };
  ordered_json rounds = ordered_json::array();
  for (const plan::Round& round : trace.run.rounds) {
    ordered_json discussions = ordered_json::array();
    for (const plan::Discussion& d : round.discussions) {
      ordered_json& entry = discussions.emplace_back(ordered_json{{"vertex", name(d.vertex)}});
      // Without a new parent the vertex stayed where it was, and there is no exchange to tell of.
      if (d.new_parent < 0) continue;
      entry.update({{"old_parent", name(d.old_parent)},
                    {"new_parent", name(d.new_parent)},
                    {"change", d.change},
                    {"centre", name(d.centre)},
                    {"deleted", names(d.deleted)},
                    {"pushed", names(d.pushed)},
                    {"accumulated", d.accumulated},
                    {"measured", d.measured}});
    }
    rounds.push_back({{"stack", names(round.stack)}, {"discuss", discussions}});
  }
  return {{"start_cost", trace.run.start_cost},
          {"accumulated", trace.run.accumulated},
          {"cost", trace.run.cost},
          {"rounds", rounds}};
}

ordered_json comparison_json(const plan::Comparison& comparison) {
  ordered_json methods = ordered_json::array();
  for (const plan::Compared& method : comparison.methods) {
    ordered_json& entry = methods.emplace_back(ordered_json{{"name", method.name}});
    // A method that was left out has a reason and no numbers.
    if (!method.left_out.empty()) {
      entry["left_out"] = method.left_out;
      continue;
    }
    entry.update({{"cost", method.cost},
                  {"length", method.measure.length},
                  {"weight", method.measure.weight},
                  {"exchanges", method.exchanges.exchanges},
                  {"rounds", method.exchanges.rounds},
                  {"seconds", method.seconds}});
  }
  return {{"lower_bound", comparison.lower_bound}, {"methods", methods}};
}

// Exact numbers as digits, which a double could not hold.
ordered_json count_json(const std::optional<graph::TreeCount>& count) {
  if (!count) return {};
  if (!count->digits.empty()) return count->digits;
  constexpr double kLargest = 308;
  return count->log10 < kLargest ? ordered_json(elementary::pow(10, count->log10)) : ordered_json();
}

// Of none the logarithm would be no number of JSON.
ordered_json count_log10_json(const std::optional<graph::TreeCount>& count) {
  return count && std::isfinite(count->log10) ? ordered_json(count->log10) : ordered_json();
}

// From the least to the most that the optimum may have.
ordered_json bracket_json(const std::optional<plan::Bracket>& bracket, double beta) {
  if (!bracket) return {};
  const auto& [shortest, lightest] = *bracket;
  const auto cost = [&](const plan::Measure& measure) { return measure.length + beta * measure.weight; };
  return {{"length", {shortest.length, lightest.length}},
          {"weight", {lightest.weight, shortest.weight}},
          {"cost", {shortest.length + beta * lightest.weight, std::min(cost(shortest), cost(lightest))}}};
}

ordered_json spread_json(const std::optional<plan::PredictionSpread>& spread) {
  if (!spread) return {};
  return {{"typical", spread->typical}, {"largest", spread->largest}};
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  // null is what a plain graph has where a mechanism has a number.
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json summary(const Plan& plan, const Writer& writer, const PlanDocument& document) {
  ordered_json roots = ordered_json::array();
  for (const int root : plan.roots) roots.push_back(writer.vertex(root));
  ordered_json summary = {{"file", document.file},
                          {"objective", plan::to_string(plan.objective)},
                          {"method", plan::to_string(plan.method)},
                          {"beta", plan.beta},
                          {"root", writer.vertex(plan.tree.root)},
                          {"roots", roots},
                          {"cost", plan.cost},
                          {"length", plan.measure.length},
                          {"weight", plan.measure.weight},
                          {"equations", or_null(plan.equations)},
                          {"cost_sequential", or_null(plan.cost_sequential)},
                          {"cost_parallel", or_null(plan.cost_parallel)},
                          {"lower_bound", plan.lower_bound},
                          {"optimal", plan.optimal},
                          {"gap", plan::gap(plan)},
                          {"proof", plan.proof}};
  // Optimal among the plans that the user has left: never to be taken for optimal at all.
  if (!document.given.empty()) summary["optimal_given"] = document.given.substr(document.given.find_first_not_of(' '));
  if (!document.open.empty()) summary["open"] = document.open;
  // A decision has no cost, and null is the answer that is not known.
  if (plan.objective == plan::Objective::kBcbbwst) summary["feasible"] = or_null(plan.feasible);
  // Seconds mean nothing without the machine they were measured on.
  if (plan.objective == plan::Objective::kTime) {
    summary["machine"] = document.machine.empty() ? ordered_json() : ordered_json(document.machine);
    summary["time_workers"] = document.time_workers;
  }
  return summary;
}

ordered_json trees_json(const Writer& writer, const std::vector<plan::ListedTree>& trees) {
  ordered_json list = ordered_json::array();
  for (const plan::ListedTree& tree : trees) {
    ordered_json cut = ordered_json::array();
    for (const int e : tree.cut) cut.push_back(writer.edge(e));
    list.push_back({{"cost", tree.cost},
                    {"length", tree.measure.length},
                    {"weight", tree.measure.weight},
                    {"equations", or_null(tree.equations)},
                    {"root", writer.vertex(tree.root)},
                    {"cut", cut}});
  }
  return list;
}

void add_arrays(const Plan& plan, const Writer& writer, ordered_json& json) {
  const plan::TopologyArrays arrays = plan::make_arrays(plan, kMostEntries);
  json["critical_branch"] = writer.vertices_from_one(arrays.critical_branch);
  json["levels"] = writer.lists_of_vertices(arrays.levels);
  ordered_json loops = ordered_json::array();
  for (const std::vector<int>& loop : arrays.loops) loops.push_back(writer.edges_from_one(loop));
  json["loops"] = loops;
  // Every root has centres of its own; the document holds those of the root of the tree.
  const auto main = std::find(plan.roots.begin(), plan.roots.end(), plan.tree.root) - plan.roots.begin();
  json["centres"] = writer.vertices_from_one(arrays.centres[to_index(main)]);
  // Under the names of [Wang97], and counted from 1 as there.
  json["pr"] = arrays.parent;
  json["cut_array"] = arrays.cut;
  json["chains"] = writer.lists_of_vertices(arrays.chains);
  json["forward"] = writer.vertices_from_one(arrays.forward);
  json["backward"] = writer.vertices_from_one(arrays.backward);
  json["graph_weight"] = arrays.graph_weight;
  // A reader must not take a part for the whole.
  if (!arrays.whole) json["truncated"] = true;
}

ordered_json notes_json(const std::vector<model::Note>& notes) {
  ordered_json list = ordered_json::array();
  for (const model::Note& note : notes) {
    const model::NoteKind kind = model::kind_of(note);
    list.push_back({{"message", model::plain_message(note)},
                    {"file", note.where.file},
                    {"line", note.where.line},
                    {"word", kind.word},
                    {"changes", model::word(kind.effect)}});
  }
  return list;
}

}  // namespace

std::map<std::string, std::string> read_cut_reasons(std::string_view text) {
  std::map<std::string, std::string> reasons;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return reasons;
  // A run.json holds its plan under `plan`.
  const auto inner = json.find("plan");
  const nlohmann::json& plan = inner != json.end() && inner->is_object() ? *inner : json;
  // Plans of before have reasons only where they were asked to explain.
  for (const char* key : {"explanation", "reasons"}) {
    const auto list = plan.find(key);
    if (list == plan.end() || !list->is_array()) continue;
    for (const nlohmann::json& entry : *list) {
      if (!entry.is_object() || !entry.contains("joint") || !entry.contains("reason")) continue;
      if (!entry["joint"].is_string() || !entry["reason"].is_string()) continue;
      reasons[entry["joint"].get<std::string>()] = entry["reason"].get<std::string>();
    }
  }
  return reasons;
}

Result<std::string> plan_json(const Plan& plan, const PlanDocument& document) {
  const Writer writer(plan);
  ordered_json json = summary(plan, writer, document);
  json["tree"] = writer.tree();
  // With the root and the tree all that a reader takes; what follows is for other programs.
  json["cut"] = writer.cut();
  if (document.reasons) json["reasons"] = writer.reasons(*document.reasons);
  add_arrays(plan, writer, json);
  json["schedule"] = writer.schedule(document.workers);
  // Keys that most plans would leave empty are there only where they say something.
  if (!plan.half_bodies.empty()) {
    ordered_json& halves = json["half_bodies"] = ordered_json::array();
    for (const plan::HalfBody& half : plan.half_bodies) {
      halves.push_back({{"half", writer.vertex(half.vertex)},
                        {"other", writer.vertex(half.other)},
                        {"joint", writer.edge(half.edge)}});
    }
  }
  // A front stands for itself: the plan above is one of its points.
  if (!plan.front.empty()) {
    ordered_json& front = json["front"] = ordered_json::array();
    for (const plan::Measure& point : plan.front) front.push_back({point.length, point.weight});
    json["front_proved"] = plan.front_proved;
  }
  if (document.matrices) {
    Result<ordered_json> matrices = matrices_json(plan);
    ESPALIER_TRY(matrices);
    json["matrices"] = *std::move(matrices);
  }
  if (document.explained) json["explanation"] = writer.explanation(*document.explained);
  if (document.trace) json["trace"] = trace_json(*document.trace);
  if (document.comparison) json["comparison"] = comparison_json(*document.comparison);
  if (document.notes) {
    json["reader_notes"] = notes_json(*document.notes);
    json["accepted"] = document.accepted;
  }
  // The effort last: two plans are compared without it.
  json["rounds"] = plan.exchanges.rounds;
  json["exchanges"] = plan.exchanges.exchanges;
  json["nodes"] = plan.nodes;
  json["seconds"] = plan.seconds;
  if (document.trees) {
    json["spanning_trees"] = count_json(*document.trees);
    json["spanning_trees_log10"] = count_log10_json(*document.trees);
  }
  if (document.all_trees) json["all_trees"] = trees_json(writer, *document.all_trees);
  if (document.bracket) json["bracket"] = bracket_json(*document.bracket, plan.beta);
  if (document.spread) json["prediction_spread"] = spread_json(*document.spread);
  // Names of a model may hold bytes that are no UTF-8: a replaced character is better than no plan.
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::record
