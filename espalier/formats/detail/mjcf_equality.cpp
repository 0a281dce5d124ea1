#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;

// A <connect>: one point of each body, in the drawn pose.
struct Connect {
  const XMLElement* element;
  std::string name;
  MjcfBody first, second;
  Vector3d p_W1, p_W2;
};

bool ends_with_number(const std::string& name, char digit, std::string& stem) {
  const std::string ending = std::string("__") + digit;
  if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
  stem = name.substr(0, name.size() - ending.size());
  return true;
}

class EqualityReader {
 public:
  // Only joints of the tree may hold half bodies, so that their number is kept before equalities add joints.
  explicit EqualityReader(MjcfState& state) : state_(state), doc_(state.doc), tree_joints_(state.spec.joints.size()) {}

  void read() {
    for (const XMLElement* section : doc_.sections("equality")) {
      for (const XMLElement* element : doc_.children(section)) {
        if (doc_.xml.failed()) return;
        read_one(element);
      }
    }
    // Connects wait until all are known, since a pair of them between two bodies is a hinge.
    if (!doc_.xml.failed()) add_connects();
    // Half bodies go last: until here other equalities may still name them.
    std::erase_if(state_.spec.bodies, [&](const model::BodySpec& body) { return dropped_.count(body.name) > 0; });
  }

 private:
  void read_one(const XMLElement* element) {
    const std::string_view kind = element->Name();
    const MjcfSource source = doc_.source(element, nullptr, "equality");
    // MuJoCo can switch an inactive equality on while it runs; our loops are fixed when the model is compiled.
    if (!doc_.flag(source, "active", true).value_or(true)) {
      doc_.xml.note(element,
                    fmt::format("<{}> {} is not active: not read", kind, in_quotes(doc_.xml.text(element, "name"))));
      return;
    }
    if (kind == "connect") {
      read_connect(element);
    } else if (kind == "weld") {
      read_weld(element);
    } else if (kind == "joint") {
      read_coupling(element);
    } else {
      doc_.xml.not_read(element);
      return;
    }
    // One note for the file: soft loops come by the dozen and the sentence is the same for each.
    const bool soft = doc_.holder(source, "solref") != nullptr || doc_.holder(source, "solimp") != nullptr;
    if (soft && !soft_noted_ && kind != "joint") {
      soft_noted_ = true;
      doc_.xml.note(element, "solref and solimp make loops soft in MuJoCo; here loops are exact");
    }
  }

  // The body that `attribute` names; the world where it is absent and may be.
  MjcfBody body(const XMLElement* element, const char* attribute, bool may_be_world) {
    const std::string name =
        may_be_world ? doc_.xml.text(element, attribute, "world") : doc_.xml.required_text(element, attribute);
    return *look_up(element, "body", name, state_.bodies);
  }

  // The entry of this name; fails, and gives an empty one, where there is none.
  template <class Value>
  const Value* look_up(const XMLElement* element, const char* what, const std::string& name,
                       const std::map<std::string, Value>& known) {
    const auto found = known.find(name);
    if (found != known.end()) return &found->second;
    static const Value kNone{};
    if (doc_.xml.failed()) return &kNone;
    std::vector<std::string> names;
    for (const auto& [each, unused] : known) names.push_back(each);
    doc_.xml.fail(ErrorCode::kName, element,
                  fmt::format("<{}> names an unknown {} {}{}", element->Name(), what, in_quotes(name),
                              did_you_mean(name, names)));
    return &kNone;
  }

  MjcfSite site(const XMLElement* element, const char* attribute) {
    return *look_up(element, "site", doc_.xml.required_text(element, attribute), state_.sites);
  }

  bool by_sites(const XMLElement* element) const {
    return element->Attribute("site1") != nullptr || element->Attribute("site2") != nullptr;
  }

