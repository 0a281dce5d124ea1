#pragma once

// The page of `view`: one self-contained HTML file with a scene that moves, the plan's tree beside it, curves, contacts
// and ranks, each where there is something to show. It needs no other file and no network.
//   In:   ViewPage
//   Out:  the text of the file; what was rounded and left out to keep it small stands on the page
// Read next: docs/view.md; viewer/, the scripts of the page; scene.hpp, what is drawn of a model.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/draw/chart.hpp"
#include "espalier/draw/pages.hpp"
#include "espalier/draw/scene.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/run.hpp"

namespace espalier::draw {

// The poses of all bodies over time.
struct ViewFrames {
  std::vector<double> times;  // ascending [s]
  std::vector<double> poses;  // frame after frame, every body: origin x y z [m], quaternion w x y z
};

// A number over the same times.
struct ViewCurve {
  std::string group;  // "position", "velocity", "reaction", "energy", "loop", "contact", "rank"
  std::string name;   // "A.rz"
  std::string unit;
  int joint = -1;     // that it belongs to, for the card of the joint
  std::string label;  // its name on that card: "position"
  std::vector<double> values;
};

struct ViewContacts {
  enum State : std::uint8_t { kStick, kSlide, kOpen };
  std::vector<std::size_t> end;  // by frame: rows up to its end
  std::vector<std::array<double, 3>> points, forces;
  std::vector<State> states;
};

struct ViewRanks {
  std::vector<std::vector<model::RankLoad>> load;  // by frame and rank
  std::vector<std::int32_t> owner;                 // frame after frame, every body
};

// A spanning tree and its cut joints.
struct ViewTree {
  struct Vertex {
    std::string name;
    std::vector<int> bodies;  // of the model, the first one names it
  };
  struct Cut {
    int joint = -1;
    int a = -1, b = -1;  // vertices
    std::string why;     // a sentence
  };
  std::vector<Vertex> vertices;
  std::vector<int> parent, level;  // by vertex; -1: a root
  std::vector<int> joint;          // by vertex: the one to its parent
  std::vector<int> critical;       // vertices whose joint to the parent is on the critical branch
  std::vector<Cut> cut;
  std::vector<std::string> facts;  // "critical branch 5", "weight 12", ...
};

// A step of a tour: below the scene, opened one after the other.
struct ViewChapter {
  std::string title, text;
  std::vector<std::string> commands;
  std::string page;  // shown in it, relative to the page; empty: none
};

struct ViewPage {
  std::string title, subtitle;
  const model::Model* model = nullptr;  // in the pose that is drawn where nothing moves; null: no model
  Scene scene;                          // of it
  std::optional<ViewFrames> frames;
  std::optional<ViewFrames> ghost;  // of another run, at the times of `frames`
  std::vector<ViewCurve> curves;
  std::optional<ViewContacts> contacts;
  std::optional<ViewRanks> ranks;
  std::optional<ViewTree> tree;
  std::optional<Motion> modes;  // shapes that move, in place of the model
  std::vector<Chart> charts;
  std::vector<std::string> pictures;  // SVG, above the charts
  std::string report;                 // preformatted
  std::vector<ViewChapter> chapters;  // of a page that leads through several
  // Where it is from.
  std::vector<std::pair<std::string, std::string>> facts;  // "file", "four_bar.yaml"
  std::string command;                                     // that repeats it
  std::vector<std::string> notes;
};

struct DrawnPage {
  std::string html;
  double position_error = 0;  // largest, of what rounding to 16 bits makes of positions [m]
  double angle_error = 0;     // the same of turns [rad]
};
DrawnPage draw_view_page(const ViewPage& page);

// The notices of the libraries in the page.
std::string view_licences();

}  // namespace espalier::draw
