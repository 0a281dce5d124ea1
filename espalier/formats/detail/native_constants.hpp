#pragma once

// Constants of a native file, and the numbers that are formulas of them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/detail/yaml.hpp"
#include "espalier/model/expression.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

struct NativeContext;

// A number or a law of time that the file gives as a formula of constants.
struct ReadFormula {
  const YamlNode* node = nullptr;
  std::string text;     // in metres and radians
  std::string without;  // the same without constants
  Where where;
};

// What a file calls its numbers, and which of the names it has used so far.
struct Constants {
  std::vector<model::NamedNumber> names;
  std::vector<bool> used;  // one for each name
  std::vector<ReadFormula> formulas;
  bool law_uses_time = false;  // some law of time has a t in it

  // The names that stand in `text` are used from now on; in a law of time `t` is none of them.
  void use(std::string_view text, bool law = false);
  // What a law of time can use: `t` is the time there.
  std::vector<model::NamedNumber> of_laws() const;
  std::vector<std::string> known() const;
};

// A word that formulas take for a name; one that has a meaning of its own in every formula.
bool is_formula_name(const std::string& name);
bool is_taken_name(const std::string& name);

// The section `constants`, in the order of the file; each may use those above it.
void read_constants(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);

// Of a scalar that is no plain number: its value in the unit of the file. Nothing and no failure where it does not
// look like a formula; nothing and a failure where it does and cannot be evaluated.
std::optional<double> read_formula(NativeContext& context, const YamlNode& node, std::string_view what);

// Kept for the writer: a number that is a formula of `value`, times the unit `scale`.
void keep_formula(NativeContext& context, const YamlNode& node, double value, double scale);

// A law of time times `scale`; its text holds numbers in place of constants.
model::Expression read_law(NativeContext& context, const YamlNode& node, std::string_view what, double scale);

// After reading: formulas by their ways through the document, and notes of what nobody uses.
void finish_constants(const NativeContext& context, const YamlNode& root, model::ModelSpec& spec);

// The number that stands at `node` of a document, be it a formula of the document's constants.
std::optional<double> number_in(const YamlNode& root, const YamlNode& node);

// `text` is a written native model: its numbers become the formulas they came from, where they still have their value.
std::string put_formulas(std::string text, const std::vector<model::FormulaSpec>& formulas);

}  // namespace espalier::formats::detail
