// Tables of native models: CSV files beside them, their columns, units and mistakes.

#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/folder.hpp"

namespace espalier::formats {
namespace {

namespace fs = std::filesystem;
using model::ModelSpec;

constexpr double kDegree = std::numbers::pi / 180;

class NativeTables : public TestFolder {
 protected:
  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  // A pendulum in this folder with these tables; `motion` stands behind the joint in its motion.
  Result<ModelSpec> read(const std::string& tables, const std::string& motion = "position: swing(t)",
                         const std::string& head = "") {
    const std::string text = fmt::format(R"M(espalier: 1
{}
bodies: [{{name: bob, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: pin, type: revolute, between: [ground, bob], at: {{axis: [0, 1, 0]}}}}]
tables:
  {}
forces: [{{motion: {{joint: pin, {}}}}}]
)M",
                                         head, tables, motion);
    write("model.yaml", text);
    return read_model(folder_ / "model.yaml");
  }

  ModelSpec good(const std::string& tables, const std::string& motion = "position: swing(t)",
                 const std::string& head = "") {
    const Result<ModelSpec> spec = read(tables, motion, head);
    EXPECT_TRUE(spec) << to_string(spec.error());
    return spec.value_or(ModelSpec());
  }

  // The message, with the folder of the test taken off.
  std::string error_of(const std::string& tables, const std::string& motion = "position: swing(t)") {
    const Result<ModelSpec> spec = read(tables, motion);
    const Result<model::Model> model = spec ? model::compile(*spec) : tl::unexpected(spec.error());
    std::string text = model ? "read" : to_string(model.error());
    for (std::size_t at; (at = text.find(folder_.string() + "/")) != std::string::npos;)
      text.erase(at, folder_.string().size() + 1);
    return text;
  }

