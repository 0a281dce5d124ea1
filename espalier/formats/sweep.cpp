#include "espalier/formats/variants.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/yaml.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats {
namespace {

using detail::YamlNode;
using Kind = SweepParameter::Kind;

constexpr const char* kForms =
    "{values: [a, b]}, {range: [low, high]}, {range: [low, high], points: n} or "
    "{normal: [mean, deviation]}";

constexpr std::int64_t kMostPoints = 1'000'000;  // of one parameter

std::vector<double> points_between(double low, double high, std::int64_t points) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < points; ++k) {
    // The last point is `high` itself: low + (high - low) may miss it by rounding.
    values.push_back(k + 1 == points ? high
                                     : low + (high - low) * static_cast<double>(k) / static_cast<double>(points - 1));
  }
  return values;
}

class SweepReader {
 public:
  explicit SweepReader(std::string file) : file_(std::move(file)) {}

  Result<Sweep> read(const YamlNode& root) {
    if (root.kind != YamlNode::Kind::kMap) return fail(root, "a sweep is a map with `vary`, `samples` and `seed`");
    Sweep sweep;
    for (const detail::YamlEntry& entry : root.entries) {
      Result<void> read_entry;
      // Three keys; any other is a typing error and would change what runs.
      if (entry.key == "vary") {
        read_entry = read_vary(entry.value, sweep);
      } else if (entry.key == "samples") {
        read_entry = read_whole(entry.value, "samples", sweep.samples);
      } else if (entry.key == "seed") {
        // Read as a signed number first, so that a negative seed is refused and not wrapped.
        std::int64_t seed = 1;
        read_entry = read_whole(entry.value, "seed", seed);
        sweep.seed = static_cast<std::uint64_t>(seed);
      } else {
        return fail(entry.value,
                    fmt::format("unknown key {}; a sweep has `vary`, `samples` and `seed`", in_quotes(entry.key)));
      }
      ESPALIER_TRY(read_entry);
    }
    return sweep;
  }

 private:
  tl::unexpected<Error> fail(const YamlNode& node, std::string message) const {
    return make_error(ErrorCode::kValue, {file_, std::max(node.line, 1), 0}, std::move(message));
  }

  static std::optional<double> number(const YamlNode& node) {
    // In quotes a number is a text, by the rules of YAML.
    return node.kind == YamlNode::Kind::kScalar && !node.quoted ? parse_number(node.scalar) : std::nullopt;
  }

  Result<void> read_whole(const YamlNode& node, const char* what, std::int64_t& value) const {
    const std::optional<double> found = number(node);
    // Up to 1e15 a double holds every whole number.
    if (!found || *found < 0 || *found > 1e15 || *found != std::floor(*found)) {
      return fail(node, fmt::format("`{}` is {}; it must be a whole number", what, describe(node)));
    }
    value = static_cast<std::int64_t>(*found);
    return {};
  }

  Result<std::vector<double>> read_numbers(const YamlNode& node) const {
    std::vector<double> values;
    // A scalar has no items, and so ends in the message below.
    for (const YamlNode& item : node.items) {
      const std::optional<double> value = number(item);
      if (!value) return fail(item, fmt::format("{} is not a number", describe(item)));
      values.push_back(*value);
    }
    if (values.empty()) return fail(node, fmt::format("found {}; numbers are given as {}", describe(node), kForms));
    return values;
  }

  Result<void> read_vary(const YamlNode& node, Sweep& sweep) const {
    if (node.kind != YamlNode::Kind::kMap) return fail(node, fmt::format("`vary` is a map: PATH: {}", kForms));
    for (const detail::YamlEntry& entry : node.entries) {
      Result<SweepParameter> parameter = read_parameter(entry);
      ESPALIER_TRY(parameter);
      sweep.parameters.push_back(*std::move(parameter));
    }
    return {};
  }

  Result<SweepParameter> read_parameter(const detail::YamlEntry& entry) const {
    SweepParameter parameter;
    parameter.path = entry.key;
    // Which of the keys is there says which way is meant.
    const YamlNode* values = entry.value.find("values");
    const YamlNode* range = entry.value.find("range");
    const YamlNode* normal = entry.value.find("normal");
    const YamlNode* points = entry.value.find("points");
    const std::size_t keys = (values != nullptr) + (range != nullptr) + (normal != nullptr);
    // Exactly one way to vary, and `points` only where it divides a range.
    if (keys != 1 || entry.value.entries.size() != keys + (points != nullptr) ||
        (points != nullptr && range == nullptr)) {
      return fail(entry.value, fmt::format("{} must be {}", in_quotes(entry.key), kForms));
    }
    Result<std::vector<double>> numbers = read_numbers(values != nullptr  ? *values
                                                       : range != nullptr ? *range
                                                                          : *normal);
    ESPALIER_TRY(numbers);
    // A list is taken as it is; the other forms are two numbers.
    if (values != nullptr) {
      parameter.values = *std::move(numbers);
      return parameter;
    }
    if (numbers->size() != 2) return fail(entry.value, fmt::format("{} must be {}", in_quotes(entry.key), kForms));
    parameter.kind = range != nullptr ? Kind::kUniform : Kind::kNormal;
    // Of a normal distribution these are mean and deviation.
    parameter.low = (*numbers)[0];
    parameter.high = (*numbers)[1];
    if (points == nullptr) return parameter;
    std::int64_t count = 0;
    const Result<void> read = read_whole(*points, "points", count);
    ESPALIER_TRY(read);
    if (count < 2 || count > kMostPoints) {
      return fail(*points, fmt::format("`points` is {}; it must lie between 2 and {}", count, kMostPoints));
    }
    // A range with points is a grid, not a distribution.
    parameter.kind = Kind::kValues;
    parameter.values = points_between(parameter.low, parameter.high, count);
    return parameter;
  }

