#include "espalier/draw/pages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/draw/detail/plan_layout.hpp"
#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/plan/arrays.hpp"

namespace espalier::draw {
namespace {

using detail::Arc;
using detail::Box;
using detail::Branch;
using detail::Detail;
using detail::escaped;
using detail::figure;
using detail::PlanLayout;
using plan::Plan;

constexpr int kMostDrawn = 5000;
constexpr double kMargin = 24;
constexpr double kNarrowest = 560;
constexpr double kLineHeight = 19;

// Colours of cut joints by turns, so that neighbouring lines can be told apart.
constexpr std::array<const char*, detail::kArcColours> kColours = {"#3b76af", "#d1741f", "#3f8f4f",
                                                                   "#9c5fa8", "#8a5a44", "#2b9a9a"};

constexpr const char* kStyle = R"(
.plan{font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:12px}
.plan .paper{fill:#fff}
.plan text{fill:#1d2733}
.plan .words{font-size:13px}
.plan .head{font-size:16px;font-weight:600}
.plan .joint{font-size:10px;fill:#5b6775}
.plan .to{text-anchor:end}
.plan .branch path{fill:none;stroke:#93a0af;stroke-width:1.6}
.plan .branch.critical path{stroke:#1d2733;stroke-width:3.6}
.plan .box{fill:#eef2f7;stroke:#93a0af;stroke-width:1.2}
.plan .critical .box{stroke:#1d2733;stroke-width:2}
.plan .root .box{fill:#1d2733;stroke:#1d2733}
.plan .root text{fill:#fff}
.plan .half .box{stroke-dasharray:3 2;fill:#fff}
.plan .hatch{stroke:#5b6775;stroke-width:1.4}
.plan .cut path,.plan .weld path{fill:none;stroke-width:1.7;stroke-dasharray:6 4}
.plan .weld path{stroke:#c03a5b;stroke-dasharray:1.5 3;stroke-width:2.6;stroke-linecap:round}
.plan .dots .branch path{stroke-width:.7}
.plan .dots .branch.critical path{stroke-width:2}
.plan .dots .cut path{stroke-width:.6;stroke-dasharray:3 2}
.plan .dots .box{stroke-width:.6}
.plan .near{stroke:transparent!important;stroke-width:8!important;stroke-dasharray:none!important}
)";

// The layout bent into a ring, rows to angles and columns to radii, where there are too many rows for a page. What did
// not cross does not cross there.
class Ring {
 public:
  Ring() = default;
  explicit Ring(const PlanLayout& layout) : bent_(layout.detail == Detail::kDots) {
    if (!bent_) return;
    constexpr double kPitch = 2.5, kSmallest = 300, kLargest = 1500;
    // The ring is as large as its rows need side by side, within what a page shows.
    const double radius = std::clamp(layout.height / kRowPitch * kPitch / (2 * std::numbers::pi), kSmallest, kLargest);
    // One root stands in the middle, several around it.
    const bool alone = std::count(layout.level.begin(), layout.level.end(), 0) == 1;
    hole_ = alone ? -kHalfDot : 40;
    scale_ = radius / (layout.width + hole_);
    // Ten units stay free, so that the last row does not touch the first.
    turn_ = 2 * std::numbers::pi / (layout.height + 10);
    size_ = 2 * radius;
  }

  bool bent() const { return bent_; }
  double size() const { return size_; }
  double radius(double x) const { return scale_ * std::max(0.0, x + hole_); }
  // Lines end in the middle of dots, and at the side of boxes.
  double inset() const { return bent_ ? kHalfDot : 0; }
  Eigen::Vector2d at(double x, double y) const {
    if (!bent_) return {x, y};
    return {size_ / 2 + radius(x) * std::cos(turn_ * y), size_ / 2 + radius(x) * std::sin(turn_ * y)};
  }

  // Out, along the lane, and back.
  std::string arc_path(const Arc& arc) const {
    const bool down = arc.yb > arc.ya;
    // SVG wants to be told which of the two arcs between two points is meant.
    const bool large = turn_ * std::abs(arc.yb - arc.ya) > std::numbers::pi;
    return fmt::format("M{} L{} A{:.1f},{:.1f} 0 {:d} {:d} {} L{}", text(arc.xa - kHalfDot, arc.ya),
                       text(arc.lane, arc.ya), radius(arc.lane), radius(arc.lane), large, down, text(arc.lane, arc.yb),
                       text(arc.xb - kHalfDot, arc.yb));
  }

  std::string text(double x, double y) const {
    const Eigen::Vector2d p = at(x, y);
    return fmt::format("{:.1f},{:.1f}", p.x(), p.y());
  }

 private:
  static constexpr double kHalfDot = 2.5;
  static constexpr double kRowPitch = 7;
  bool bent_ = false;
  double hole_ = 0;
  double scale_ = 1;
  double turn_ = 0;
  double size_ = 0;
};

class Picture {
 public:
  explicit Picture(const Plan& plan) : plan_(plan), words_(detail::plan_words(plan)) {
    if (!detail::has_tree(plan)) return;
    // Thousands of lines would neither be seen nor loaded: numbers per level instead.
    if (plan.network.graph.vertices > kMostDrawn) {
      draw_levels();
    } else {
      draw_tree();
    }
  }

  std::string svg() const {
    // Words need some width, however small the tree is.
    const double width = std::max(kNarrowest, width_ + 2 * kMargin);
    double y = kMargin + 8;
    std::string head;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      for (const std::string& line : wrapped_to(words_[k], width - 2 * kMargin)) {
        head += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{:.0f}\">{}</text>\n", k == 0 ? "head" : "words", kMargin,
                            y, escaped(line));
        y += k == 0 ? 1.2 * kLineHeight : kLineHeight;
      }
    }
    if (!key_.empty()) head += fmt::format("<g transform=\"translate({} {:.0f})\">\n{}</g>\n", kMargin, y, key_);
    const double top = y + (key_.empty() ? 0 : 1.7 * kLineHeight);
    const double height = top + height_ + kMargin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plan\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>{2}</style>\n<rect class=\"paper\" width=\"100%\" "
        "height=\"100%\"/>\n{3}<g transform=\"translate({4} {5:.0f})\">\n{6}</g>\n</svg>\n",
        width, height, kStyle, head, kMargin, top, body_);
  }

 private:
  static std::vector<std::string> wrapped_to(const std::string& text, double width) {
    std::vector<std::string> lines = {""};
    for (const std::string_view word : split_words(text)) {
      // A word that is longer than a line stands alone on one.
      std::string& line = lines.back();
      const std::string longer = line.empty() ? std::string(word) : fmt::format("{} {}", line, word);
      if (!line.empty() && detail::text_width(longer, 13) > width) {
        lines.emplace_back(word);
      } else {
        line = longer;
      }
    }
    return lines;
  }

  void draw_tree() {
    const PlanLayout layout = detail::lay_out(plan_);
    ring_ = Ring(layout);
    distance_ = detail::root_distances(plan_);
    critical_.assign(distance_.size(), 0);
    // make_arrays() counts vertices from 1.
    for (const int v : plan::make_arrays(plan_, 0).critical_branch) critical_[v - 1] = 1;
    half_.assign(distance_.size(), 0);
    for (const plan::HalfBody& half : plan_.half_bodies) half_[half.vertex] = 1;
    if (layout.detail != Detail::kNames) {
      // What was left out is said, and where it is to be found.
      words_.emplace_back(layout.detail == Detail::kBodies
                              ? fmt::format("too many to name the {}: point at a line for its name",
                                            detail::nouns_of(plan_.network).edges)
                              : std::string("too many to name: point at a dot or a line for its name"));
    }
    body_ += ring_.bent() ? "<g class=\"dots\">\n" : "<g>\n";
    // Arcs lie under branches, and boxes over both.
    for (std::size_t k = 0; k < layout.arcs.size(); ++k) body_ += arc_element(layout, k);
    // The critical branch last, on top of what it passes.
    for (const bool critical : {false, true}) {
      for (const Branch& branch : layout.branches) {
        if ((critical_[branch.vertex] != 0) == critical) body_ += branch_element(layout, branch);
      }
    }
    for (const int v : plan_.tree.order) body_ += ring_.bent() ? dot_element(layout, v) : box_element(layout, v);
    body_ += "</g>\n";
    width_ = ring_.bent() ? ring_.size() : layout.width;
    height_ = ring_.bent() ? ring_.size() : layout.height;
    draw_key();
  }

  std::string name_of_vertex(int v) const { return escaped(in_quotes(plan::vertex_name(plan_.network, v))); }
  std::string name_of_edge(int e) const { return escaped(in_quotes(plan::edge_name(plan_.network, e))); }

  std::string edge_numbers(int e) const {
    return fmt::format("weight {}, length {}", figure(plan_.network.weight[e]), figure(plan_.network.length[e]));
  }

  static std::string text_element(const char* kind, double x, double y, const std::string& text) {
    return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kind, x, y, escaped(text));
  }

  std::string branch_element(const PlanLayout& layout, const Branch& b) const {
    const int edge = plan_.tree.parent_edge[b.vertex];
    // The curve leaves and arrives along the rows, so that it meets boxes at right angles.
    const double middle = (b.x0 + b.x1) / 2;
    // From the middle of a ring straight out.
    const double y0 = ring_.bent() && ring_.radius(b.x0 - ring_.inset()) == 0 ? b.y1 : b.y0;
    std::string text = fmt::format(
        "<g class=\"branch{}\" data-v=\"{}\"><title>{} from {} to {}: {}</title><path d=\"M{} C{} {} {} L{}\"/>",
        critical_[b.vertex] ? " critical" : "", b.vertex, name_of_edge(edge),
        name_of_vertex(plan_.tree.parent[b.vertex]), name_of_vertex(b.vertex), edge_numbers(edge),
        ring_.text(b.x0 - ring_.inset(), y0), ring_.text(middle, y0), ring_.text(middle, b.y1), ring_.text(b.x1, b.y1),
        ring_.text(b.x2 + ring_.inset(), b.y1));
    if (layout.detail == Detail::kNames)
      text += text_element("joint to", b.x2 - 5, b.y1 - 4, detail::joint_label(plan_.network, edge));
    return text + "</g>\n";
  }

  // Round corners, as large as the way between the rows allows.
  static std::string arc_path(const Arc& arc) {
    const double down = arc.yb > arc.ya ? 1 : -1;
    // The radius also fits what is left between box and lane.
    const double r = std::min({12.0, std::abs(arc.yb - arc.ya) / 2, arc.lane - std::max(arc.xa, arc.xb)});
    return fmt::format(
        "M{:.1f},{:.1f} H{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f} V{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f} H{:.1f}", arc.xa,
        arc.ya, arc.lane - r, arc.lane, arc.ya, arc.lane, arc.ya + down * r, arc.yb - down * r, arc.lane, arc.yb,
        arc.lane - r, arc.yb, arc.xb);
  }

  std::string arc_element(const PlanLayout& layout, std::size_t k) const {
    const Arc& arc = layout.arcs[k];
    const std::string path = ring_.bent() ? ring_.arc_path(arc) : arc_path(arc);
    // Welds of half bodies follow the cut joints in the list of arcs.
    const std::string key = arc.edge >= 0 ? std::to_string(arc.edge) : fmt::format("w{}", k - plan_.cut.size());
    const std::string ends = fmt::format("data-k=\"{}\" data-a=\"{}\" data-b=\"{}\"", key, arc.a, arc.b);
    // `near` is a wide invisible line under the thin one: it is easier to point at.
    if (arc.edge < 0) {
      return fmt::format(
          "<g class=\"weld\" {}><title>{} is cut in two: six equations weld the halves</title><path class=\"near\" "
          "d=\"{}\"/><path d=\"{}\"/></g>\n",
          ends, name_of_vertex(arc.b), path, path);
    }
    std::string text = fmt::format(
        "<g class=\"cut\" {}><title>{} is cut, between {} and {}: {}, closes a loop of {}</title><path class=\"near\" "
        "d=\"{}\"/><path stroke=\"{}\" d=\"{}\"/>",
        ends, name_of_edge(arc.edge), name_of_vertex(arc.a), name_of_vertex(arc.b), edge_numbers(arc.edge),
        detail::loop_length(plan_, arc.edge), path, kColours[arc.colour], path);
    if (layout.detail == Detail::kNames) {
      text += text_element("joint", arc.label_x, (arc.label_at_b ? arc.yb : arc.ya) - 4,
                           detail::joint_label(plan_.network, arc.edge));
    }
    return text + "</g>\n";
  }

  // The opening of a vertex's element: what it is, and what hovering shows.
  std::string vertex_head(const PlanLayout& layout, int v) const {
    // Classes and not colours: the page chooses those of light and dark screens.
    std::string classes = "body";
    if (plan_.tree.parent[v] < 0) classes += " root";
    if (critical_[v]) classes += " critical";
    if (half_[v]) classes += " half";
    return fmt::format("<g class=\"{}\" data-v=\"{}\"><title>{}: level {}, {} from the root</title>", classes, v,
                       name_of_vertex(v), layout.level[v], figure(distance_[v]));
  }

  std::string box_element(const PlanLayout& layout, int v) const {
    const Box& box = layout.boxes[v];
    std::string text = vertex_head(layout, v);
    text += fmt::format(
        "<rect class=\"box\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\"/><text "
        "text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
        box.x, box.y - box.height / 2, box.width, box.height, std::min(box.height, box.width) / 3,
        box.x + box.width / 2, box.y + 4.2, escaped(detail::body_label(plan_.network, v)));
    // As engineers draw what stands still.
    if (v == plan_.network.ground) text += hatch(box);
    return text + "</g>\n";
  }

  std::string dot_element(const PlanLayout& layout, int v) const {
    // The same layout as for boxes: a dot stands in the middle of where one would be.
    const Box& box = layout.boxes[v];
    const Eigen::Vector2d p = ring_.at(box.x + box.width / 2, box.y);
    return fmt::format("{}<circle class=\"box\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/></g>\n", vertex_head(layout, v),
                       p.x(), p.y(), plan_.tree.parent[v] < 0 ? 5 : 1.6);
  }

  // Short strokes to the left of the box, as grounds are drawn.
  static std::string hatch(const Box& box) {
    std::string path;
    for (double y = box.y - box.height / 2 + 4; y <= box.y + box.height / 2; y += 5)
      path += fmt::format("M{:.1f},{:.1f} l-6,5 ", box.x - 2, y - 2);
    return fmt::format("<path class=\"hatch\" d=\"{}\"/>", path);
  }

  void draw_key() {
    double x = 0;
    // A sample is drawn as the thing itself, so that both have one style.
    const auto entry = [&](const std::string& sample, const std::string& text) {
      key_ +=
          fmt::format("<g transform=\"translate({:.0f} 0)\">{}<text class=\"joint\" x=\"34\" y=\"4\">{}</text></g>\n",
                      x, sample, text);
      x += 34 + detail::text_width(text, 10) + 16;
    };
    const detail::Nouns nouns = detail::nouns_of(plan_.network);
    const std::string line = "<path d=\"M0,0 H28\"/></g>";
    entry("<g class=\"root\"><rect class=\"box\" y=\"-6\" width=\"28\" height=\"12\" rx=\"4\"/></g>", "root");
    entry("<g class=\"branch\">" + line, fmt::format("tree {}", nouns.edge));
    entry("<g class=\"branch critical\">" + line, "critical branch");
    if (!plan_.cut.empty())
      entry(fmt::format("<g class=\"cut\"><path stroke=\"{}\" d=\"M0,0 H28\"/></g>", kColours[0]),
            fmt::format("cut {}", nouns.edge));
    // Only what the picture holds is explained.
    if (!plan_.half_bodies.empty()) entry("<g class=\"weld\">" + line, "body cut in two");
    width_ = std::max(width_, x);
  }

  // One bar a level, or a group of levels where there are more than fit.
  void draw_levels() {
    words_.push_back(
        fmt::format("too many to draw one by one (more than {}): the bars are the numbers of {} on each level",
                    kMostDrawn, detail::nouns_of(plan_.network).vertices));
    // Levels need one walk over the tree; the cost of a layout grows faster than the graph.
    std::vector<int> level(plan_.tree.parent.size(), 0);
    int deepest = 0;
    for (const int v : plan_.tree.order) {
      if (plan_.tree.parent[v] >= 0) level[v] = level[plan_.tree.parent[v]] + 1;
      deepest = std::max(deepest, level[v]);
    }
    constexpr int kMostBars = 100;
    // Groups of equal size, so that lengths of bars can be compared.
    const int group = deepest / kMostBars + 1;
    std::vector<int> count(deepest / group + 1, 0);
    for (const int l : level) ++count[l / group];
    const double most = *std::max_element(count.begin(), count.end());
    constexpr double kPitch = 15, kLongest = 700, kIndent = 90;
    for (std::size_t k = 0; k < count.size(); ++k) {
      const int first = static_cast<int>(k) * group;
      const std::string name = group == 1 ? fmt::format("level {}", first)
                                          : fmt::format("{} to {}", first, std::min(first + group - 1, deepest));
      const double y = kPitch * static_cast<double>(k) + 10;
      body_ += text_element("joint", 0, y, name);
      body_ += fmt::format("<rect class=\"box\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"/>", kIndent, y - 9,
                           std::max(1.0, kLongest * count[k] / most));
      body_ += text_element("joint", kIndent + 6 + kLongest * count[k] / most, y, std::to_string(count[k])) + "\n";
    }
    width_ = kIndent + kLongest + 60;
    height_ = kPitch * static_cast<double>(count.size());
  }

  const Plan& plan_;
  Ring ring_;
  std::vector<std::string> words_;
  std::vector<double> distance_;  // by vertex
  std::vector<char> critical_;    // by vertex
  std::vector<char> half_;        // by vertex
  std::string key_;
  std::string body_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string draw_plan_svg(const Plan& plan) { return Picture(plan).svg(); }

}  // namespace espalier::draw
