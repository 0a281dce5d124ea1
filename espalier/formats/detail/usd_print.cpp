#include "espalier/formats/detail/usd_print.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"

namespace espalier::formats::detail {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

std::string usd_number(double value) {
  // The words that the grammar has; number_text() knows none for them.
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return number_text(value);
}

std::string usd_tuple(std::span<const double> values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(usd_number(value));
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string usd_tuple(const Eigen::Vector3d& values) { return usd_tuple(std::span<const double>(values.data(), 3)); }

std::string usd_tuple(const Eigen::Quaterniond& q) {
  // The real part first, as in the file format; Eigen keeps it last.
  return usd_tuple(std::span<const double>(std::array<double, 4>{q.w(), q.x(), q.y(), q.z()}));
}

std::string usd_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    // A control character in a name would break the line for other readers.
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, control ? '_' : c);
  }
  return quoted + '"';
}

std::string usd_prim_name(const std::string& name, UniqueNames& taken) {
  std::string clean;
  // Older readers know ASCII letters alone; the name itself is kept beside.
  for (const char c : name) clean += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (clean.empty() || !is_letter(clean[0])) clean.insert(0, "_");
  return taken.make(clean);
}

void UsdPrint::line(const std::string& text) { text_ += std::string(4 * depth_, ' ') + text + '\n'; }

void UsdPrint::open(const char* type, const std::string& name, const std::vector<std::string>& apis) {
  // An empty line between prims, as other writers have it.
  if (!fresh_) text_ += '\n';
  const std::string head = fmt::format("def {} {}", type, usd_quoted(name));
  if (apis.empty()) {
    line(head);
  } else {
    line(head + " (");
    line(fmt::format("    prepend apiSchemas = [\"{}\"]", fmt::join(apis, "\", \"")));
    line(")");
  }
  line("{");
  ++depth_;
  fresh_ = true;
}

void UsdPrint::close() {
  --depth_;
  line("}");
  fresh_ = false;
}

void UsdPrint::own_name(const std::string& here, const std::string& in_file) {
  if (here != in_file) own("string", "espalier:name", usd_quoted(here));
}

void UsdPrint::attribute(std::string_view type, std::string_view name, std::string_view value) {
  line(fmt::format("{} {} = {}", type, name, value));
  fresh_ = false;
}

void UsdPrint::number(std::string_view name, double value) { attribute("float", name, usd_number(value)); }

void UsdPrint::target(std::string_view name, const std::string& path) {
  attribute("rel", name, fmt::format("<{}>", path));
}

void UsdPrint::own(std::string_view type, std::string_view name, std::string_view value) {
  // A name that is kept changes nothing for other readers, and needs no remark.
  has_own_ = has_own_ || name != "espalier:name";
  attribute(fmt::format("custom {}", type), name, value);
}

void UsdPrint::pose(const math::Pose& pose, const Eigen::Vector3d& scale) {
  std::vector<const char*> order;
  // Only what is not the identity: files stay short, and exact where nothing moves.
  if (!pose.position.isZero(0)) {
    order.push_back("xformOp:translate");
    attribute("double3", order.back(), usd_tuple(pose.position));
  }
  if (pose.rotation.coeffs() != Eigen::Quaterniond::Identity().coeffs()) {
    order.push_back("xformOp:orient");
    attribute("quatd", order.back(), usd_tuple(pose.rotation));
  }
  if (scale != Eigen::Vector3d::Ones()) {
    order.push_back("xformOp:scale");
    attribute("double3", order.back(), usd_tuple(scale));
  }
  if (order.empty()) return;
  attribute("uniform token[]", "xformOpOrder", fmt::format("[\"{}\"]", fmt::join(order, "\", \"")));
}

std::string UsdPrint::document(const std::string& default_prim) const {
  return fmt::format(
      "#usda 1.0\n(\n    defaultPrim = {}\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    upAxis = "
      "\"Z\"\n)\n\n{}",
      usd_quoted(default_prim), text_);
}

}  // namespace espalier::formats::detail
