#include "espalier/draw/chart.hpp"
#include "espalier/draw/view_page.hpp"

namespace espalier::draw {

std::string draw_html(const ChartPage& page) {
  ViewPage view;
  view.title = page.title;
  view.report = page.text;
  view.charts = page.charts;
  view.command = page.command;
  return draw_view_page(view).html;
}

}  // namespace espalier::draw
