#include "check_report.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace espalier::app {

int run_check(const CheckOptions& options) {
  const Result<std::string> text = io::read_text_file(options.model);
  if (!text) return report(text.error(), options.json);
  const Result<model::ModelSpec> spec = io::read_model_text(*text, options.model, options.read);
  if (!spec) return report(spec.error(), options.json);
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return report(model.error(), options.json);
  const CheckReport found = make_check_report(options.model, *io::detect_format(*text, options.model), *spec, *model);
  const bool printed = print(options.json ? check_json(found) : check_text(found, options.all));
  return printed ? kDone : kBadInput;
}

}  // namespace espalier::app
