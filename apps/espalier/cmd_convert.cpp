#include <filesystem>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/convert.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

Result<study::ConvertAnswer> make_answer(const ConvertCommand& command) {
  const Result<formats::Format> format = formats::choose_format(command.format, command.output);
  ESPALIER_TRY(format);
  const Result<study::LoadedModel> loaded = study::load(command.model, command.load);
  ESPALIER_TRY(loaded);
  const auto pose = command.assembled ? study::WrittenPose::kAssembled : study::WrittenPose::kDrawn;
  study::ConvertOptions options{*format, pose, command.keyframe};
  if (!command.output.empty()) options.folder = fs::absolute(command.output).parent_path();
  Result<study::ConvertAnswer> answer = study::convert(*loaded, options);
  ESPALIER_TRY(answer);
  if (command.output.empty()) return answer;
  const Result<void> written = files::write_text_file(command.output, answer->conversion.written.text);
  ESPALIER_TRY(written);
  answer->written = command.output;
  return answer;
}

}  // namespace

int run_convert(const ConvertCommand& command) {
  const Result<study::ConvertAnswer> answer = make_answer(command);
  if (!answer) return report(answer.error(), command.json);
  if (command.json) return print_result(study::to_json(*answer));
  const std::string summary = study::to_text(*answer, text_options());
  if (!answer->written.empty()) return print_result(summary);
  // The file itself goes to standard output, so what is said of it goes to the other one.
  say(summary);
  return print_file(answer->conversion.written.text);
}

}  // namespace espalier::app