  std::string file_;
};

std::vector<std::string> split_at(const std::string& text, char mark) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == mark) {
      // An empty part stays one: "1::2" must fail and not read as two numbers.
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::int64_t grid_size(const Sweep& sweep) {
  std::int64_t size = 1;
  for (const SweepParameter& parameter : sweep.parameters) {
    // Random parameters have no grid; they are drawn for each run.
    if (parameter.kind != Kind::kValues) continue;
    size *= static_cast<std::int64_t>(parameter.values.size());
    // Stopped early, before the product can overflow.
    if (size > kMostRuns) return size;
  }
  return size;
}

}  // namespace

Result<Sweep> read_sweep(const std::filesystem::path& path) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  const Result<YamlNode> root = detail::parse_yaml(*text, path.string());
  ESPALIER_TRY(root);
  return SweepReader(path.string()).read(*root);
}

Result<SweepParameter> parse_vary(const std::string& text) {
  const auto failed = [&] {
    return make_option_error(
        "vary",
        fmt::format("`vary` {}: it must be PATH=low:high, PATH=low:high:points or PATH=a,b,c", in_quotes(text)));
  };
  SweepParameter parameter;
  // The last equals sign: a path may hold one.
  const std::size_t equals = text.rfind('=');
  // Without a path there is nothing to vary.
  if (equals == std::string::npos || equals == 0) return failed();
  parameter.path = text.substr(0, equals);
  const std::string range = text.substr(equals + 1);
  // A colon is never part of a number.
  const bool list = range.find(':') == std::string::npos;
  std::vector<double> numbers;
  for (const std::string& part : split_at(range, list ? ',' : ':')) {
    const std::optional<double> number = parse_number(part);
    if (!number) return failed();
    numbers.push_back(*number);
  }
  if (list) {
    parameter.values = std::move(numbers);
    return parameter;
  }
  // low, high and points are all that a range has.
  if (numbers.size() > 3) return failed();
  parameter.kind = Kind::kUniform;
  parameter.low = numbers[0];
  parameter.high = numbers[1];
  // Without a count of points the range is drawn from.
  if (numbers.size() == 2) return parameter;
  if (!(numbers[2] >= 2 && numbers[2] <= static_cast<double>(kMostPoints) && numbers[2] == std::floor(numbers[2]))) {
    return failed();
  }
  parameter.kind = Kind::kValues;
  parameter.values = points_between(parameter.low, parameter.high, static_cast<std::int64_t>(numbers[2]));
  return parameter;
}

Result<void> check_sweep(const Sweep& sweep) {
  const auto bad = [](std::string message) { return make_error(ErrorCode::kOption, {}, std::move(message)); };
  if (sweep.parameters.empty()) {
    return make_option_error("vary", "nothing varies", "name a number of the model: `vary` PATH=low:high");
  }
  std::vector<std::string> paths;
  bool random = false;
  for (const SweepParameter& parameter : sweep.parameters) {
    paths.push_back(parameter.path);
    random = random || parameter.kind != Kind::kValues;
    // Also false where one of them is not a number.
    const bool sound = parameter.kind != Kind::kUniform || parameter.low < parameter.high;
    if (!sound || (parameter.kind == Kind::kNormal && !(parameter.high >= 0))) {
      return bad(fmt::format("{} varies from {} to {}; give the lower number first", in_quotes(parameter.path),
                             number_text(parameter.low), number_text(parameter.high)));
    }
  }
  // Sorted, equal paths stand next to each other.
  std::sort(paths.begin(), paths.end());
  const auto twice = std::adjacent_find(paths.begin(), paths.end());
  if (twice != paths.end()) return bad(fmt::format("{} varies twice; keep one", in_quotes(*twice)));
  if (sweep.samples < 1) {
    return make_option_error("runs", fmt::format("`runs` is {}", sweep.samples), "at least 1 is needed");
  }
  // The same run again and again, which would only look like a study.
  if (!random && sweep.samples > 1) {
    return bad("several runs of each point are asked for, but nothing is random; vary something as low:high");
  }
  // Divided, as the product could overflow.
  if (grid_size(sweep) > kMostRuns / sweep.samples) return bad(fmt::format("more than {} runs", kMostRuns));
  return {};
}

std::int64_t run_count(const Sweep& sweep) { return grid_size(sweep) * sweep.samples; }

std::vector<FieldValue> sample(const Sweep& sweep, std::int64_t run) {
  std::vector<FieldValue> values(sweep.parameters.size());
  // All samples of one grid point follow each other.
  std::int64_t point = run / sweep.samples;
  // The last parameter runs fastest, as the last digit of a number does.
  for (std::size_t k = sweep.parameters.size(); k-- > 0;) {
    const SweepParameter& parameter = sweep.parameters[k];
    // In the order of the file, also for results.
    values[k].path = parameter.path;
    if (parameter.kind == Kind::kValues) {
      const auto count = static_cast<std::int64_t>(parameter.values.size());
      values[k].value = parameter.values[to_index(point % count)];
      point /= count;
      continue;
    }
    // Keyed by run and parameter: any run can be made again alone, on any rank.
    Random random(sweep.seed, static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(k));
    values[k].value = parameter.kind == Kind::kUniform ? random.uniform(parameter.low, parameter.high)
                                                       : parameter.low + parameter.high * random.normal();
  }
  return values;
}

}  // namespace espalier::formats
