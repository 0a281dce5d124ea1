// Any bytes in the place of a file that goes with a run or a model: what is read of it, or an error that names the
// file, comes out. One program a kind; FUZZ_SUBJECT says which.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "espalier/base/numbers.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/tune.hpp"

using namespace espalier;

namespace {

namespace fs = std::filesystem;

const std::string_view kKind = FUZZ_SUBJECT;

constexpr const char* kRobot =
    "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/><link name=\"b\"/>"
    "<joint name=\"A\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/>"
    "<limit effort=\"1\" velocity=\"1\" lower=\"-1\" upper=\"1\"/></joint>"
    "<joint name=\"B\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>\n";
constexpr const char* kScene =
    "espalier: 1\nbodies: [{name: wall, kind: obstacle, shapes: [{mesh: {file: FILE}}]}]\ncontact: {engine: on}\n";

// In memory where there is such a place: a million files are written.
const fs::path& folder() {
  static const fs::path made = [] {
    std::error_code code;
    const fs::path shared = "/dev/shm";
    const fs::path place = (fs::is_directory(shared, code) ? shared : fs::temp_directory_path()) /
                           ("espalier-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(place);
    return place;
  }();
  return made;
}

void write(const char* name, std::string_view text) {
  std::ofstream(folder() / name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

// A checkpoint ends with the sum of what stands before it, low byte first: without it nothing behind would be tried.
std::string with_sum(std::string_view head, std::string_view text) {
  std::string sealed = std::string(head) + std::string(text);
  std::uint64_t sum = Hash().add(std::string_view(sealed)).value();
  for (int k = 0; k < 8; ++k, sum >>= 8) sealed += static_cast<char>(sum & 0xff);
  return sealed;
}

// A table as every kind of function; what is read can be asked anywhere.
constexpr const char* kTable =
    "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
    "joints: [{name: j, type: revolute, between: [ground, a], at: {}}]\n"
    "tables: {drive: {file: drive.csv, between: BETWEEN, outside: OUTSIDE}}\n"
    "forces: [{torque: {joint: j, value: drive(t)}}]\n";

template <class T>
int judge(const Result<T>& result) {
  if (!result && (result.error().message.empty() || result.error().where.file.empty())) std::abort();
  return 0;
}

int read_mesh(const char* name, std::string_view text) {
  write(name, text);
  std::string model = kScene;
  model.replace(model.find("FILE"), 4, name);
  const Result<model::ModelSpec> spec = formats::read_model_text(model, (folder() / "scene.yaml").string());
  return judge(contact::make_scene(*model::compile(*spec)));
}

int read_table(std::string_view text) {
  write("drive.csv", text);
  for (const char* between : {"linear", "cubic"}) {
    for (const char* outside : {"hold", "straight", "repeat"}) {
      std::string model = kTable;
      model.replace(model.find("BETWEEN"), 7, between);
      model.replace(model.find("OUTSIDE"), 7, outside);
      const Result<model::ModelSpec> spec = formats::read_model_text(model, (folder() / "model.yaml").string());
      judge(spec);
      if (!spec) continue;
      const model::Table& table = *spec->tables[0].rows;
      for (const double x : {-1e300, -1.0, 0.0, table.argument.front(), table.argument.back(), 1e300})
        model::table_at(table, x);
      if (!formats::convert(*spec, formats::Format::kNative)) std::abort();
    }
  }
  return 0;
}

int read_results(std::string_view text) {
  write("result.h5", text);
  return judge(record::read_result(folder() / "result.h5"));
}

int read_run(std::string_view text) {
  write("run.json", text);
  const Result<record::RunRecord> record = record::read_run(folder());
  if (!record) return judge(record);
  if (!record::write_run(folder(), *record) || !record::read_run(folder())) std::abort();
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (kKind == "run") return read_run(text);
  if (kKind == "result") return read_results(text);
  if (kKind == "table") return read_table(text);
  if (kKind == "stl") return read_mesh("mesh.stl", text);
  if (kKind == "obj") return read_mesh("mesh.obj", text);
  if (kKind == "machine") return judge(record::read_machine_text(std::string(text), "machine.json"));
  if (kKind == "tune") return judge(formats::read_tuning_text(text, "study.yaml"));
  if (kKind == "search") return judge(study::read_tune_checkpoint_text(std::string(text), "checkpoint.bin"));
  if (kKind == "checkpoint") {
    for (const char* head : {"espalier checkpoint 2 mechanism\n", "espalier checkpoint 2 scene\n"}) {
      write("checkpoint.bin", with_sum(head, text));
      judge(record::read_checkpoint(folder() / "checkpoint.bin"));
    }
    return 0;
  }
  if (kKind == "sweep") {
    write("sweep.yaml", text);
    const Result<formats::Sweep> sweep = formats::read_sweep(folder() / "sweep.yaml");
    if (sweep && formats::check_sweep(*sweep)) formats::sample(*sweep, formats::run_count(*sweep) - 1);
    return judge(sweep);
  }
  write("robot.urdf", kRobot);
  write("robot.yaml", text);
  return judge(formats::read_model(folder() / "robot.urdf"));
}
