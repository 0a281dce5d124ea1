#include "espalier/model/model.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::model {
namespace {

// Empty lists stand for zeros; compile() has refused lists of a wrong length.
double at_or_zero(const std::vector<double>& values, std::size_t k) { return k < values.size() ? values[k] : 0; }

CoordinateLaw coordinate_law(const JointSpec& spec, std::size_t k) {
  CoordinateLaw law;
  law.stiffness = at_or_zero(spec.stiffness, k);
  law.rest = at_or_zero(spec.rest, k);
  law.damping = at_or_zero(spec.damping, k);
  law.friction = at_or_zero(spec.friction, k);
  law.armature = at_or_zero(spec.armature, k);
  // Formats without a word for `unlimited` write large numbers: an engine must not watch them.
  if (k < spec.limits.size() && (spec.limits[k][0] > -kNoLimit || spec.limits[k][1] < kNoLimit))
    law.limits = spec.limits[k];
  return law;
}

// A spring's rest alone is no law.
bool acts(const CoordinateLaw& law) {
  return law.stiffness != 0 || law.damping != 0 || law.friction != 0 || law.armature != 0 || law.limits.has_value();
}

std::vector<CoordinateLaw> coordinate_laws(const Joint& joint) {
  std::vector<CoordinateLaw> laws;
  const auto freedom = to_index(joint_kind(joint.type).freedom);
  for (std::size_t k = 0; k < freedom; ++k) laws.push_back(coordinate_law(joint.spec, k));
  // Engines skip joints with an empty list, which most joints have.
  if (std::none_of(laws.begin(), laws.end(), acts)) laws.clear();
  return laws;
}

void add_effort(const Model& model, const Load& load, const Where& where, Laws& laws) {
  // Loads of one joint are one effort, since the joint's limit holds for their sum.
  int& place = laws.joints[load.joint.index()].effort;
  if (place < 0) {
    place = static_cast<int>(laws.efforts.size());
    laws.efforts.push_back({load.joint, {}, model.joint(load.joint).spec.effort_limit, {}});
  }
  Effort& effort = laws.efforts[to_index(place)];
  effort.values.push_back(load.value.front());
  effort.where = where;
}

void add_motion(const Motion& motion, const Where& where, Laws& laws) {
  // Where it will stand among the equations: it is put there at the end.
  laws.joints[motion.joint.index()].motions.push_back(static_cast<int>(laws.equations.size()));
  Equation equation;
  equation.terms.push_back({motion.joint, 1});
  equation.value = motion.value;
  equation.of_velocity = motion.is_velocity;
  equation.where = where;
  laws.equations.push_back(std::move(equation));
}

void add_coupling(const Coupling& coupling, Laws& laws) {
  Equation equation;
  for (std::size_t k = 0; k < coupling.joints.size(); ++k) {
    laws.joints[coupling.joints[k].index()].couplings.push_back(static_cast<int>(laws.equations.size()));
    // A polynomial says all by its own numbers; its terms only name the joints.
    equation.terms.push_back({coupling.joints[k], coupling.polynomial.empty() ? coupling.ratio[k] : 1});
  }
  equation.offset = coupling.offset;
  equation.polynomial = coupling.polynomial;
  equation.where = coupling.where;
  laws.equations.push_back(std::move(equation));
}

// Each input stands where it does in the formulas that were put together.
void number_as(const std::vector<Expression>& parts, Expression& whole) {
  std::vector<int> slots;
  for (const Expression::Input& input : whole.inputs) {
    for (const Expression& part : parts) {
      const auto same = std::find_if(part.inputs.begin(), part.inputs.end(), [&](const Expression::Input& own) {
        return own.joint == input.joint && own.coordinate == input.coordinate && own.is_rate == input.is_rate;
      });
      if (same == part.inputs.end()) continue;
      slots.push_back(same->slot);
      break;
    }
  }
  number_inputs(slots, whole);
}

}  // namespace

int force_size(const Force& force) {
  if (std::holds_alternative<Bushing>(force.law)) return 6;
  const auto* load = std::get_if<Load>(&force.law);
  return load == nullptr ? 1 : static_cast<int>(load->value.size());
}

double evaluate(const Effort& effort, double time, std::span<const double> inputs) {
  double sum = 0;
  for (const Expression& value : effort.values) sum += evaluate(value, time, inputs);
  // A drive that is asked for more than it can gives what it can.
  return effort.limit ? std::clamp(sum, -*effort.limit, *effort.limit) : sum;
}

Result<Expression> as_expression(const Effort& effort) {
  // The formula of the only load is there already.
  if (effort.values.size() == 1 && !effort.limit) return effort.values.front();
  std::vector<std::string> texts;
  for (const Expression& value : effort.values) texts.push_back("(" + value.text + ")");
  std::string sum = fmt::format("{}", fmt::join(texts, " + "));
  if (effort.limit)
    // The clamp of evaluate(), in words that every reader of expressions knows.
    sum = fmt::format("max({}, min({}, {}))", number_text(-*effort.limit), number_text(*effort.limit), sum);
  // Tables of one model with the same name are the same.
  std::vector<NamedTable> tables;
  for (const Expression& value : effort.values) tables.insert(tables.end(), value.tables.begin(), value.tables.end());
  Result<Expression> formula = parse_expression(sum, effort.where, {}, tables);
  if (formula) number_as(effort.values, *formula);
  return formula;
}

tl::unexpected<Error> refuse_coordinates(const Expression& formula, FormulaUse use, const Where& where) {
  const std::string start = fmt::format("the formula {} names {}, and ", in_quotes(formula.text),
                                        input_text(formula.inputs.front()));
  if (use == FormulaUse::kMotion) {
    return make_error(ErrorCode::kUnsupported, where,
                      start + "a prescribed motion is a function of time alone; pull the joint to where it shall be by "
                              "a `torque` or `force`, or couple the two joints under `couplings`");
  }
  return make_error(ErrorCode::kUnsupported, where,
                    start + "`modes` are those of forces that do not answer; give the joint the `stiffness` and "
                            "`damping` of its controller, or remove the load");
}

Laws resolve_laws(const Model& model) {
  Laws laws;
  laws.joints.resize(model.joints.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) laws.joints[j].coordinates = coordinate_laws(model.joints[j]);
  for (const Watched& watched : model.watched) {
    if (!watched.is_rate) laws.joints[watched.joint.index()].named[to_index(watched.coordinate)] = true;
  }
  for (const Force& force : model.forces) {
    if (const auto* load = std::get_if<Load>(&force.law); load != nullptr && load->joint.valid())
      add_effort(model, *load, force.where, laws);
    if (const auto* motion = std::get_if<Motion>(&force.law)) add_motion(*motion, force.where, laws);
  }
  // Behind the motions, in the order that Laws promises.
  for (const Coupling& coupling : model.couplings) add_coupling(coupling, laws);
  return laws;
}

std::optional<std::array<double, 2>> length_range(const Spring& spring) {
  if (!spring.limits) return std::nullopt;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const auto& [low, high] = *spring.limits;
  // Zero is no bound: no length is below it, and at zero there is no direction to push in.
  return std::array<double, 2>{low > 0 ? low : kNone, high};
}

}  // namespace espalier::model
