#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/unique_names.hpp"

namespace espalier::formats::detail {
namespace {

using model::JointSpec;
using model::JointType;
using model::ModelSpec;

// A joint that says where a root is and holds it nowhere.
bool is_float(const JointSpec& joint) {
  return joint.type == JointType::kFree && (joint.a == model::kGround || joint.b == model::kGround) &&
         std::all_of(joint.stiffness.begin(), joint.stiffness.end(), [](double k) { return k == 0; });
}

// A piece that floats: its root, and the free joint that says where it is, or -1.
struct Piece {
  std::size_t root = 0;
  int joint = -1;
  int bodies = 0;
};

// In the order of the file.
std::vector<Piece> floating_pieces(const ModelSpec& spec) {
  std::unordered_map<std::string, int> index = {{model::kGround, 0}};
  std::vector<std::size_t> body_of = {0};
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    if (index.emplace(spec.bodies[b].name, static_cast<int>(index.size())).second) body_of.push_back(b);
  }
  // A name that is wrong is compile()'s to report.
  const auto find = [&](const std::string& name) {
    const auto found = index.find(name);
    return found == index.end() ? 0 : found->second;
  };
  DisjointSets sets(index.size());
  for (const JointSpec& joint : spec.joints) {
    // Joints that hold nothing join nothing: a root on a free joint floats.
    if (!is_float(joint)) sets.join(find(joint.a), find(joint.b));
  }
  std::vector<Piece> pieces;
  std::unordered_map<int, std::size_t> piece_of;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    const int set = sets.find(find(spec.bodies[b].name));
    if (set == 0) continue;
    const auto [entry, is_new] = piece_of.emplace(set, pieces.size());
    if (is_new) pieces.push_back({b, -1, 0});
    ++pieces[entry->second].bodies;
  }
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const JointSpec& joint = spec.joints[j];
    const int body = find(joint.a == model::kGround ? joint.b : joint.a);
    const auto piece = is_float(joint) ? piece_of.find(sets.find(body)) : piece_of.end();
    // The first free joint of a piece says where it is.
    if (piece == piece_of.end() || pieces[piece->second].joint >= 0) continue;
    pieces[piece->second].joint = static_cast<int>(j);
    pieces[piece->second].root = body_of[to_index(body)];
  }
  return pieces;
}

void fix(ModelSpec& spec, const Piece& piece) {
  model::BodySpec& root = spec.bodies[piece.root];
  JointSpec joint;
  joint.type = JointType::kFixed;
  joint.a = model::kGround;
  joint.b = root.name;
  joint.in_a = root.pose;
  joint.where = root.where;
  // What is welded to the ground has no velocity.
  root.velocity.reset();
  if (piece.joint < 0) {
    UniqueNames names;
    for (const JointSpec& other : spec.joints) names.add(other.name);
    joint.name = names.make("base_fixed");
    spec.joints.push_back(std::move(joint));
    return;
  }
  JointSpec& held = spec.joints[to_index(piece.joint)];
  joint.name = held.name;
  joint.where = held.where;
  held = std::move(joint);
  // A fixed joint has no position to be in.
  for (model::KeyframeSpec& keyframe : spec.keyframes) {
    std::erase_if(keyframe.positions, [&](const auto& position) { return position.first == held.name; });
  }
}

}  // namespace

void set_base(ModelSpec& spec, std::optional<Base> base) {
  std::vector<Piece> pieces = floating_pieces(spec);
  // Loose balls around a robot are meant to be loose.
  if (pieces.size() > 1) std::erase_if(pieces, [](const Piece& piece) { return piece.bodies == 1; });
  for (const Piece& piece : pieces) {
    const model::BodySpec& root = spec.bodies[piece.root];
    if (base == Base::kFixed) {
      fix(spec, piece);
    } else if (!base) {
      spec.notes.push_back(
          {fmt::format("the root link {} floats; a fixed base would weld it to the ground", in_quotes(root.name)),
           root.where});
    }
  }
}

}  // namespace espalier::formats::detail
