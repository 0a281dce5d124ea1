#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"

namespace espalier::app {
namespace {

// Shows a command, then runs it as the command line would.
template <class Options>
int show(const std::string& command, const Options& options, int (*run)(const Options&)) {
  print(fmt::format("\n$ espalier {}\n", command));
  return run(options);
}

int show_generate(const std::string& kind, const std::vector<int>& sizes, const std::string& file) {
  GenerateOptions options;
  options.kind = kind;
  options.sizes = sizes;
  options.output = file;
  const std::string size = sizes.empty() ? "" : fmt::format(" {}", fmt::join(sizes, " "));
  return show(fmt::format("generate {}{} -o {}", kind, size, file), options, run_generate);
}

int show_check(const std::string& file) {
  CheckOptions options;
  options.model = file;
  return show(fmt::format("check {}", file), options, run_check);
}

int show_convert(const std::string& file, const std::string& output) {
  ConvertOptions options;
  options.model = file;
  options.output = output;
  return show(fmt::format("convert {} -o {}", file, output), options, run_convert);
}

}  // namespace

int run_demo(const DemoOptions& options) {
  const auto in_folder = [&](const char* name) { return (std::filesystem::path(options.folder) / name).string(); };
  int worst = kDone;
  const auto step = [&](int code) { worst = std::max(worst, code); };
  print("A first run. Each line that starts with $ is a command you can type yourself.\n");

  print("\n1. Mechanisms with closed loops, and what they are made of\n");
  for (const char* name : {"governor", "stewart"}) {
    const std::string file = in_folder(name) + ".yaml";
    step(show_generate(name, {}, file));
    step(show_check(file));
  }

  print("\n2. Models by rule, as large as you like\n");
  step(show_generate("strandbeest", {6}, in_folder("strandbeest.yaml")));
  step(show_check(in_folder("strandbeest.yaml")));

  print("\n3. The same mechanism for other programs: loops are kept, and what is lost is said\n");
  for (const char* name : {"stewart.urdf", "stewart.sdf", "stewart.xml"})
    step(show_convert(in_folder("stewart.yaml"), in_folder(name)));

  print(fmt::format("\nThe files are in {}. Next: espalier check YOUR_ROBOT.urdf\n", options.folder));
  return worst;
}

}  // namespace espalier::app
