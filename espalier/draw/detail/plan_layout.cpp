#include "espalier/draw/detail/plan_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "espalier/base/index.hpp"
#include "espalier/draw/detail/plan_rows.hpp"
#include "espalier/draw/detail/plan_words.hpp"

namespace espalier::draw::detail {
namespace {

using plan::Network;
using plan::Plan;

constexpr int kMostNamedJoints = 150;
constexpr int kMostNamedBodies = 400;
constexpr double kLabelledPortGap = 13;

struct Measures {
  double box_height;
  double row_gap;   // between boxes
  double port_gap;  // between the lines of one box
  double curve;     // room for a branch to bend
  double lane_gap;
  double padding;  // inside a box, left and right
};

Measures measures_of(Detail detail) {
  if (detail == Detail::kNames) return {21, 9, 7, 30, 11, 8};
  if (detail == Detail::kBodies) return {18, 4, 5, 26, 8, 6};
  return {5, 2, 1.5, 16, 3, 2.5};
}

class Builder {
 public:
  explicit Builder(const Plan& plan) : plan_(plan), network_(plan.network), rows_(find_rows(plan)) {
    // Names as long as they can be read; then boxes with names of bodies alone; then dots.
    const int vertices = network_.graph.vertices;
    layout_.detail = vertices <= kMostNamedJoints   ? Detail::kNames
                     : vertices <= kMostNamedBodies ? Detail::kBodies
                                                    : Detail::kDots;
    measures_ = measures_of(layout_.detail);
  }

  // The order counts: labels decide how high boxes are, boxes where rows lie, rows where columns begin.
  PlanLayout build() {
    choose_label_places();
    size_boxes();
    place_rows();
    place_columns();
    add_branches();
    add_arcs();
    layout_.height = row_y_.empty() ? 0 : row_bottom_;
    return std::move(layout_);
  }

 private:
  double joint_label_width(int edge) const {
    return layout_.detail == Detail::kNames ? text_width(joint_label(network_, edge), kJointFont) + 8 : 0;
  }

  // A cut joint's name stands above its line, at the end with fewer lines; at a leaf rather than where branches leave.
  void choose_label_places() {
    port_gap_.assign(rows_.links_at.size(), measures_.port_gap);
    // Branches leave a box on the side where a label would stand.
    const auto crowd = [&](int v) { return rows_.links_at[v].size() + (rows_.children[v].empty() ? 0 : 2); };
    for (const Link& link : rows_.links) {
      Arc arc;
      arc.edge = link.edge;
      arc.a = link.a;
      arc.b = link.b;
      arc.label_at_b = crowd(link.b) < crowd(link.a);
      layout_.arcs.push_back(arc);
      if (layout_.detail == Detail::kNames && link.edge >= 0) port_gap_[label_vertex(arc)] = kLabelledPortGap;
    }
  }

  static int label_vertex(const Arc& arc) { return arc.label_at_b ? arc.b : arc.a; }

  void size_boxes() {
    const int vertices = network_.graph.vertices;
    // Sizes before places: rows and columns are as large as what stands in them.
    layout_.boxes.resize(vertices);
    layout_.level.assign(vertices, 0);
    // In tree order, so that a parent's level is known.
    for (const int v : plan_.tree.order) {
      const int parent = plan_.tree.parent[v];
      layout_.level[v] = parent < 0 ? 0 : layout_.level[parent] + 1;
    }
    for (int v = 0; v < vertices; ++v) {
      Box& box = layout_.boxes[v];
      const double name = layout_.detail == Detail::kDots ? 0 : text_width(body_label(network_, v), kBodyFont);
      box.width = std::max(measures_.box_height, name + 2 * measures_.padding);
      // A box is high enough for the lines that end at it.
      const double ports = static_cast<double>(rows_.links_at[v].size());
      box.height = std::max(measures_.box_height, ports < 2 ? 0 : (ports + 0.6) * port_gap_[v]);
    }
  }

  void place_rows() {
    const auto count = to_index(rows_.count);
    std::vector<double> height(count, measures_.box_height);
    for (std::size_t v = 0; v < rows_.row.size(); ++v) {
      // A vertex between two rows is no part of any.
      if (!rows_.owns_row[v]) continue;
      double& own = height[to_index(rows_.row[v])];
      own = std::max(own, layout_.boxes[v].height);
    }
    row_y_.resize(count);
    double y = 0;
    for (std::size_t r = 0; r < count; ++r) {
      // A gap between the trees of a forest.
      if (r > 0 && rows_.piece[r] != rows_.piece[r - 1]) y += 2 * measures_.box_height;
      row_y_[r] = y + height[r] / 2;
      y += height[r] + measures_.row_gap;
    }
    row_bottom_ = y - measures_.row_gap;
    // Children before parents, so that a parent finds its children placed.
    for (auto v = plan_.tree.order.rbegin(); v != plan_.tree.order.rend(); ++v) {
      const std::vector<int>& children = rows_.children[*v];
      layout_.boxes[*v].y = rows_.owns_row[*v]
                                ? row_y_[to_index(rows_.row[*v])]
                                : (layout_.boxes[children.front()].y + layout_.boxes[children.back()].y) / 2;
    }
  }

