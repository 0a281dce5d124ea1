// Any bytes in: a model or an error comes out, and whatever can be read can also be checked, counted and written in
// every format. `make fuzz` runs one program a format.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "espalier/io/convert.hpp"
#include "espalier/io/io.hpp"
#include "espalier/model/lint.hpp"
#include "espalier/plan/mechanism.hpp"

using namespace espalier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<io::Format> format = io::detect_format(text, "fuzz");
  if (!format || *format != *io::find_format(FUZZ_FORMAT)) return -1;
  // Files that the text refers to are sought in a folder that does not exist.
  const Result<model::ModelSpec> spec = io::read_model_text(text, "/nonexistent/fuzz");
  if (!spec) return 0;
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return 0;
  model::lint(*model);
  plan::count(*model, plan::make_mechanism(*model));
  for (const io::Format other : {io::Format::kNative, io::Format::kUrdf, io::Format::kSdf, io::Format::kMjcf}) {
    const Result<io::Conversion> conversion = io::convert(*spec, other);
    // The native format can say everything that compiles.
    if (!conversion && other == io::Format::kNative) std::abort();
  }
  return 0;
}
