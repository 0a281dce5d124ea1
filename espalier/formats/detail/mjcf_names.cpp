#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"

namespace espalier::formats::detail {
namespace {

// Names are collected before anything is made, so that a name made up for a part never takes one of the file.
class NameCollector {
 public:
  explicit NameCollector(MjcfState& state) : state_(state), doc_(state.doc) {}

  void bodies_and_joints() {
    // 'ground' is ours, so that a body of that name in the file gets another one.
    state_.body_names.reserve(model::kGround);
    for (const XMLElement* section : doc_.sections("worldbody")) open_.push_back(section);
    // Without recursion: how deep bodies may be nested is checked later, when they are read.
    while (!open_.empty() && !doc_.xml.failed()) {
      const XMLElement* element = open_.back();
      open_.pop_back();
      for (const XMLElement* child : doc_.children(element)) look(child);
    }
  }

  // Joints that an equality names must keep a coordinate of their own, except the slide and hinge of a screw.
  void couplings() {
    std::map<std::string, int> uses;
    std::vector<MjcfScrew> candidates;
    for (const XMLElement* section : doc_.sections("equality")) {
      for (const XMLElement* element : doc_.children(section, "joint")) {
        const MjcfSource source = doc_.source(element, nullptr, "equality");
        if (!doc_.flag(source, "active", true).value_or(true)) continue;
        const std::string first = doc_.xml.text(element, "joint1");
        const std::string second = doc_.xml.text(element, "joint2");
        for (const std::string& name : {first, second}) {
          if (name.empty()) continue;
          state_.coupled.insert(name);
          ++uses[name];
        }
        // polycoef 0 c 0 0 0 may be the thread of a screw: the slide follows the hinge in proportion.
        const std::vector<double> c =
            doc_.numbers(source, "polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
        const bool proportional = c.size() > 1 && c[0] == 0 && c[1] != 0 &&
                                  std::all_of(c.begin() + 2, c.end(), [](double x) { return x == 0; });
        if (proportional && !second.empty()) candidates.push_back({first, second, c[1]});
      }
    }
    for (const MjcfScrew& screw : candidates) {
      // A slide that a second equality uses must stay a coordinate; it is then no part of a screw.
      if (uses[screw.slide] == 1) state_.screws[screw.slide] = screw;
    }
  }

 private:
  void look(const XMLElement* element) {
    const std::string_view kind = element->Name();
    // Bodies may hide in frames, so that frames are opened as well.
    const bool body = kind == "body";
    if (body || kind == "frame") open_.push_back(element);
    if (body) add(element, "bodies", bodies_, state_.body_names);
    if (kind == "joint" || kind == "freejoint") add(element, "joints", joints_, state_.joint_names);
  }

  void add(const XMLElement* element, const char* plural, std::map<std::string, const XMLElement*>& seen,
           MjcfNames& names) {
    const std::string name = doc_.xml.text(element, "name");
    if (name.empty()) return;
    const auto [entry, is_new] = seen.emplace(name, element);
    names.reserve(name);
    // The world is the only body name that the format itself keeps.
    const bool world = name == "world" && std::string_view(plural) == "bodies";
    if (world) {
      doc_.xml.fail(ErrorCode::kName, element, "no body can be named 'world': that is the world itself; rename it");
    } else if (!is_new) {
      const Where a = doc_.xml.where(entry->second);
      const Where b = doc_.xml.where(element);
      // Bodies are not met in file order, so the later of the two is blamed here.
      const bool later = a.file == b.file && a.line > b.line;
      doc_.xml.fail(ErrorCode::kName, later ? entry->second : element,
                    fmt::format("two {} are named {} (first in {}); rename one", plural, in_quotes(name),
                                to_string(later ? b : a)));
    }
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  std::vector<const XMLElement*> open_;
  std::map<std::string, const XMLElement*> bodies_, joints_;
};

}  // namespace

std::string MjcfNames::make(const std::string& wish) {
  if (used_.insert(wish).second) return wish;
  // The counter of each wish remembers where it stopped, so that a thousand unnamed parts cost no square.
  int& next = next_.try_emplace(wish, 2).first->second;
  while (true) {
    const std::string name = fmt::format("{}_{}", wish, next++);
    if (used_.insert(name).second) return name;
  }
}

void read_names(MjcfState& state) {
  NameCollector collector(state);
  collector.bodies_and_joints();
  collector.couplings();
}

}  // namespace espalier::formats::detail
