#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/view.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

Result<study::ViewFiles> write_moving(const ViewCommand& command, const study::ViewTimes& times) {
  const Result<study::ViewPictures> picture = study::view_moving_picture(command.what, times, command.options);
  ESPALIER_TRY(picture);
  ESPALIER_TRY(files::write_text_file(command.moving, picture->pictures[0]));
  return study::ViewFiles{picture->title, command.moving, {}, picture->times.size(), picture->pictures[0].size()};
}

Result<study::ViewFiles> write_pictures(const ViewCommand& command) {
  if (!command.paraview.empty()) return study::write_paraview(command.what, command.paraview, command.options);
  const Result<study::ViewTimes> times = study::parse_view_times(command.at);
  ESPALIER_TRY(times);
  if (!command.moving.empty()) return write_moving(command, *times);
  const Result<study::ViewPictures> pictures = study::view_pictures(command.what, *times, command.options);
  ESPALIER_TRY(pictures);
  study::ViewFiles written{pictures->title, (fs::path(command.frames) / "").string(), {}, 0, 0};
  for (const std::string& picture : pictures->pictures) {
    const fs::path file = fs::path(command.frames) / fmt::format("frame_{:05}.svg", written.frames++);
    ESPALIER_TRY(files::write_text_file(file, picture));
    written.bytes += picture.size();
  }
  return written;
}

Result<study::ViewAnswer> write_page(const ViewCommand& command) {
  Result<study::ViewAnswer> answer = study::view(command.what, command.options);
  ESPALIER_TRY(answer);
  // A folder may be typed with a slash behind it.
  const fs::path what = fs::path(command.what).lexically_normal();
  const fs::path name = what.has_filename() ? what : what.parent_path();
  answer->written = command.output.empty() ? name.filename().replace_extension(".html").string() : command.output;
  ESPALIER_TRY(files::write_text_file(answer->written, answer->html));
  return answer;
}

}  // namespace

Result<void> write_page(const std::string& file, const Result<study::ViewAnswer>& page) {
  ESPALIER_TRY(page);
  return files::write_text_file(file, page->html);
}

std::string page_of(const std::string& page, std::string& picture, const char* option) {
  if (!picture.ends_with(".html") && !picture.ends_with(".htm")) return page;
  say_problem(
      fmt::format("pages are written by --page now: --page {}; {} is for SVG files", shell_word(picture), option));
  return page.empty() ? std::exchange(picture, "") : page;
}

int run_view(const ViewCommand& command) {
  if (!command.frames.empty() || !command.moving.empty() || !command.paraview.empty()) {
    const Result<study::ViewFiles> files = write_pictures(command);
    if (!files) return report(files.error(), command.json);
    return print_result(command.json ? study::to_json(*files) : study::to_text(*files));
  }
  const Result<study::ViewAnswer> answer = write_page(command);
  if (!answer) return report(answer.error(), command.json);
  const std::string call = fmt::format("xdg-open {} > /dev/null 2>&1", shell_word(answer->written));
  const bool unopened = command.open && std::system(call.c_str()) != 0;
  if (command.json) return print_result(study::to_json(*answer));
  return print_result(study::to_text(*answer, text_options()) +
                      (unopened ? "No browser could be opened (xdg-open): open it yourself\n" : ""));
}

}  // namespace espalier::app
