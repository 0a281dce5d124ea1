#include "apps/espalier/check_report.hpp"
#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/draw/picture.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::app {

int run_check(const CheckOptions& options) {
  const Result<std::string> text = files::read_text_file(options.model);
  if (!text) return report(text.error(), options.json);
  const Result<model::ModelSpec> spec = formats::read_model_text(*text, options.model, options.read);
  if (!spec) return report(spec.error(), options.json);
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return report(model.error(), options.json);
  const Result<CheckReport> found = make_check_report(options.model, *formats::detect_format(*text, options.model), *spec,
                                                      *model, options.keyframe, options.all || options.json);
  if (!found) return report(found.error(), options.json);
  if (!options.picture.empty()) {
    const Result<void> written = files::write_text_file(options.picture, draw::draw_svg(assembled(found->loop, *model)));
    if (!written) return report(written.error(), options.json);
  }
  const int printed = print_result(options.json ? check_json(*found) : check_text(*found, options.all));
  const std::optional<Error> open = open_loop(found->loop);
  return open ? report(*open, false) : printed;
}

}  // namespace espalier::app