  // Room for the widest name of a joint to a child of v, so that curves end before the names begin.
  double names_width(int v) const {
    double widest = 0;
    for (const int child : rows_.children[v])
      widest = std::max(widest, joint_label_width(plan_.tree.parent_edge[child]));
    return widest;
  }

  // High fans get more room to bend.
  double curve_width(int v) const {
    const std::vector<int>& children = rows_.children[v];
    const double fan = layout_.boxes[children.back()].y - layout_.boxes[children.front()].y;
    return std::min(measures_.curve + 0.05 * fan, 3 * measures_.curve);
  }

  void place_columns() {
    const int levels = 1 + *std::max_element(layout_.level.begin(), layout_.level.end());
    std::vector<double> box(levels, 0), gap(levels, 0);
    for (std::size_t v = 0; v < layout_.boxes.size(); ++v) {
      const int level = layout_.level[v];
      // A column is as wide as its widest box and begins where the names before it end.
      box[level] = std::max(box[level], layout_.boxes[v].width);
      if (rows_.children[v].empty()) continue;
      const auto id = static_cast<int>(v);
      gap[level] = std::max(gap[level], curve_width(id) + names_width(id));
    }
    std::vector<double> left(levels, 0);
    for (int level = 1; level < levels; ++level) left[level] = left[level - 1] + box[level - 1] + gap[level - 1];
    for (std::size_t v = 0; v < layout_.boxes.size(); ++v) layout_.boxes[v].x = left[layout_.level[v]];
    layout_.width = left.back() + box.back();
  }

  void add_branches() {
    for (const int v : plan_.tree.order) {
      const int parent = plan_.tree.parent[v];
      if (parent < 0) continue;
      const Box& from = layout_.boxes[parent];
      const Box& to = layout_.boxes[v];
      layout_.branches.push_back({v, from.x + from.width, from.y, to.x - names_width(parent), to.y, to.x});
    }
  }

  // The lines at one box, from top to bottom: those that go up, the nearest lane first, then those that go down, the
  // nearest lane last. So lines of one box do not cross.
  void place_ports(const std::vector<int>& rank) {
    for (std::size_t v = 0; v < rows_.links_at.size(); ++v) {
      std::vector<int> ports = rows_.links_at[v];
      const auto key = [&](int link) {
        const int other = other_end(link, static_cast<int>(v));
        // Up: nearest lane on top. Down: nearest lane at the bottom. One number sorts both groups.
        const bool up = rows_.row[other] < rows_.row[v];
        return up ? rank[link] - static_cast<int>(rank.size()) : static_cast<int>(rank.size()) - rank[link];
      };
      std::sort(ports.begin(), ports.end(), [&](int p, int q) { return key(p) < key(q); });
      for (std::size_t k = 0; k < ports.size(); ++k) {
        const double offset = (static_cast<double>(k) - (static_cast<double>(ports.size()) - 1) / 2) * port_gap_[v];
        Arc& arc = layout_.arcs[ports[k]];
        // A joint of a body with itself has two ports side by side.
        const bool second = k > 0 && ports[k] == ports[k - 1];
        (arc.a == static_cast<int>(v) && !second ? arc.ya : arc.yb) = layout_.boxes[v].y + offset;
      }
    }
  }

  int other_end(int link, int v) const { return rows_.links[link].a == v ? rows_.links[link].b : rows_.links[link].a; }

  int span(int link) const { return std::abs(rows_.row[rows_.links[link].a] - rows_.row[rows_.links[link].b]); }

  // Short ones first and inside, each as far left as what stands between its ends allows.
  void add_arcs() {
    std::vector<int> by_span(rows_.links.size());
    std::iota(by_span.begin(), by_span.end(), 0);
    std::stable_sort(by_span.begin(), by_span.end(), [&](int p, int q) { return span(p) < span(q); });
    std::vector<int> rank(by_span.size());
    for (std::size_t k = 0; k < by_span.size(); ++k) rank[by_span[k]] = static_cast<int>(k);
    for (Arc& arc : layout_.arcs) {
      // Lines leave on the right of a box, where lanes lie.
      arc.xa = right_of(arc.a);
      arc.xb = right_of(arc.b);
      const int v = label_vertex(arc);
      arc.label_x = right_of(v) + (rows_.children[v].empty() ? 5 : curve_width(v));
    }
    place_ports(rank);
    std::vector<double> skyline = skyline_of_boxes();
    for (const int link : by_span) place_lane(layout_.arcs[link], skyline);
    colour_arcs();
  }

  double right_of(int vertex) const { return layout_.boxes[vertex].x + layout_.boxes[vertex].width; }

