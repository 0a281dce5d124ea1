#include "apps/espalier/modes_matrix.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/overall.hpp"

namespace espalier::app {
namespace {

using nlohmann::ordered_json;
using Complex = std::complex<double>;
using Kind = modes::OverallUnknown::Kind;

const char* word(Kind kind) {
  switch (kind) {
    case Kind::kRoot:
      return "root";
    case Kind::kTip:
      return "tip";
    case Kind::kCut:
      return "cut";
    case Kind::kRelease:
      return "release";
    case Kind::kRestraint:
      break;
  }
  return "restraint";
}

struct Shown {
  const modes::Structure& structure;
  const modes::OverallEquation& equation;

  std::string place(const modes::OverallUnknown& unknown) const {
    if (unknown.element >= 0) return structure.elements[static_cast<std::size_t>(unknown.element)].name;
    return structure.vertices[static_cast<std::size_t>(unknown.vertex)].name;
  }
  std::string what(const modes::OverallUnknown& unknown) const;
};

std::string Shown::what(const modes::OverallUnknown& unknown) const {
  const auto direction = [&] { return model::kDirectionWords[static_cast<std::size_t>(unknown.direction)]; };
  switch (unknown.kind) {
    case Kind::kRoot:
    case Kind::kTip:
      return unknown.fixed ? "forces of a support" : "displacements of a free end";
    case Kind::kCut:
      return "displacements and forces where a loop is opened";
    case Kind::kRelease:
      return fmt::format("jump in {}, which passes no force", direction());
    case Kind::kRestraint:
      break;
  }
  return fmt::format("force in {}, which may not move", direction());
}

// log10 |det|: the number itself leaves the range of double.
double digits(const modes::Scaled<Complex>& value) {
  return std::log10(std::abs(value.mantissa)) + static_cast<double>(value.exponent) * std::log10(2.0);
}

std::string matrix_text(const Shown& shown, const std::vector<double>& at) {
  const modes::OverallEquation& equation = shown.equation;
  std::string states;
  for (const int k : equation.displacements) {
    states += fmt::format("{}{}", states.empty() ? "" : " ", model::kDirectionWords[static_cast<std::size_t>(k)]);
  }
  const auto number = [](int n, const char* one, const char* many) {
    return counted(static_cast<std::size_t>(n), one, many);
  };
  std::string text =
      wrapped("order   ",
              fmt::format("{}: {} with displacements {}, {} opened, {}, {}", equation.order,
                          number(equation.boundaries, "boundary", "boundaries"), states,
                          number(equation.loops, "loop", "loops"), number(equation.releases, "release", "releases"),
                          number(equation.restraints, "restraint", "restraints")),
              terminal_width());
  std::vector<std::vector<std::string>> rows;
  for (const modes::OverallUnknown& unknown : equation.unknowns) {
    rows.push_back({fmt::format("{}-{}", unknown.first + 1, unknown.first + unknown.count), word(unknown.kind),
                    shown.place(unknown), shown.what(unknown)});
  }
  text += "\n" + table({"columns", "unknown", "at", "what"}, rows);
  if (at.empty()) return text;
  const modes::Scaled<Complex> value = modes::determinant(modes::overall_matrix(equation, {at[0], at[1]}));
  const double angle = std::arg(value.mantissa);
  return text + "\n" +
         wrapped("det     ",
                 fmt::format("log10 |det| = {:.6f}, angle {:.6f} rad at s = {} {:+}i 1/s; --json prints the matrix",
                             digits(value), angle, at[0], at[1]),
                 terminal_width());
}

std::string matrix_json(const Shown& shown, const std::vector<double>& at) {
  const modes::OverallEquation& equation = shown.equation;
  ordered_json unknowns = ordered_json::array();
  for (const modes::OverallUnknown& unknown : equation.unknowns) {
    unknowns.push_back({{"kind", word(unknown.kind)},
                        {"at", shown.place(unknown)},
                        {"what", shown.what(unknown)},
                        {"first", unknown.first},
                        {"count", unknown.count}});
  }
  ordered_json directions = ordered_json::array();
  for (const int k : equation.displacements) directions.push_back(model::kDirectionWords[static_cast<std::size_t>(k)]);
  ordered_json json = {
      {"order", equation.order},       {"boundaries", equation.boundaries}, {"loops", equation.loops},
      {"releases", equation.releases}, {"restraints", equation.restraints}, {"displacements", directions},
      {"unknowns", unknowns}};
  if (!at.empty()) {
    const Eigen::MatrixXcd matrix = modes::overall_matrix(equation, {at[0], at[1]});
    const modes::Scaled<Complex> value = modes::determinant(matrix);
    ordered_json rows = ordered_json::array();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      ordered_json row = ordered_json::array();
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back({matrix(i, j).real(), matrix(i, j).imag()});
      rows.push_back(std::move(row));
    }
    json["s"] = {at[0], at[1]};
    json["determinant"] = {{"mantissa", {value.mantissa.real(), value.mantissa.imag()}}, {"exponent", value.exponent}};
    json["matrix"] = std::move(rows);
  }
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<std::string> show_matrix(const ModesCommand& command, const modes::Structure& structure,
                                const modes::Tree& tree) {
  const Result<modes::OverallEquation> equation = modes::make_overall(structure, tree);
  ESPALIER_TRY(equation);
  const Shown shown{structure, *equation};
  return command.json ? matrix_json(shown, command.at) : matrix_text(shown, command.at);
}

}  // namespace espalier::app