  void read_connect(const XMLElement* element) {
    Connect connect{element, doc_.xml.text(element, "name"), {}, {}, {}, {}};
    if (by_sites(element)) {
      const MjcfSite first = site(element, "site1");
      const MjcfSite second = site(element, "site2");
      connect.first = first.body;
      connect.second = second.body;
      connect.p_W1 = first.X_WS.position;
      connect.p_W2 = second.X_WS.position;
    } else {
      connect.first = body(element, "body1", false);
      connect.second = body(element, "body2", true);
      doc_.xml.required_text(element, "anchor");
      // The anchor is a point of body1; the point of body2 is the one that coincides with it in the drawn pose.
      connect.p_W1 = connect.first.X_WB * doc_.xml.vector(element, "anchor", Vector3d::Zero());
      connect.p_W2 = connect.p_W1;
    }
    doc_.only_attributes(element,
                         {"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "site1", "site2"});
    connects_.push_back(std::move(connect));
  }

  JointSpec start(const XMLElement* element, JointType type, const std::string& name, const MjcfBody& first,
                  const MjcfBody& second, const math::Pose& X_WF, const math::Pose& X_WM) {
    JointSpec joint;
    joint.name = state_.joint_names.make(
        name.empty() ? fmt::format("{}_{}_{}", first.name, second.name, element->Name()) : name);
    joint.type = type;
    // The frames are those of the drawn pose, where F and M of an MJCF loop coincide unless sites say otherwise.
    joint.a = first.name;
    joint.b = second.name;
    joint.in_a = math::relative_pose(first.X_WB, X_WF);
    joint.in_b = math::relative_pose(second.X_WB, X_WM);
    // What MJCF closes by an equality, its tree leaves open; the hint asks our plan to cut the same joint.
    joint.closure = true;
    joint.where = doc_.xml.where(element);
    return joint;
  }

  // Two points that two bodies share leave one freedom: turning about the line through them.
  // Three connects or more between one pair stay single ball joints: which two of them were meant is not known.
  void add_connects() {
    std::map<std::pair<std::string, std::string>, std::vector<Connect*>> pairs;
    for (Connect& c : connects_) pairs[std::minmax(c.first.name, c.second.name)].push_back(&c);
    for (Connect& c : connects_) {
      std::vector<Connect*>& same = pairs[std::minmax(c.first.name, c.second.name)];
      if (same.size() == 2 && add_revolute(*same[0], *same[1])) {
        same.clear();
      } else if (!same.empty()) {
        const Quaterniond& axes = c.first.X_WB.rotation;
        state_.spec.joints.push_back(
            start(c.element, JointType::kSpherical, c.name, c.first, c.second, {c.p_W1, axes}, {c.p_W2, axes}));
        if (same.size() == 2) same.push_back(nullptr);  // they did not match: do not try again
      }
    }
  }

  bool add_revolute(const Connect& one, Connect two) {
    // The two may name their bodies in opposite order; both are seen from the body that the first one names.
    if (two.first.name != one.first.name) {
      std::swap(two.first, two.second);
      std::swap(two.p_W1, two.p_W2);
    }
    const Vector3d axis_1 = two.p_W1 - one.p_W1;
    const Vector3d axis_2 = two.p_W2 - one.p_W2;
    const double length = axis_1.norm();
    // Points of both bodies must lie equally far apart, or no motion about an axis could ever close the joint.
    if (!(length > 1e-9) || !(std::abs(length - axis_2.norm()) < 1e-9 * (1 + length))) return false;
    const Quaterniond& axes = one.first.X_WB.rotation;
    const Quaterniond turned = axes * math::rotation_with_z(axes.conjugate() * axis_1);
    // The two lines coincide in a drawn pose that is closed, and FromTwoVectors would add rounding to an identity.
    const Quaterniond to_second =
        axis_1 == axis_2 ? Quaterniond::Identity() : Quaterniond::FromTwoVectors(axis_1, axis_2);
    std::string name = one.name, stem_1, stem_2;
    // Our own writer ends their names in __1 and __2: then it is one joint that comes back, and no note is due.
    if (ends_with_number(one.name, '1', stem_1) && ends_with_number(two.name, '2', stem_2) && stem_1 == stem_2) {
      name = stem_1;
    } else {
      doc_.xml.note(two.element,
                    fmt::format("two <connect> between {} and {} leave one axis: read as one revolute joint",
                                in_quotes(one.first.name), in_quotes(one.second.name)));
    }
    state_.spec.joints.push_back(start(one.element, JointType::kRevolute, name, one.first, one.second,
                                       {one.p_W1, turned}, {one.p_W2, math::normalised(to_second * turned)}));
    return true;
  }

  void read_weld(const XMLElement* element) {
    MjcfBody first, second;
    math::Pose X_WF, X_WM;
    if (by_sites(element)) {
      const MjcfSite one = site(element, "site1");
      const MjcfSite two = site(element, "site2");
      first = one.body;
      second = two.body;
      X_WF = one.X_WS;
      X_WM = two.X_WS;
    } else {
      first = body(element, "body1", false);
      second = body(element, "body2", true);
      const math::Pose anchor{doc_.xml.vector(element, "anchor", Vector3d::Zero()), Quaterniond::Identity()};
      // The anchor is a point of body2, and relpose says where body2 stands in body1.
      X_WM = second.X_WB * anchor;
      X_WF = first.X_WB * relative_pose_of(element, first, second) * anchor;
    }
    doc_.only_attributes(element, {"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "site1",
                                   "site2", "relpose", "torquescale"});
    if (doc_.xml.failed() || close_half(first, second, X_WF, X_WM)) return;
    state_.spec.joints.push_back(
        start(element, JointType::kFixed, doc_.xml.text(element, "name"), first, second, X_WF, X_WM));
  }

  // Pose of body2 in body1: as written, or as drawn where the quaternion is zero or nothing is written.
  math::Pose relative_pose_of(const XMLElement* element, const MjcfBody& first, const MjcfBody& second) {
    const math::Pose drawn = math::relative_pose(first.X_WB, second.X_WB);
    const std::optional<std::vector<double>> n = doc_.numbers({element, nullptr, ""}, "relpose", 7, 7);
    if (!n) return drawn;
    const Quaterniond q((*n)[3], (*n)[4], (*n)[5], (*n)[6]);
    // MJCF's rule: a quaternion of zeros asks for the pose as drawn.
    if (q.coeffs().isZero(0)) return drawn;
    if (!std::isfinite(q.squaredNorm()) || !(q.norm() > 1e-100)) {
      doc_.xml.fail(ErrorCode::kValue, element, "the quaternion of relpose in <weld> has no usable length");
      return drawn;
    }
    return {Vector3d((*n)[0], (*n)[1], (*n)[2]), math::normalised(q)};
  }

  // Our writer closes a loop by a joint that MJCF has no equality for with half a body, called <joint>__half: the joint
  // holds it and a weld ties it to the other body. Put together again, the half body goes.
  bool close_half(const MjcfBody& half, const MjcfBody& other, const math::Pose& X_WF, const math::Pose& X_WM) {
    if (!half.name.ends_with("__half")) return false;
    const std::vector<std::size_t>& held = joints_of_half(half.name);
    if (held.size() != 1) return false;
    JointSpec* holder = &state_.spec.joints[held[0]];
    // Only the name that our writer makes counts, or a user's body called "..._half" would vanish.
    if (holder->name + "__half" != half.name || holder->a == other.name || holder->b == other.name) return false;
    // Where the weld puts the half body in the other one; the joint's frame moves along to that body.
    const math::Pose X_OH = math::relative_pose(other.X_WB, X_WM) * math::relative_pose(X_WF, half.X_WB);
    const bool is_a = holder->a == half.name;
    (is_a ? holder->a : holder->b) = other.name;
    math::Pose& frame = is_a ? holder->in_a : holder->in_b;
    frame = X_OH * frame;
    holder->closure = true;
    dropped_.insert(half.name);
    halves_[half.name].clear();
    return true;
  }

  // The tree joints at a body called ...__half; all such bodies are looked up at the first call.
  const std::vector<std::size_t>& joints_of_half(const std::string& name) {
    if (halves_.empty()) {
      for (std::size_t j = 0; j < tree_joints_; ++j) {
        for (const std::string& body : {state_.spec.joints[j].a, state_.spec.joints[j].b}) {
          if (body.ends_with("__half")) halves_[body].push_back(j);
        }
      }
    }
    return halves_[name];
  }

  void read_coupling(const XMLElement* element) {
    const std::string first = doc_.xml.required_text(element, "joint1");
    const std::string second = doc_.xml.text(element, "joint2");
    doc_.only_attributes(element, {"name", "class", "active", "solref", "solimp", "joint1", "joint2", "polycoef"});
    // A slide coupled to the hinge of its own joint is the thread of a screw, which that joint already holds.
    if (is_screw(first, second)) return;
    model::CouplingSpec coupling;
    coupling.name = doc_.xml.text(element, "name");
    coupling.where = doc_.xml.where(element);
    const MjcfPlace y = place(element, first);
    const MjcfPlace x = second.empty() ? MjcfPlace{} : place(element, second);
    // The defaults of polycoef are 0 1 0 0 0, so that a missing list couples the joints one to one.
    std::vector<double> c = doc_.numbers({element, nullptr, ""}, "polycoef", 1, 5).value_or(std::vector<double>{0, 1});
    if (doc_.xml.failed()) return;
    c.resize(5, 0.0);
    coupling.joints.push_back(state_.spec.joints[y.joint].name);
    // MuJoCo counts from the drawn pose: y - y0 = c0 + c1 (x - x0) + ...
    if (second.empty()) {
      coupling.ratio = {1};
      coupling.offset = y.ref + c[0];
    } else {
      coupling.joints.push_back(state_.spec.joints[x.joint].name);
      write_law(coupling, c, y.ref, x.ref);
    }
    state_.spec.couplings.push_back(std::move(coupling));
  }

  bool is_screw(const std::string& first, const std::string& second) const {
    const auto slide = state_.joint_of.find(first);
    const auto hinge = state_.joint_of.find(second);
    return slide != state_.joint_of.end() && hinge != state_.joint_of.end() && slide->second == hinge->second &&
           // joint_of gives both names of a pair that was merged, so that the type tells a screw from a cylinder.
           state_.spec.joints[slide->second].type == JointType::kScrew;
  }

  MjcfPlace place(const XMLElement* element, const std::string& name) {
    const MjcfPlace place = *look_up(element, "joint", name, state_.joints);
    if (doc_.xml.failed()) return place;
    if (model::joint_kind(state_.spec.joints[place.joint].type).freedom != 1) {
      doc_.xml.fail(ErrorCode::kValue, element,
                    fmt::format("<joint> in <equality> needs hinges or slides; {} is none", in_quotes(name)));
    }
    return place;
  }

  // A straight line as ratios, anything else as a polynomial about zero instead of about x0.
  static void write_law(model::CouplingSpec& coupling, const std::vector<double>& c, double y0, double x0) {
    if (c[2] == 0 && c[3] == 0 && c[4] == 0) {
      coupling.ratio = {1, -c[1]};
      coupling.offset = y0 + c[0] - c[1] * x0;
      return;
    }
    // Horner's rule on coefficients: p <- p (x - x0) + c_k.
    std::vector<double> p = {c[4]};
    for (int k = 3; k >= 0; --k) {
      p.insert(p.begin(), 0.0);
      for (std::size_t i = 0; i + 1 < p.size(); ++i) p[i] -= x0 * p[i + 1];
      p[0] += c[to_index(k)];
    }
    p[0] += y0;
    // Zeros at the end would raise the degree for nothing and survive a round trip as noise.
    while (p.size() > 1 && p.back() == 0) p.pop_back();
    coupling.polynomial = std::move(p);
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  std::size_t tree_joints_;
  std::vector<Connect> connects_;
  std::map<std::string, std::vector<std::size_t>> halves_;
  std::set<std::string> dropped_;
  bool soft_noted_ = false;
};

}  // namespace

void read_equality(MjcfState& state) { EqualityReader(state).read(); }

}  // namespace espalier::formats::detail
