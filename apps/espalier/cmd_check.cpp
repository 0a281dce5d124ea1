#include "apps/espalier/check_report.hpp"
#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/io/picture.hpp"

namespace espalier::app {

int run_check(const CheckOptions& options) {
  const Result<std::string> text = io::read_text_file(options.model);
  if (!text) return report(text.error(), options.json);
  const Result<model::ModelSpec> spec = io::read_model_text(*text, options.model, options.read);
  if (!spec) return report(spec.error(), options.json);
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return report(model.error(), options.json);
  if (!options.picture.empty()) {
    const Result<void> written = io::write_text_file(options.picture, io::draw_svg(*model));
    if (!written) return report(written.error(), options.json);
  }
  const CheckReport found = make_check_report(options.model, *io::detect_format(*text, options.model), *spec, *model,
                                              options.all || options.json);
  return print_result(options.json ? check_json(found) : check_text(found, options.all));
}

}  // namespace espalier::app
