#include "espalier/draw/view_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/draw/detail/assets.hpp"
#include "espalier/draw/detail/pack.hpp"
#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/draw/detail/view_data.hpp"

namespace espalier::draw {
namespace {

using nlohmann::ordered_json;

// Six digits are more than a screen shows; through text, so that the shortest such number is what stands in the page.
double rounded(double x) { return x == 0 || !std::isfinite(x) ? 0 : std::stod(fmt::format("{:.6g}", x)); }

void append(const Eigen::Vector3d& v, ordered_json& list) {
  for (const double x : {v.x(), v.y(), v.z()}) list.push_back(rounded(x));
}
void append(const math::Pose& pose, ordered_json& list) {
  append(pose.position, list);
  const Eigen::Quaterniond& q = pose.rotation;
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) list.push_back(rounded(x));
}

// Bodies that stand still, whatever the frames say: the ground and what is welded to it.
std::vector<int> still_bodies(const model::Model& model) {
  std::vector<int> still;
  // By groups: a body that is welded to the ground moves as little as that.
  const std::vector<int> group = model::weld_groups(model);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) still.push_back(group[b] == 0 ? 1 : 0);
  return still;
}

ordered_json bodies_json(const model::Model& model) {
  ordered_json names = ordered_json::array(), kind = ordered_json::array(), mass = ordered_json::array();
  ordered_json kinds = ordered_json::array();
  std::map<model::BodyKind, int> known;
  for (const model::Body& body : model.bodies) {
    names.push_back(body.name);
    // Words once and numbers for each body: a pile has ten thousand of them.
    const auto [place, added] = known.emplace(body.kind, static_cast<int>(known.size()));
    if (added) kinds.push_back(model::word(body.kind));
    kind.push_back(place->second);
    mass.push_back(rounded(body.inertia.mass));
  }
  return {{"names", names}, {"kinds", kinds}, {"kind", kind}, {"mass", mass}, {"still", still_bodies(model)}};
}

