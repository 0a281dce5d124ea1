#include <filesystem>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/pages.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

Result<void> write_picture(const std::string& file, const model::Model& model) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".svg") return files::write_text_file(file, draw::draw_svg(model));
  return make_option_error("picture", fmt::format("`picture` {} is no SVG file", in_quotes(file)),
                           "name it .svg, or save a PNG file from the page that `espalier view` writes");
}

}  // namespace

int run_check(const CheckCommand& command) {
  const Result<study::LoadedModel> loaded = study::load(command.model, command.load);
  if (!loaded) return report(loaded.error(), command.json);
  study::CheckOptions options;
  options.keyframe = command.keyframe;
  if (!command.all && !command.json) options.max_loops = study::kFewItems;
  const Result<study::CheckAnswer> answer = study::check(*loaded, options);
  if (!answer) return report(answer.error(), command.json);
  if (!command.picture.empty()) {
    const Result<void> written = write_picture(command.picture, study::assembled(answer->closing, loaded->model));
    if (!written) return report(written.error(), command.json);
  }
  std::string text = study::to_text(*answer, text_options(command.all));
  if (!command.page.empty()) {
    study::ViewOptions view{command.load, {}, command.keyframe, command.line, text};
    const Result<void> written = write_page(command.page, study::view(command.model, view));
    if (!written) return report(written.error(), command.json);
    text += fmt::format("\nWrote {}\n", command.page);
  }
  if (!command.picture.empty()) text += fmt::format("\nWrote {}\n", command.picture);
  const int printed = print_result(command.json ? study::to_json(*answer) : text);
  const std::optional<Error> open = study::closing_error(answer->closing);
  return open ? report(*open, false) : printed;
}

}  // namespace espalier::app
