#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/view.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

Result<std::string> write_pictures(const ViewCommand& command) {
  const Result<study::ViewTimes> times = study::parse_view_times(command.at);
  ESPALIER_TRY(times);
  if (!command.moving.empty()) {
    const Result<std::string> picture = study::view_moving_picture(command.what, *times, command.options);
    ESPALIER_TRY(picture);
    ESPALIER_TRY(files::write_text_file(command.moving, *picture));
    return fmt::format("Wrote {}\n", command.moving);
  }
  const Result<study::ViewPictures> pictures = study::view_pictures(command.what, *times, command.options);
  ESPALIER_TRY(pictures);
  std::error_code ignored;
  fs::create_directories(command.frames, ignored);
  for (std::size_t k = 0; k < pictures->pictures.size(); ++k) {
    ESPALIER_TRY(
        files::write_text_file(fs::path(command.frames) / fmt::format("frame_{:05}.svg", k), pictures->pictures[k]));
  }
  return fmt::format("Wrote {}/: {}\n", command.frames, counted(pictures->pictures.size(), "picture"));
}

Result<std::string> write_page(const ViewCommand& command) {
  Result<study::ViewAnswer> answer = study::view(command.what, command.options);
  ESPALIER_TRY(answer);
  // A folder may be typed with a slash behind it.
  const fs::path what = fs::path(command.what).lexically_normal();
  const fs::path name = what.has_filename() ? what : what.parent_path();
  answer->written = command.output.empty() ? name.filename().replace_extension(".html").string() : command.output;
  ESPALIER_TRY(files::write_text_file(answer->written, answer->html));
  std::string text = study::to_text(*answer, text_options());
  const std::string call = fmt::format("xdg-open {} > /dev/null 2>&1", shell_word(answer->written));
  if (command.open && std::system(call.c_str()) != 0)
    text += "No browser could be opened (xdg-open): open it yourself\n";
  return text;
}

}  // namespace

int run_view(const ViewCommand& command) {
  const bool pictures = !command.frames.empty() || !command.moving.empty();
  const Result<std::string> text = pictures ? write_pictures(command) : write_page(command);
  return text ? print_result(*text) : report(text.error(), false);
}

}  // namespace espalier::app
