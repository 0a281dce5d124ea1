// Prints a result.h5 as text, every number as its bits, for tests of the command line that have no reader of HDF5.
//   usage: print_result FILE

#include <cstdio>

#include <fmt/format.h>

#include "espalier/record/contact_result.hpp"
#include "espalier/record/result_file.hpp"

using namespace espalier;

namespace {

void print_names(const char* what, const std::vector<record::Column>& columns) {
  fmt::print("{}", what);
  for (const record::Column& column : columns) fmt::print("\t{} [{}]", column.name, column.unit);
  fmt::print("\n");
}

void print_numbers(const char* what, const std::vector<double>& numbers) {
  fmt::print("{}", what);
  for (const double number : numbers) fmt::print("\t{:a}", number);
  fmt::print("\n");
}

int print_scene(const record::SceneRecording& recording) {
  const record::SceneRows& rows = recording.rows;
  fmt::print("model\t{}\nrows\t{}\n", recording.layout.model, rows.size());
  for (const std::string& body : recording.layout.bodies) fmt::print("body\t{}\n", body);
  for (const auto& [what, numbers] : std::initializer_list<std::pair<const char*, const std::vector<double>*>>{
           {"time", &rows.time},
           {"body_pose", &rows.body_pose},
           {"body_velocity", &rows.body_velocity},
           {"owner", &rows.owner},
           {"kinetic", &rows.kinetic},
           {"potential", &rows.potential},
           {"strain", &rows.strain},
           {"total", &rows.total},
           {"contact_end", &rows.contact_end},
           {"contact_bodies", &rows.contact_bodies},
           {"contact_point", &rows.contact_point},
           {"contact_normal", &rows.contact_normal},
           {"contact_force", &rows.contact_force},
           {"contact_gap", &rows.contact_gap},
           {"rank_end", &rows.rank_end},
           {"rank_bodies", &rows.rank_bodies}}) {
    print_numbers(what, *numbers);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (const Result<record::SceneRecording> scene = record::read_scene_result(argv[1])) return print_scene(*scene);
  const Result<record::Recording> recording = record::read_result(argv[1]);
  if (!recording) {
    fmt::print(stderr, "{}\n", to_string(recording.error()));
    return 1;
  }
  const record::ResultLayout& layout = recording->layout;
  const record::Frames& frames = recording->frames;
  fmt::print("model\t{}\nrows\t{}\n", layout.model, frames.size());
  for (const std::string& body : layout.bodies) fmt::print("body\t{}\n", body);
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    fmt::print("joint\t{}\t{}\n", layout.joints[j], layout.joint_types[j]);
  }
  print_names("q", layout.q);
  print_names("v", layout.v);
  print_names("joint_position", layout.joint_position);
  print_names("joint_velocity", layout.joint_velocity);
  for (const auto& [what, numbers] : std::initializer_list<std::pair<const char*, const std::vector<double>*>>{
           {"time", &frames.time},
           {"q", &frames.q},
           {"v", &frames.v},
           {"joint_position", &frames.joint_position},
           {"joint_velocity", &frames.joint_velocity},
           {"body_pose", &frames.body_pose},
           {"body_velocity", &frames.body_velocity},
           {"body_acceleration", &frames.body_acceleration},
           {"reaction", &frames.reaction},
           {"kinetic", &frames.kinetic},
           {"potential", &frames.potential},
           {"exchanged", &frames.exchanged},
           {"total", &frames.total},
           {"loop_distance", &frames.loop_distance},
           {"loop_angle", &frames.loop_angle}}) {
    print_numbers(what, *numbers);
  }
  return 0;
}
