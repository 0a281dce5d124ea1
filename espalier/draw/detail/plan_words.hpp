#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/plan/plan.hpp"

namespace espalier::draw::detail {

// Fit for SVG and HTML, in text and in attributes.
std::string escaped(std::string_view text);
// The same of text of any origin: control characters and invalid UTF-8, which end a document for its reader, are
// replaced.
std::string shown_text(std::string_view text);
// Control characters and invalid UTF-8 replaced, cut after 60 bytes. Not yet escaped.
std::string clean_name(std::string_view name);

// Ten digits: sums of weights are as exact as that, and 0.1 + 0.2 reads 0.3.
std::string figure(double value);

// "body" or "vertex", "joint" or "edge": a plain graph has no bodies.
struct Nouns {
  const char* vertex;
  const char* vertices;
  const char* edge;
  const char* edges;
};
Nouns nouns_of(const plan::Network& network);

bool has_tree(const plan::Plan& plan);

// What the plan is, costs and proves: the first line is a heading. Plain text, not escaped.
std::vector<std::string> plan_words(const plan::Plan& plan);

// Distance from the root along the tree, by vertex; of a forest, each from its own root.
std::vector<double> root_distances(const plan::Plan& plan);

// Tree edges between the ends of a cut edge, and itself.
int loop_length(const plan::Plan& plan, int edge);

}  // namespace espalier::draw::detail
