// Any bytes in: a model or an error comes out, and whatever can be read can also be checked, counted and written in
// every format. `make fuzz` runs one program a format.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "espalier/formats/formats.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/network.hpp"

using namespace espalier;

namespace {

// A folder with the one table that models of the corpus name; nothing else of what a text refers to is there.
const std::string& name_of_model() {
  static const std::string name = [] {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("espalier-fuzz-reader-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "drive.csv") << "time [ms],angle [deg],force\n0,0,0\n250,20,1\n500,0,3\n1000,0,0\n";
    return (folder / "fuzz").string();
  }();
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<formats::Format> format = formats::detect_format(text, "fuzz");
  if (!format || *format != *formats::find_format(FUZZ_SUBJECT)) return -1;
  const Result<model::ModelSpec> spec = formats::read_model_text(text, name_of_model());
  if (!spec) return 0;
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return 0;
  model::lint(*model);
  plan::count(*model, plan::make_mechanism(*model));
  for (const formats::Format other : {formats::Format::kNative, formats::Format::kUrdf, formats::Format::kSdf,
                                      formats::Format::kMjcf, formats::Format::kUsd}) {
    const Result<formats::Conversion> conversion = formats::convert(*spec, other);
    // The native format can say everything that compiles.
    if (!conversion && other == formats::Format::kNative) std::abort();
  }
  return 0;
}
