#include <fmt/format.h>

#include "espalier/draw/chart.hpp"
#include "espalier/draw/detail/plan_words.hpp"

namespace espalier::draw {
namespace {

using detail::shown_text;

constexpr const char* kPageStyle = R"(
:root{color-scheme:light dark}
body{margin:0;padding:20px 24px;font:14px/1.45 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#1d2733;background:#fff}
h1{font-size:20px;margin:0 0 12px}
pre{margin:0 0 20px;padding:12px 14px;overflow:auto;background:#f4f6f9;border-radius:6px;font-size:12.5px}
figure{margin:0 0 24px}
footer{color:#5b6775;font-size:12.5px}
@media (prefers-color-scheme:dark){
body{color:#dfe6ee;background:#12171d}
pre{background:#1b232b}
footer{color:#9fb0c2}
}
)";

}  // namespace

std::string draw_html(const ChartPage& page) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>{0}</title><style>{1}</style></head>\n<body>\n"
      "<h1>{0}</h1>\n",
      shown_text(page.title), kPageStyle);
  // As it was printed: a table of a report keeps its columns.
  if (!page.text.empty()) text += fmt::format("<pre>{}</pre>\n", shown_text(page.text));
  // Each with its own style, so that it can be cut out of the page and still looks the same.
  for (const Chart& chart : page.charts) text += fmt::format("<figure>\n{}</figure>\n", draw_svg(chart));
  if (!page.command.empty())
    text += fmt::format("<footer>made by <code>{}</code></footer>\n", shown_text(page.command));
  return text + "</body>\n</html>\n";
}

}  // namespace espalier::draw