  // By row: how far to the right boxes and the names of cut joints reach.
  std::vector<double> skyline_of_boxes() const {
    std::vector<double> skyline(row_y_.size(), 0);
    const auto cover = [&](int vertex, double right) {
      const double y = layout_.boxes[vertex].y;
      const auto below = std::lower_bound(row_y_.begin(), row_y_.end(), y) - row_y_.begin();
      // A vertex between two rows covers both.
      for (auto r = std::max<std::ptrdiff_t>(below - 1, 0); r <= below && r < std::ssize(skyline); ++r) {
        if (std::abs(row_y_[r] - y) < measures_.box_height) skyline[r] = std::max(skyline[r], right);
      }
    };
    for (int v = 0; v < network_.graph.vertices; ++v) cover(v, right_of(v));
    for (const Arc& arc : layout_.arcs) {
      if (arc.edge >= 0) cover(label_vertex(arc), arc.label_x + joint_label_width(arc.edge) - 8);
    }
    return skyline;
  }

  void place_lane(Arc& arc, std::vector<double>& skyline) {
    const auto [low, high] = std::minmax(rows_.row[arc.a], rows_.row[arc.b]);
    const auto begin = skyline.begin() + low;
    const auto end = skyline.begin() + high + 1;
    // The first free lane right of everything that stands between the two ends.
    arc.lane = *std::max_element(begin, end) + measures_.lane_gap;
    std::fill(begin, end, arc.lane);
    layout_.width = std::max(layout_.width, arc.lane);
  }

  // Unlike the lanes next to it on the left.
  void colour_arcs() {
    std::vector<Arc*> by_lane;
    for (Arc& arc : layout_.arcs) by_lane.push_back(&arc);
    std::stable_sort(by_lane.begin(), by_lane.end(), [](const Arc* p, const Arc* q) { return p->lane < q->lane; });
    for (std::size_t k = 0; k < by_lane.size(); ++k) {
      std::array<int, kArcColours> last_used{};
      std::size_t neighbours = 0;
      // Lanes are looked at from the nearest outward, until as many overlap as there are colours.
      for (std::size_t j = k; j-- > 0 && neighbours < kArcColours;) {
        if (!overlap(*by_lane[j], *by_lane[k])) continue;
        int& used = last_used[by_lane[j]->colour];
        // A colour used near by counts more than one farther off.
        if (used == 0) used = kArcColours - static_cast<int>(neighbours);
        ++neighbours;
      }
      // Ties start at a colour that moves on with the lane, so that parallel lanes alternate.
      int& colour = by_lane[k]->colour = static_cast<int>(k % kArcColours);
      for (int c = 0; c < kArcColours; ++c) {
        if (last_used[c] < last_used[colour]) colour = c;
      }
    }
  }

  static bool overlap(const Arc& p, const Arc& q) {
    return std::min(p.ya, p.yb) <= std::max(q.ya, q.yb) && std::min(q.ya, q.yb) <= std::max(p.ya, p.yb);
  }

  const Plan& plan_;
  const Network& network_;
  Rows rows_;
  Measures measures_{};
  PlanLayout layout_;
  std::vector<double> port_gap_;  // by vertex
  std::vector<double> row_y_;
  double row_bottom_ = 0;
};

std::size_t character_length(char lead) {
  // UTF-8: the lead byte tells how many bytes a character has.
  const auto c = static_cast<unsigned char>(lead);
  return c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

// In units of the font size.
double character_width(char lead) {
  // Widths of a common sans-serif font: a program that writes SVG has no font to measure with.
  constexpr std::string_view kNarrow = "iIjlftr.,;:'|!()[] ";
  constexpr std::string_view kWide = "mwMW@%";
  if (kNarrow.find(lead) != std::string_view::npos) return 0.38;
  if (kWide.find(lead) != std::string_view::npos) return 0.95;
  if (static_cast<unsigned char>(lead) >= 0xE0) return 1;
  return lead >= 'A' && lead <= 'Z' ? 0.7 : 0.62;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for (std::size_t k = 0; k < text.size(); k += character_length(text[k])) width += character_width(text[k]);
  return width * font_size;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> begins;
  for (std::size_t k = 0; k < text.size(); k += character_length(text[k])) begins.push_back(k);
  if (begins.size() <= most) return std::string(text);
  // The end of a name tells more: it holds the number or the side.
  const std::size_t front = (most - 1) / 2;
  const std::size_t back = most - 1 - front;
  return std::string(text.substr(0, begins[front])) + "\u2026" + std::string(text.substr(begins[begins.size() - back]));
}

std::string body_label(const Network& network, int vertex) {
  return shortened(clean_name(plan::vertex_name(network, vertex)), 22);
}

std::string joint_label(const Network& network, int edge) {
  return shortened(clean_name(plan::edge_name(network, edge)), 18);
}

PlanLayout lay_out(const Plan& plan) { return Builder(plan).build(); }

}  // namespace espalier::draw::detail
