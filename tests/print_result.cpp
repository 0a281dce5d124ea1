// Prints a result.h5 as text, every number as its bits, for tests of the command line that have no reader of HDF5.
//   usage: print_result FILE

#include <cstdio>

#include <fmt/format.h>

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

// The quantities in the order in which tests read them: by the name of the dataset in its group, by its path where
// that says too little.
void print_rows(const record::Rows& rows, std::initializer_list<std::pair<const char*, const char*>> wanted) {
  for (const auto& [what, path] : wanted) {
    const auto found = rows.find(path);
    print_numbers(what, found == rows.end() ? std::vector<double>() : found->second);
  }
}

void print_scene(const record::Rows& rows) {
  print_rows(rows, {{"time", "time"},
                    {"body_pose", "body_pose"},
                    {"body_velocity", "body_velocity"},
                    {"body_acceleration", "body_acceleration"},
                    {"joint_position", "joint_position"},
                    {"joint_velocity", "joint_velocity"},
                    {"joint_acceleration", "joint_acceleration"},
                    {"joint_drive", "joint_drive"},
                    {"joint_passive", "joint_passive"},
                    {"force", "force"},
                    {"owner", "owner"},
                    {"kinetic", "energy/kinetic"},
                    {"potential", "energy/potential"},
                    {"strain", "energy/strain"},
                    {"total", "energy/total"},
                    {"contact_end", "contact/end"},
                    {"contact_bodies", "contact/bodies"},
                    {"contact_point", "contact/point"},
                    {"contact_normal", "contact/normal"},
                    {"contact_force", "contact/force"},
                    {"contact_gap", "contact/gap"},
                    {"rank_end", "rank/end"},
                    {"rank_bodies", "rank/bodies"}});
}

void print_mechanism(const record::ResultLayout& layout, const record::Rows& rows) {
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    fmt::print("joint\t{}\t{}\n", layout.joints[j], layout.joint_types[j]);
  }
  print_names("q", layout.q);
  print_names("v", layout.v);
  print_names("joint_position", layout.joint_position);
  print_names("joint_velocity", layout.joint_velocity);
  print_rows(rows, {{"time", "time"},
                    {"q", "q"},
                    {"v", "v"},
                    {"joint_position", "joint_position"},
                    {"joint_velocity", "joint_velocity"},
                    {"joint_acceleration", "joint_acceleration"},
                    {"joint_drive", "joint_drive"},
                    {"joint_passive", "joint_passive"},
                    {"force", "force"},
                    {"body_pose", "body_pose"},
                    {"body_velocity", "body_velocity"},
                    {"body_acceleration", "body_acceleration"},
                    {"reaction", "reaction"},
                    {"kinetic", "energy/kinetic"},
                    {"potential", "energy/potential"},
                    {"exchanged", "energy/exchanged"},
                    {"total", "energy/total"},
                    {"loop_distance", "loop/distance"},
                    {"loop_angle", "loop/angle"}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Result<record::Recording> recording = record::read_result(argv[1]);
  if (!recording) {
    fmt::print(stderr, "{}\n", to_string(recording.error()));
    return 1;
  }
  const record::ResultLayout& layout = recording->layout;
  fmt::print("model\t{}\nrows\t{}\n", layout.model, recording->frames());
  for (const std::string& body : layout.bodies) fmt::print("body\t{}\n", body);
  if (layout.kind == record::RunKind::kScene) {
    print_scene(recording->rows);
  } else {
    print_mechanism(layout, recording->rows);
  }
  return 0;
}
