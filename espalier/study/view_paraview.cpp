#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/draw/paraview.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/detail/view_run.hpp"
#include "espalier/study/view.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using record::Rows;

constexpr const char* kCollection = "run.pvd";

// The numbers of a frame, `width` for each body; none where the run has no such rows.
std::span<const double> of_frame(const Rows& rows, const char* path, std::size_t frame, std::size_t width) {
  const auto found = rows.find(std::string_view(path));
  if (found == rows.end() || found->second.size() < (frame + 1) * width) return {};
  return std::span(found->second).subspan(frame * width, width);
}

std::vector<draw::ParaviewFrame::Contact> contacts_of(const Rows& rows, std::size_t frame) {
  std::vector<draw::ParaviewFrame::Contact> contacts;
  const auto ends = rows.find(std::string_view("contact/end"));
  if (ends == rows.end()) return contacts;
  const auto end_of = [&](std::size_t f) { return static_cast<std::size_t>(ends->second[f]); };
  // Rows of a frame end where those of the next begin.
  for (std::size_t row = frame > 0 ? end_of(frame - 1) : 0; row < end_of(frame); ++row) {
    const double* point = &rows.at("contact/point")[3 * row];
    const double* force = &rows.at("contact/force")[3 * row];
    contacts.push_back({static_cast<int>(rows.at("contact/bodies")[2 * row]),
                        {point[0], point[1], point[2]},
                        {force[0], force[1], force[2]}});
  }
  return contacts;
}

std::string names_table(const model::Model& model) {
  std::string text = "body,name\n";
  // By the numbers that cells carry.
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    text += fmt::format("{},{}\n", b, files::csv_field(model.bodies[b].name));
  }
  return text;
}

}  // namespace

// (1) The run; (2) one file for each frame; (3) names; (4) the collection, when all that it names is there.
Result<ViewFiles> write_paraview(const fs::path& run, const fs::path& folder, const ViewOptions& options) {
  const Result<detail::ViewedRun> from = detail::read_viewed_run(run, options);
  ESPALIER_TRY(from);
  const model::Model& model = from->loaded.model;
  const Rows& rows = from->recording.rows;
  const std::size_t bodies = model.bodies.size();
  ViewFiles files{detail::model_title(from->loaded), folder.string(), (folder / kCollection).string(),
                  from->recording.frames(), 0};
  const auto write = [&](const std::string& name, const std::string& text) {
    files.bytes += text.size();
    return files::write_text_file(folder / name, text);
  };
  const draw::ParaviewBodies shapes = draw::make_paraview_bodies(draw::make_scene(model), bodies);
  std::vector<std::string> names;
  for (std::size_t f = 0; f < files.frames; ++f) {
    names.push_back(fmt::format("frame_{:05}.vtp", f));
    const draw::ParaviewFrame frame{of_frame(rows, "body_pose", f, 7 * bodies),
                                    of_frame(rows, "body_velocity", f, 6 * bodies), of_frame(rows, "owner", f, bodies),
                                    contacts_of(rows, f)};
    ESPALIER_TRY(write(names.back(), draw::draw_paraview_frame(shapes, frame)));
  }
  ESPALIER_TRY(write("bodies.csv", names_table(model)));
  ESPALIER_TRY(write(kCollection, draw::draw_paraview_collection(rows.at("time"), names)));
  return files;
}

}  // namespace espalier::study
