// The page around the picture of a plan.

#include <fmt/format.h>

#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/draw/pages.hpp"

namespace espalier::draw {
namespace {

using detail::escaped;
using detail::figure;
using plan::Plan;

constexpr const char* kStyle = R"(
:root{color-scheme:light dark}
body{margin:0;padding:16px;font:14px/1.45 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#1d2733;background:#fff}
.picture{overflow:auto;margin-bottom:16px}
h2{font-size:15px;margin:20px 0 6px}
.tables{display:flex;flex-wrap:wrap;gap:0 48px}
table{border-collapse:collapse}
th,td{text-align:left;padding:3px 14px 3px 0;border-bottom:1px solid #dde3ea;white-space:nowrap}
th{font-weight:600;color:#5b6775}
td.n,th.n{text-align:right}
tr[data-a]{cursor:pointer}
tr[data-a]:hover,tr.lit{background:#f3e6c4}
.plan .cut,.plan .weld{cursor:pointer}
.plan.dim [data-v]:not(.lit),.plan.dim [data-k]:not(.lit){opacity:.22}
.plan .branch.lit path{stroke:#c2410c;stroke-width:3.2}
.plan .body.lit .box{stroke:#c2410c;stroke-width:2.2}
.plan .cut.lit path:not(.near),.plan .weld.lit path:not(.near){stroke-width:3.2}
@media (prefers-color-scheme:dark){
body{color:#dfe6ee;background:#12171d}
th,td{border-color:#2b3540}
th{color:#93a0af}
tr[data-a]:hover,tr.lit{background:#4a3a12}
.plan .paper{fill:#12171d}
.plan text{fill:#dfe6ee}
.plan .joint{fill:#9fb0c2}
.plan .branch path{stroke:#5f6f80}
.plan .branch.critical path{stroke:#f2f5f8}
.plan .box{fill:#1f2832;stroke:#5f6f80}
.plan .critical .box{stroke:#f2f5f8}
.plan .root .box{fill:#f2f5f8;stroke:#f2f5f8}
.plan .root text{fill:#12171d}
.plan .half .box{fill:#12171d}
.plan .hatch{stroke:#9fb0c2}
.plan .branch.lit path{stroke:#ff9d5c}
.plan .body.lit .box{stroke:#ff9d5c}
}
)";

// The loop of a cut joint: up from both ends until the ways meet.
constexpr const char* kScript = R"(
const plan=document.querySelector('svg.plan');
const find=(kind,v)=>plan.querySelector(`.${kind}[data-v="${v}"]`);
function way(v){const w=[];for(;v>=0;v=parent[v])w.push(v);return w;}
function clear(){plan.classList.remove('dim');document.querySelectorAll('.lit').forEach(e=>e.classList.remove('lit'));}
function show(link){
  clear();
  const up=way(+link.dataset.a),down=way(+link.dataset.b);
  while(up.length>1&&down.length>1&&up.at(-2)===down.at(-2)){up.pop();down.pop();}
  const met=up.at(-1)===down.at(-1)?up.at(-1):-1;
  for(const v of new Set([...up,...down])){
    find('body',v)?.classList.add('lit');
    if(v!==met)find('branch',v)?.classList.add('lit');
  }
  document.querySelectorAll(`[data-k="${link.dataset.k}"]`).forEach(e=>e.classList.add('lit'));
  plan.classList.add('dim');
}
document.querySelectorAll('[data-k]').forEach(link=>{
  link.addEventListener('mouseenter',()=>show(link));
  link.addEventListener('mouseleave',clear);
});
)";

// Names are the user's: they may hold anything, and go through here alone.
std::string name_of_vertex(const Plan& plan, int v) {
  return escaped(detail::clean_name(plan::vertex_name(plan.network, v)));
}
std::string name_of_edge(const Plan& plan, int e) {
  return escaped(detail::clean_name(plan::edge_name(plan.network, e)));
}

std::string numbers(const Plan& plan, int edge) {
  return fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td>", figure(plan.network.weight[edge]),
                     figure(plan.network.length[edge]));
}

// In the order of computation: parents before children.
// Here weight and length are those of the joint that holds the body.
std::string tree_table(const Plan& plan) {
  const detail::Nouns nouns = detail::nouns_of(plan.network);
  const std::vector<double> distance = detail::root_distances(plan);
  std::string text = fmt::format(
      "<div><h2>Tree</h2><table><tr><th>{}</th><th>on</th><th>by {}</th><th class=\"n\">weight</th><th "
      "class=\"n\">length</th><th class=\"n\">from root</th></tr>\n",
      nouns.vertex, nouns.edge);
  for (const int v : plan.tree.order) {
    const int parent = plan.tree.parent[v];
    text += fmt::format("<tr><td>{}</td>", name_of_vertex(plan, v));
    // A root has no joint, and four empty cells would read as if something were missing.
    if (parent < 0) {
      text += "<td colspan=\"4\">root</td>";
    } else {
      const int edge = plan.tree.parent_edge[v];
      text += fmt::format("<td>{}</td><td>{}</td>{}", name_of_vertex(plan, parent), name_of_edge(plan, edge),
                          numbers(plan, edge));
    }
    // From the root and not per joint: sums of lengths are what the critical branch is about.
    text += fmt::format("<td class=\"n\">{}</td></tr>\n", figure(distance[v]));
  }
  return text + "</table></div>\n";
}

std::string cut_table(const Plan& plan) {
  // A head without rows would ask where the cuts are.
  if (plan.cut.empty()) return "";
  const detail::Nouns nouns = detail::nouns_of(plan.network);
  std::string text = fmt::format(
      "<div><h2>Cut {}</h2><table><tr><th>{}</th><th colspan=\"2\">between</th><th class=\"n\">weight</th><th "
      "class=\"n\">length</th><th class=\"n\">loop of</th></tr>\n",
      nouns.edges, nouns.edge);
  for (const int e : plan.cut) {
    const graph::Edge& edge = plan.network.graph.edges[e];
    text += fmt::format(
        "<tr data-k=\"{}\" data-a=\"{}\" data-b=\"{}\"><td>{}</td><td>{}</td><td>{}</td>{}<td "
        "class=\"n\">{}</td></tr>\n",
        e, edge.a, edge.b, name_of_edge(plan, e), name_of_vertex(plan, edge.a), name_of_vertex(plan, edge.b),
        numbers(plan, e), detail::loop_length(plan, e));
  }
  return text + "</table></div>\n";
}

std::string half_table(const Plan& plan) {
  // Most plans cut no body, and this table would only raise the question.
  if (plan.half_bodies.empty()) return "";
  std::string text =
      "<div><h2>Bodies cut in two</h2><table><tr><th>body</th><th>half</th><th>kept by</th><th>welded by</th></tr>\n";
  for (std::size_t k = 0; k < plan.half_bodies.size(); ++k) {
    // Keys of welds begin with w: they are no edges of the graph, whose numbers the others have.
    const plan::HalfBody& half = plan.half_bodies[k];
    text += fmt::format(
        "<tr data-k=\"w{}\" data-a=\"{}\" data-b=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>6 equations</td></tr>\n",
        k, half.vertex, half.other, name_of_vertex(plan, half.other), name_of_vertex(plan, half.vertex),
        name_of_edge(plan, half.edge));
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string draw_plan_html(const Plan& plan) {
  std::string tables;
  // The tables of what is cut first: they are short, and the tree is long.
  if (detail::has_tree(plan)) tables = cut_table(plan) + half_table(plan) + tree_table(plan);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>Plan: {}</title></head>\n<body>\n<div "
      "class=\"picture\">\n{}</div>\n<style>{}</style>\n<div class=\"tables\">\n{}</div>\n<script>\nconst "
      "parent=[{}];{}</script>\n</body>\n</html>\n",
      escaped(detail::plan_words(plan).front()), draw_plan_svg(plan), kStyle, tables, fmt::join(plan.tree.parent, ","),
      kScript);
}

}  // namespace espalier::draw
