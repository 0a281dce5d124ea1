// Any bytes in: a model or an error comes out, and whatever can be read can also be checked, counted and written in
// every format. `make fuzz` runs one program a format.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "espalier/formats/formats.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/network.hpp"

using namespace espalier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<formats::Format> format = formats::detect_format(text, "fuzz");
  if (!format || *format != *formats::find_format(FUZZ_FORMAT)) return -1;
  // Files that the text refers to are sought in a folder that does not exist.
  const Result<model::ModelSpec> spec = formats::read_model_text(text, "/nonexistent/fuzz");
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
