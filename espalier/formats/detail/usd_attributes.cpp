// Typed attributes of a prim, and what is said of a file.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/usd_stage.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Effect;

void UsdStage::fail(ErrorCode code, int line, std::string message) {
  // The first error counts; what is read behind it may be wrong for that alone.
  if (!error_) error_ = Error{code, std::move(message), where(line)};
}

void UsdStage::note(int line, const std::string& message, const std::string& word, Effect effect) {
  notes_.push_back(model::make_note(message, where(line), {word, effect}));
}

void UsdStage::note_once(int line, const std::string& message, const std::string& word, Effect effect) {
  Repeated& repeated = repeated_[message];
  if (repeated.count++ == 0) repeated.line = line;
  repeated.word = word;
  // The weightiest: one tendon that pulls is enough.
  repeated.effect = std::max(repeated.effect, effect);
}

std::vector<model::Note> UsdStage::notes() const {
  std::vector<model::Note> all = notes_;
  for (const auto& [message, said] : repeated_) {
    all.push_back(model::make_note(said.count == 1 ? message : fmt::format("{} ({} times)", message, said.count),
                                   where(said.line), {said.word, said.effect}));
  }
  // By lines, since they were found kind by kind.
  std::stable_sort(all.begin(), all.end(),
                   [](const model::Note& a, const model::Note& b) { return a.where.line < b.where.line; });
  return all;
}

const UsdProperty* UsdStage::find_property(const UsdPrim& prim, std::string_view name) {
  const auto found = prim.properties.find(name);
  if (found == prim.properties.end()) return nullptr;
  const UsdProperty& property = found->second;
  // The value beside the samples is taken, if there is one.
  if (property.sampled) {
    note_once(property.line, fmt::format("{} over time: not read", name), "timeSamples", Effect::kForces);
  }
  // A value that is blocked is as good as none.
  return property.given && !property.value.blocked ? &property : nullptr;
}

int UsdStage::line_of(const UsdPrim& prim, std::string_view name) const {
  const auto found = prim.properties.find(name);
  return found == prim.properties.end() ? prim.line : found->second.line;
}

std::vector<double> UsdStage::numbers_of(const UsdPrim& prim, std::string_view name, std::size_t count) {
  const UsdProperty* property = find_property(prim, name);
  if (property == nullptr) return {};
  const std::vector<double>& numbers = property->value.numbers;
  // A list of the right length with a word in it is no vector either.
  if (numbers.size() != count || !property->value.texts.empty()) {
    fail(ErrorCode::kType, property->line,
         fmt::format(
             "{} of {} must be {}, not {}", name, in_quotes(prim.name), counted(count, "number"),
             property->value.texts.empty() ? counted(numbers.size(), "number") : in_quotes(property->value.texts[0])));
    return {};
  }
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); })) {
    fail(ErrorCode::kValue, property->line, fmt::format("{} of {} is not a number", name, in_quotes(prim.name)));
    return {};
  }
  return numbers;
}

std::optional<double> UsdStage::number(const UsdPrim& prim, std::string_view name) {
  const std::vector<double> numbers = numbers_of(prim, name, 1);
  return numbers.empty() ? std::nullopt : std::optional(numbers[0]);
}

double UsdStage::finite(const UsdPrim& prim, std::string_view name, double otherwise) {
  const double value = number(prim, name).value_or(otherwise);
  if (std::isfinite(value)) return value;
  fail(ErrorCode::kValue, line_of(prim, name),
       fmt::format("{} of {} must be a finite number", name, in_quotes(prim.name)));
  return otherwise;
}

std::optional<Vector3d> UsdStage::vector(const UsdPrim& prim, std::string_view name) {
  const std::vector<double> numbers = numbers_of(prim, name, 3);
  return numbers.empty() ? std::nullopt : std::optional(Vector3d(numbers[0], numbers[1], numbers[2]));
}

Quaterniond UsdStage::rotation(const UsdPrim& prim, std::string_view name) {
  const std::vector<double> numbers = numbers_of(prim, name, 4);
  if (numbers.empty()) return Quaterniond::Identity();
  const Quaterniond q(numbers[0], numbers[1], numbers[2], numbers[3]);
  const double norm = q.coeffs().stableNorm();
  // What some writers leave for nobody's rotation: it can mean nothing else.
  if (norm == 0) return Quaterniond::Identity();
  if (!std::isfinite(norm)) {
    fail(ErrorCode::kValue, line_of(prim, name),
         fmt::format("{} of {} must hold finite numbers", name, in_quotes(prim.name)));
    return Quaterniond::Identity();
  }
  return math::normalised(q);
}

bool UsdStage::flag(const UsdPrim& prim, std::string_view name, bool otherwise) {
  const UsdProperty* property = find_property(prim, name);
  if (property == nullptr) return otherwise;
  const UsdValue& value = property->value;
  // The grammar writes a truth value as 0 or 1 too.
  if (value.numbers.size() == 1 && value.texts.empty()) return value.numbers[0] != 0;
  if (value.texts.size() == 1 && value.numbers.empty()) {
    if (value.texts[0] == "true") return true;
    if (value.texts[0] == "false") return false;
  }
  fail(ErrorCode::kType, property->line, fmt::format("{} of {} must be true or false", name, in_quotes(prim.name)));
  return otherwise;
}

std::string UsdStage::token(const UsdPrim& prim, std::string_view name, std::string_view otherwise) {
  const UsdProperty* property = find_property(prim, name);
  if (property == nullptr) return std::string(otherwise);
  if (property->value.texts.size() == 1 && property->value.numbers.empty()) return property->value.texts[0];
  fail(ErrorCode::kType, property->line,
       fmt::format("{} of {} must be one word in quotes", name, in_quotes(prim.name)));
  return std::string(otherwise);
}

std::vector<std::string> UsdStage::targets(const UsdPrim& prim, std::string_view name) {
  const UsdProperty* property = find_property(prim, name);
  return property == nullptr ? std::vector<std::string>() : property->value.texts;
}

std::vector<double> UsdStage::list(const UsdPrim& prim, std::string_view name) {
  const UsdProperty* property = find_property(prim, name);
  if (property == nullptr) return {};
  const std::vector<double>& numbers = property->value.numbers;
  if (property->value.texts.empty() &&
      std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) {
    return numbers;
  }
  fail(ErrorCode::kType, property->line,
       fmt::format("{} of {} must be a list of finite numbers", name, in_quotes(prim.name)));
  return {};
}

int UsdStage::axis(const UsdPrim& prim, std::string_view name, char otherwise) {
  const std::string word = token(prim, name, std::string(1, otherwise));
  if (word == "X" || word == "Y" || word == "Z") return word[0] - 'X';
  fail(ErrorCode::kValue, line_of(prim, name),
       fmt::format("{} of {} is {}; it can be \"X\", \"Y\" or \"Z\"", name, in_quotes(prim.name), in_quotes(word)));
  return 0;
}

bool usd_applied(const UsdPrim& prim, std::string_view api) {
  return std::find(prim.apis.begin(), prim.apis.end(), api) != prim.apis.end();
}

std::string usd_named(const char* what, const UsdPrim& prim) {
  return fmt::format("{} {}", what, in_quotes(prim.name));
}

}  // namespace espalier::formats::detail