  static double motion_at(const ModelSpec& spec, double t) {
    return model::evaluate(std::get<model::MotionSpec>(spec.forces.at(0).law).value, t);
  }
};

TEST_F(NativeTables, AMotionFollowsItsRows) {
  write("drive.csv", "time,angle\n0,0\n1,0.5\n2,0.5\n");
  const ModelSpec spec = good("swing: {file: drive.csv}");
  EXPECT_EQ(motion_at(spec, -1), 0);
  EXPECT_EQ(motion_at(spec, 1), 0.5);
  EXPECT_EQ(motion_at(spec, 7), 0.5);
  EXPECT_TRUE(spec.notes.empty()) << spec.notes[0].message;
}

TEST_F(NativeTables, ColumnsAreFoundByTheirNames) {
  write("drives/arm.csv", "t;speed;angle [deg]\n0;9;0\n500;9;90\n1000;9;0\n");
  for (const std::string value : {"angle", "\"angle [deg]\""}) {
    const ModelSpec spec = good(fmt::format(
        "swing: {{file: drives/arm.csv, value: {}, argument: t, argument_unit: ms, between: cubic}}", value));
    EXPECT_NEAR(motion_at(spec, 0.5), std::numbers::pi / 2, 1e-15);
    EXPECT_EQ(spec.tables[0].value, "angle [deg]");
  }
  EXPECT_EQ(motion_at(good("swing: {file: drives/arm.csv, value: speed}"), 500), 9);
}

// A table gives numbers in the units of its file, whatever its column counts in.
TEST_F(NativeTables, UnitsAreThoseOfTheModel) {
  write("drive.csv", "t,angle\n0,0\n1,90\n2,0\n");
  const std::string degrees = "units: {angle: deg}";
  EXPECT_NEAR(motion_at(good("swing: {file: drive.csv, value_unit: deg}"), 1), 90 * kDegree, 1e-15);
  EXPECT_NEAR(motion_at(good("swing: {file: drive.csv}", "position: swing(t)", degrees), 1), 90 * kDegree, 1e-15);
  EXPECT_NEAR(motion_at(good("swing: {file: drive.csv, value_unit: rad}", "position: swing(t)", degrees), 1), 90,
              1e-12);
  EXPECT_NEAR(motion_at(good("swing: {file: drive.csv, value_unit: 0.5}"), 1), 45, 1e-15);
  EXPECT_NEAR(motion_at(good("swing: {file: drive.csv, argument_unit: min}"), 60), 90, 1e-13);
}

TEST_F(NativeTables, StandInFormulasOfLoads) {
  write("curve.csv", "speed,torque\n0,10\n5,8\n10,0\n");
  write("motor.yaml", R"M(espalier: 1
units: {angle: deg}
constants: {gain: 2}
bodies: [{name: bob, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: pin, type: revolute, between: [ground, bob], at: {axis: [0, 1, 0]}}]
tables: {motor: {file: curve.csv, between: linear, argument_unit: rad/s}}
forces: [{name: drive, torque: {joint: pin, value: "gain*motor(v(pin)) - 3*q(pin)"}}]
)M");
  const Result<ModelSpec> curve = read_model(folder_ / "motor.yaml");
  ASSERT_TRUE(curve) << to_string(curve.error());
  const auto& load = std::get<model::LoadSpec>(curve->forces[0].law);
  std::vector<double> inputs;
  for (const auto& input : load.value[0].inputs) inputs.push_back(input.is_rate ? 2.5 : 0.1);
  EXPECT_NEAR(model::evaluate(load.value[0], 0, inputs), 2 * 9 - 3 * 0.1 / kDegree, 1e-12);
}

TEST_F(NativeTables, AreNotedWhereNoFormulaUsesThem) {
  write("drive.csv", "t,angle\n0,0\n1,0.5\n2,0\n");
  const ModelSpec spec = good("idle: {file: drive.csv}\n  swing: {file: drive.csv}");
  ASSERT_EQ(spec.notes.size(), 1u);
  EXPECT_EQ(spec.notes[0].message, "table 'idle' is used by no formula");
}

// Written and read: the same numbers to the last bit, in units of SI, from any folder.
TEST_F(NativeTables, AreWrittenWithTheirFile) {
  write("data/drive.csv", "t [ms],angle [deg],rest\n0,0,1\n700,33,1\n1000,10,1\n");
  const ModelSpec spec = good("swing: {file: data/drive.csv, value: angle, outside: straight}",
                              "position: 2*swing(t/0.001)/90", "units: {angle: deg, length: mm}");
  for (const fs::path& place : {folder_ / "other.yaml", folder_ / "deep/er/other.yaml"}) {
    const Result<Conversion> conversion = convert(spec, Format::kNative, {.folder = place.parent_path()});
    ASSERT_TRUE(conversion) << to_string(conversion.error());
    EXPECT_TRUE(conversion->changes.empty()) << conversion->changes[0].element << conversion->changes[0].field;
    write(place.lexically_relative(folder_), conversion->written.text);
    const Result<ModelSpec> again = read_model(place);
    ASSERT_TRUE(again) << to_string(again.error()) << conversion->written.text;
    EXPECT_EQ(*again->tables[0].rows, *spec.tables[0].rows) << conversion->written.text;
    EXPECT_EQ(motion_at(*again, 0.31), motion_at(spec, 0.31));
  }
  EXPECT_NE(write_model(spec, Format::kNative, {.folder = folder_ / "deep"})->text.find("file: \"../data/drive.csv\""),
            std::string::npos);
}

TEST_F(NativeTables, AreLostInOtherFormats) {
  write("drive.csv", "t,angle\n0,0\n1,0.5\n2,0\n");
  const Result<Conversion> conversion = convert(good("swing: {file: drive.csv}"), Format::kUrdf);
  ASSERT_TRUE(conversion);
  bool told = false;
  for (const model::Difference& change : conversion->changes)
    told = told || (change.element == "table" && change.name == "swing");
  EXPECT_TRUE(told);
}

// One reading serves all variants: a file that changes under way changes no run of a sweep.
TEST_F(NativeTables, VariantsShareThem) {
  write("drive.csv", "t,angle\n0,0\n1,0.5\n2,0\n");
  good("swing: {file: drive.csv}", "position: k*swing(t)", "constants: {k: 1}");
  const Result<ModelVariants> variants = ModelVariants::read(folder_ / "model.yaml");
  ASSERT_TRUE(variants);
  fs::remove(folder_ / "drive.csv");
  const FieldValue twice[] = {{"constants.k", 2}};
  const Result<ModelSpec> spec = variants->with(twice);
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(motion_at(*spec, 1), 1);
}

TEST_F(NativeTables, WhatChangesBeforeItBeginsIsNoted) {
  write("drive.csv", "t,angle\n0,1\n1,2\n2,3\n");
  ASSERT_EQ(good("swing: {file: drive.csv}").notes.size(), 1u);
  EXPECT_NE(good("swing: {file: drive.csv}").notes[0].message.find("write `outside: straight`"), std::string::npos);
  EXPECT_TRUE(good("swing: {file: drive.csv, outside: straight}").notes.empty());
  write("drive.csv", "t,angle\n0,0\n1,1\n2,4\n3,9\n");
  EXPECT_TRUE(good("swing: {file: drive.csv}").notes.empty()) << "at rest where it begins";
}

TEST_F(NativeTables, SayWhatIsWrongWithTheirFile) {
  write("drive.csv", "t,angle\n0,0\n1,0.5\n2,0\n");
  write("late.csv", "t,angle\n0,0\n2,0.5\n1,0\n");
  write("twice.csv", "t,angle\n0,0\n1,0.5\n1,0\n");
  write("nan.csv", "t,angle\n0,0\n1,nan\n");
  write("unit.csv", "t,angle [furlong]\n0,0\n1,1\n");
  write("three.csv", "t,x,y\n0,0,1\n1,1,1\n");
  write("one.csv", "t,y\n0,0\n");
  write("open.csv", "t,y\n0,0\n1,1\n");
  const std::pair<std::string, std::string> cases[] = {
      {"file: gone.csv",
       "model.yaml:6: table 'swing': cannot read 'gone.csv': no such file; check the path (sought in "
       "the folder of the model)"},
      {"file: .", "model.yaml:6: table 'swing': cannot read '.': it is not a file"},
      {"file: late.csv", "late.csv:4: column 't': 1 follows 2; sort the rows"},
      {"file: twice.csv", "twice.csv:4: column 't': 1 follows 1; sort the rows, and keep one of those that are equal"},
      {"file: nan.csv", "nan.csv:3: column 'angle': 'nan' is no finite number"},
      {"file: unit.csv", "unit.csv:1: column 'angle' is in 'furlong', a unit that is not known"},
      {"file: three.csv",
       "model.yaml:6: table 'swing': 3 columns; say by `value: ...` which of them is meant, t, x, y"},
      {"file: drive.csv, value: angel",
       "drive.csv:1: no column is called 'angel', which table 'swing' of the model asks "
       "for; did you mean 'angle'?"},
      {"file: drive.csv, value: force",
       "drive.csv:1: no column is called 'force', which table 'swing' of the model asks "
       "for; there are t, angle"},
      {"file: one.csv", "one.csv:2: a table needs two rows at least"},
      {"file: open.csv, outside: repeat", "open.csv:2: a table that repeats must end with the value it begins with"},
      {"file: drive.csv, between: smooth",
       "model.yaml:6: table 'swing': `between` is 'smooth'; there are linear, cubic"},
      {"file: drive.csv, value_unit: grad", "model.yaml:6: table 'swing': `value_unit`: unknown unit 'grad'; I know s"},
      {"file: drive.csv, colour: red", "model.yaml:6: table 'swing' has no field 'colour'"},
      {"value: angle", "model.yaml:6: table 'swing' needs `file`"},
      {"file: drive.csv, between: linear", "model.yaml:7: a prescribed position must have no corners"},
  };
  for (const auto& [fields, message] : cases) {
    EXPECT_EQ(error_of("swing: {" + fields + "}").substr(0, message.size()), message);
  }
  EXPECT_EQ(error_of("swing: {file: drive.csv, between: linear}", "velocity: swing(t)"), "read");
}

TEST_F(NativeTables, HaveNamesOfTheirOwn) {
  write("drive.csv", "t,angle\n0,0\n1,0.5\n2,0\n");
  for (const std::string name : {"sin", "t", "q", "2nd", "pi"}) {
    EXPECT_NE(error_of(name + ": {file: drive.csv}").find("a table cannot be called '" + name + "'"),
              std::string::npos);
  }
  const Result<ModelSpec> twice = read("k: {file: drive.csv}", "position: t", "constants: {k: 1}");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("a table cannot be called 'k', as a constant is"), std::string::npos);
  const std::string wrong = error_of("swing: {file: drive.csv}", "position: swng(t)");
  EXPECT_NE(wrong.find("'swng' in 'swng(t)' is no constant and no table; did you mean 'swing'?"), std::string::npos)
      << wrong;
}

}  // namespace
}  // namespace espalier::formats