// Rows [body, kind, role, joint, size x 3]; then place and turn where they are not those of the body.
ordered_json pieces_json(const Scene& scene) {
  ordered_json rows = ordered_json::array();
  for (const Piece& piece : scene.pieces) {
    ordered_json row = {piece.body, static_cast<int>(piece.kind), static_cast<int>(piece.role), piece.joint};
    if (piece.kind == PieceKind::kMesh) {
      for (const int number : {piece.mesh, 0, 0}) row.push_back(number);
    } else {
      append(piece.size, row);
    }
    // Most pieces lie in the axes of their body: a row without a turn is half as long.
    const bool turned = std::abs(piece.pose.rotation.w()) < 1 - 1e-12;
    if (turned) {
      append(piece.pose, row);
    } else if (piece.pose.position.norm() > 0) {
      append(piece.pose.position, row);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json scene_json(const ViewPage& page) {
  ordered_json meshes = ordered_json::array(), missing = ordered_json::array(), springs = ordered_json::array();
  for (const SceneMesh& mesh : page.scene.meshes) {
    ordered_json points = ordered_json::array(), triangles = ordered_json::array();
    for (const Eigen::Vector3d& p : mesh.points) append(p, points);
    for (const std::array<int, 3>& t : mesh.triangles) {
      for (const int corner : t) triangles.push_back(corner);
    }
    meshes.push_back({{"points", std::move(points)}, {"triangles", std::move(triangles)}});
  }
  for (const MissingMesh& mesh : page.scene.missing) {
    missing.push_back({{"file", mesh.file}, {"body", mesh.body}, {"why", mesh.why}});
  }
  for (const SceneLine& line : page.scene.lines) {
    ordered_json from = ordered_json::array(), to = ordered_json::array();
    append(line.from, from);
    append(line.to, to);
    springs.push_back({{"name", line.name}, {"a", line.a}, {"b", line.b}, {"from", from}, {"to", to}});
  }
  ordered_json json = {{"pieces", pieces_json(page.scene)},
                       {"meshes", meshes},
                       {"missing", missing},
                       {"springs", springs},
                       {"flat", nullptr}};
  if (page.scene.flat) {
    json["flat"] = ordered_json::array();
    append(*page.scene.flat, json["flat"]);
  }
  return json;
}

ordered_json joints_json(const ViewPage& page) {
  std::vector<std::vector<int>> curves(page.model->joints.size());
  for (std::size_t k = 0; k < page.curves.size(); ++k) {
    // Both ways: the page shows a joint's curves where the joint is clicked.
    if (page.curves[k].joint >= 0) curves[to_index(page.curves[k].joint)].push_back(static_cast<int>(k));
  }
  ordered_json joints = ordered_json::array();
  for (std::size_t j = 0; j < page.model->joints.size(); ++j) {
    const model::Joint& joint = page.model->joints[j];
    ordered_json at = ordered_json::array();
    append(joint.X_AF, at);
    joints.push_back({{"name", joint.name},
                      {"type", model::joint_kind(joint.type).name},
                      {"a", joint.a.index()},
                      {"b", joint.b.index()},
                      {"at", at},
                      {"curves", curves[j]}});
  }
  return joints;
}

ordered_json tree_json(const ViewTree& tree) {
  ordered_json vertices = ordered_json::array(), cut = ordered_json::array();
  for (const ViewTree::Vertex& v : tree.vertices) vertices.push_back({{"name", v.name}, {"bodies", v.bodies}});
  for (const ViewTree::Cut& c : tree.cut) {
    cut.push_back({{"joint", c.joint}, {"a", c.a}, {"b", c.b}, {"why", c.why}});
  }
  return {{"vertices", vertices}, {"parent", tree.parent},     {"level", tree.level},
          {"joint", tree.joint},  {"critical", tree.critical}, {"cut", cut},
          {"facts", tree.facts}};
}

std::string script(const std::string& id, std::string_view text, bool is_data) {
  // Plain text is not run: what is packed is unpacked by the page, and the libraries are started in their order.
  return fmt::format("<script type=\"text/plain\" id=\"part-{0}\" data-{1}=\"{0}\">{2}</script>\n", id,
                     is_data ? "part" : "script", text);
}

// What stands between two @ of a page, by the texts of that name. What is put in is not looked at again: titles and
// names may hold any mark.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& texts) {
  std::string all;
  while (true) {
    const std::size_t begin = page.find('@'), end = page.find('@', begin + 1);
    if (end == std::string_view::npos) return all.append(page);
    const auto text = texts.find(page.substr(begin + 1, end - begin - 1));
    const bool known = text != texts.end();
    all.append(page.substr(0, known ? begin : end));
    if (known) all += text->second;
    page.remove_prefix(known ? end + 1 : end);
  }
}

std::string chapter_text(const ViewChapter& chapter) {
  std::string text =
      fmt::format("<h2>{}</h2><p>{}</p>", detail::shown_text(chapter.title), detail::shown_text(chapter.text));
  if (!chapter.commands.empty()) {
    text += "<pre>";
    for (const std::string& command : chapter.commands) text += fmt::format("$ {}\n", detail::shown_text(command));
    text += "</pre>";
  }
  // The page is put in when it is asked for: several scenes at once would be slow.
  const std::string page = detail::shown_text(chapter.page);
  if (!page.empty()) {
    text +=
        fmt::format("<p><button data-page=\"{0}\">show it here</button> <a href=\"{0}\">open the page</a></p>", page);
  }
  return fmt::format("<section class=\"chapter\">{}</section>\n", text);
}

// What needs no script: charts and the report.
std::string still_parts(const ViewPage& page) {
  std::string text;
  for (const ViewChapter& chapter : page.chapters) text += chapter_text(chapter);
  const auto add = [&](const char* id, const char* title, const std::string& inside) {
    text += fmt::format("<details id=\"{}\" open><summary>{}</summary><div>{}</div></details>\n", id, title, inside);
  };
  std::string pictures, charts;
  for (const std::string& picture : page.pictures) pictures += fmt::format("<figure>\n{}</figure>\n", picture);
  if (!pictures.empty()) add("pictures", "Picture", pictures);
  // Each with its own style, so that it can be cut out of the page and still looks the same.
  for (const Chart& chart : page.charts) charts += fmt::format("<figure>\n{}</figure>\n", draw_svg(chart));
  if (!charts.empty()) add("charts", "Charts", charts);
  // As it was printed: a table of a report keeps its columns.
  if (!page.report.empty()) add("report", "Report", fmt::format("<pre>{}</pre>", detail::shown_text(page.report)));
  return text;
}

// The numbers of the page beside its document.
struct Parts {
  ordered_json json;
  std::map<std::string, detail::Bytes> data;
};

void add_frames(const ViewPage& page, Parts& parts, DrawnPage& drawn) {
  const std::size_t bodies = page.model->bodies.size();
  ordered_json poses = ordered_json::array();
  for (std::size_t b = 0; b < bodies; ++b) {
    // A model has one pose, its own; a run begins with that of its first frame.
    if (!page.frames) {
      append(page.model->bodies[b].X_WB, poses);
    } else {
      for (std::size_t k = 0; k < 7; ++k) poses.push_back(rounded(page.frames->poses[7 * b + k]));
    }
  }
  parts.json["poses"] = std::move(poses);
  parts.json["frames"] = nullptr;
  if (!page.frames) return;
  detail::PackedFrames packed = detail::packed_frames(*page.frames, page.scene, bodies);
  drawn.position_error = packed.position_error;
  drawn.angle_error = packed.angle_error;
  parts.json["frames"] = std::move(packed.json);
  parts.data["frames"] = std::move(packed.bytes);
}

model::Model ground_alone() {
  model::Model model;
  model.bodies.emplace_back().name = "ground";
  return model;
}

Parts scene_parts(const ViewPage& page, DrawnPage& drawn) {
  Parts parts;
  parts.json = scene_json(page);
  // For pages that are read by other programs.
  parts.json["format"] = 1;
  parts.json["title"] = page.title;
  parts.json["subtitle"] = page.subtitle;
  parts.json["bodies"] = bodies_json(*page.model);
  parts.json["joints"] = joints_json(page);
  add_frames(page, parts, drawn);
  parts.json["provenance"] = {{"rows", page.facts}, {"command", page.command}, {"notes", page.notes}};
  return parts;
}

void add_parts(const ViewPage& page, Parts& parts) {
  // Said in any case: a page asks for `null` and not for a key that may be missing.
  for (const char* name : {"ghost", "curves", "contacts", "ranks", "tree", "modes"}) parts.json[name] = nullptr;
  if (page.tree) parts.json["tree"] = tree_json(*page.tree);
  if (page.modes) parts.json["modes"] = ordered_json::parse(motion_json(*page.modes));
  const auto add = [&](const char* name, const char* data, detail::PackedPart packed) {
    parts.json[name] = std::move(packed.json);
    parts.data[data] = std::move(packed.bytes);
  };
  if (page.frames && page.ghost) {
    add("ghost", "ghost", detail::packed_frames(*page.ghost, page.scene, page.model->bodies.size()));
    ordered_json& poses = parts.json["ghost"]["poses"] = ordered_json::array();
    for (std::size_t k = 0; k < 7 * page.model->bodies.size(); ++k) poses.push_back(rounded(page.ghost->poses[k]));
  }
  if (page.frames && !page.curves.empty()) add("curves", "curves", detail::packed_curves(page.curves));
  // Curves and ranks are about frames, contacts bring their own.
  if (page.contacts && !page.contacts->points.empty()) {
    add("contacts", "contacts", detail::packed_contacts(*page.contacts));
  }
  if (page.frames && page.ranks) add("ranks", "owner", detail::packed_ranks(*page.ranks, page.model->bodies.size()));
}

}  // namespace

DrawnPage draw_view_page(const ViewPage& given) {
  ViewPage page = given;
  const model::Model none = ground_alone();
  if (!page.model) page.model = &none;
  DrawnPage drawn;
  Parts parts = scene_parts(page, drawn);
  add_parts(page, parts);
  // A name may be no UTF-8: a replaced character is better than no page.
  parts.data["scene"] = detail::deflated(parts.json.dump(-1, ' ', false, ordered_json::error_handler_t::replace), 9);
  // Charts alone need neither a scene nor what draws it.
  const bool plain = !given.model && !given.modes;
  std::string scripts;
  // The viewer last, which uses the others.
  for (const char* name : {"three", "orbit", "dygraphs", "viewer"}) {
    if (!plain || std::string_view(name) == "viewer") scripts += script(name, detail::asset(name), false);
  }
  for (const auto& [name, bytes] : parts.data) scripts += script(name, detail::base64(bytes), true);
  drawn.html = filled(detail::asset("page"), {{"TITLE", detail::shown_text(page.title)},
                                              {"CLASS", plain                   ? " class=\"plain\""
                                                        : page.chapters.empty() ? ""
                                                                                : " class=\"tour\""},
                                              {"STYLE", std::string(detail::asset("style"))},
                                              {"SIDE", still_parts(page)},
                                              {"LICENCES", plain ? "" : std::string(detail::asset("licences"))},
                                              {"PARTS", scripts}});
  return drawn;
}

std::string view_licences() { return std::string(detail::asset("licences")); }

}  // namespace espalier::draw
