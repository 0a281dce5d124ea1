#include "espalier/dynamics/detail/remedies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;
using model::JointType;

constexpr double kRelative = 1e-6;  // of the largest wrench of a state: less is nothing

// Where a joint of the model stands in the system: frames A and B in two links, in the tree's own direction.
struct Place {
  model::JointId joint;
  JointType type = JointType::kFixed;
  int a = 0, b = 0;
  Pose X_LA;
  bool cut = false;
};

// One way to give a joint more freedom: its new type, and how its frame is turned for it.
struct Change {
  JointType type = JointType::kFree;
  char axis = 0;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  std::vector<Eigen::Matrix<double, 6, 1>> freed;  // twists in the joint's frame A: [angular; linear]
};

Eigen::Matrix<double, 6, 1> unit(int k) { return Eigen::Matrix<double, 6, 1>::Unit(k); }

Eigen::Quaterniond axes(const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
  Eigen::Matrix3d matrix;
  matrix << x, y, x.cross(y);
  return Eigen::Quaterniond(matrix);
}

std::vector<Change> changes_of(JointType type) {
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX();
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  const Eigen::Quaterniond same = Eigen::Quaterniond::Identity();
  switch (type) {
    case JointType::kRevolute:
      return {{JointType::kSpherical, 0, same, {unit(0), unit(1)}},
              {JointType::kCylindrical, 0, same, {unit(5)}},
              {JointType::kUniversal, 'x', axes(z, x), {unit(0)}},
              {JointType::kUniversal, 'y', axes(z, y), {unit(1)}}};
    case JointType::kPrismatic:
      // The normal takes the place of z.
      return {{JointType::kPlanar, 'x', axes(y, z), {unit(0), unit(4)}},
              {JointType::kPlanar, 'y', axes(z, x), {unit(1), unit(3)}},
              {JointType::kCylindrical, 0, same, {unit(2)}}};
    case JointType::kScrew:
      return {{JointType::kCylindrical, 0, same, {unit(5)}}};
    case JointType::kUniversal:
      return {{JointType::kSpherical, 0, same, {}}};
    default:
      return {};
  }
}

// A state of wrenches in balance: what each joint carries, on b and back on a.
using Stress = std::map<int, SpatialVector>;  // by place

class Search {
 public:
  Search(const System& system, const ConstraintRows& rows) : system_(system), rows_(rows) {
    place_of_link_.assign(system->links.size(), -1);
    for (const Closure& closure : system->closures) {
      place_of_closure_.push_back(closure.joint.valid() ? static_cast<int>(places_.size()) : -1);
      if (!closure.joint.valid()) continue;
      places_.push_back({closure.joint, closure.type, closure.a, closure.b, closure.X_LA, true});
    }
    for (std::size_t i = 1; i < system->links.size(); ++i) {
      const Link& link = system->links[i];
      if (!link.joint.valid()) continue;
      place_of_link_[i] = static_cast<int>(places_.size());
      places_.push_back({link.joint, link.type, link.parent, static_cast<int>(i), link.X_LA, false});
    }
    // A joint whose one coordinate something acts on must keep its type.
    const model::Laws laws = model::resolve_laws(system->model);
    for (const Place& place : places_) {
      const model::JointLaw& law = laws.joints[place.joint.index()];
      closed_.push_back(system->model.joint(place.joint).spec.actuated || law.is_driven());
    }
  }

  std::vector<Remedy> find(const std::vector<SparseVector>& relations) {
    // Phases:
    //   1. each relation y^T G = 0 becomes a state of wrenches that the loops hold against themselves
    //   2. by joint, the states that carry something there
    //   3. the change of one joint that frees most states, again and again until no state can be freed
    for (const SparseVector& relation : relations) stresses_.push_back(stress_of(relation));
    using_.resize(places_.size());
    for (std::size_t s = 0; s < stresses_.size(); ++s) note(static_cast<int>(s));
    // State by state: each change frees one state per direction, and may free parts of others with it.
    std::vector<Remedy> remedies;
    for (std::size_t s = 0; s < stresses_.size(); ++s) {
      // A state that no single joint can free is left alone.
      while (!stresses_[s].empty()) {
        const std::optional<Remedy> remedy = best_change(stresses_[s]);
        if (!remedy) break;
        remedies.push_back(*remedy);
      }
    }
    return remedies;
  }

 private:
  using Values = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

  const Pose& pose(int link) const { return rows_.links.pose[to_index(link)]; }

  Stress stress_of(const SparseVector& relation) const {
    Stress stress;
    auto closure = system_->closures.begin();
    for (std::size_t k = 0; k < relation.size();) {
      // The last closure whose rows start at or before this one.
      closure = std::upper_bound(closure, system_->closures.end(), relation[k].first,
                                 [](int row, const Closure& c) { return row < c.row; }) -
                1;
      const Columns T = constraint_wrenches(closure->type, closure->pitch, pose(closure->a) * closure->X_LA,
                                            pose(closure->b) * closure->X_LB);
      // T y: what the closure carries in this state.
      SpatialVector wrench = SpatialVector::Zero();
      for (; k < relation.size() && relation[k].first < closure->row + closure->rows; ++k)
        wrench += relation[k].second * T.column.col(relation[k].first - closure->row);
      const int place = place_of_closure_[to_index(closure - system_->closures.begin())];
      // Welds of cut bodies are no joints of the model; their part goes through the tree all the same.
      if (place >= 0) add(stress, place, wrench);
      carry(stress, *closure, wrench);
    }
    tidy(stress);
    return stress;
  }

  // What the closure puts on b goes back to a through the tree.
  void carry(Stress& stress, const Closure& closure, const SpatialVector& wrench) const {
    int a = closure.a;
    int b = closure.b;
    while (a != b) {
      // Up both ways until they meet: joints beyond carry nothing of it.
      int& deeper = a > b ? a : b;
      const auto i = to_index(deeper);
      if (place_of_link_[i] >= 0)
        add(stress, place_of_link_[i], a > b ? SpatialVector(wrench) : SpatialVector(-wrench));
      deeper = system_->links[i].parent;
    }
  }

  static void add(Stress& stress, int place, const SpatialVector& wrench) {
    const auto found = stress.try_emplace(place, SpatialVector::Zero()).first;
    found->second += wrench;
  }

  // Rounding is no wrench.
  static void tidy(Stress& stress) {
    double most = 0;
    for (const auto& [place, wrench] : stress) most = std::max(most, wrench.cwiseAbs().maxCoeff());
    std::erase_if(stress, [&](const auto& item) { return !(item.second.cwiseAbs().maxCoeff() > 1e-9 * most); });
    // States have any length; with the largest wrench 1 the thresholds mean something.
    for (auto& [place, wrench] : stress) wrench /= most;
  }

  void note(int s) {
    for (const auto& [place, wrench] : stresses_[to_index(s)]) {
      std::vector<int>& list = using_[to_index(place)];
      if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
    }
  }

  std::vector<int> stresses_at(int place) const {
    std::vector<int> at;
    for (const int s : using_[to_index(place)]) {
      if (stresses_[to_index(s)].contains(place)) at.push_back(s);
    }
    // By number, so that no history of eliminations decides between states.
    std::sort(at.begin(), at.end());
    return at;
  }

  // The twists a change frees, in world axes.
  std::vector<SpatialVector> freed(const Place& place, const Change& change) const {
    const Pose X_WA = pose(place.a) * place.X_LA;
    std::vector<SpatialVector> twists;
    for (const SpatialVector& twist : change.freed) twists.push_back(math::transform_motion(X_WA, twist));
    if (model::joint_kind(place.type).axes == 2) {
      // The couple about n = xA x yB that a universal joint holds depends on the pose.
      const Columns T = constraint_wrenches(place.type, 0, X_WA, frame_b(place));
      SpatialVector about = SpatialVector::Zero();
      about.head<3>() = T.column.col(3).head<3>();
      about.tail<3>() = X_WA.position.cross(about.head<3>());
      twists.push_back(about);
    }
    return twists;
  }

  Pose frame_b(const Place& place) const {
    if (!place.cut) {
      const Link& link = system_->links[to_index(place.b)];
      return pose(place.b) * link.X_LB;
    }
    const auto closure = std::find_if(system_->closures.begin(), system_->closures.end(),
                                      [&](const Closure& c) { return c.joint == place.joint; });
    return pose(place.b) * closure->X_LB;
  }

  // Power of each state, in a column, on each freed twist.
  Values powers(int place, const std::vector<SpatialVector>& twists, const std::vector<int>& at) const {
    Values values(static_cast<Eigen::Index>(twists.size()), static_cast<Eigen::Index>(at.size()));
    for (std::size_t s = 0; s < at.size(); ++s) {
      const SpatialVector& wrench = stresses_[to_index(at[s])].at(place);
      for (std::size_t d = 0; d < twists.size(); ++d)
        values(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(s)) = wrench.dot(twists[d]);
    }
    return values;
  }

  static bool is_full(const Values& values) {
    // More directions than states: some of them would free motions that nothing holds twice.
    if (values.cols() < values.rows()) return false;
    Eigen::FullPivLU<Values> lu(values);
    lu.setThreshold(kRelative);
    return lu.rank() == values.rows() && values.cwiseAbs().maxCoeff() > kRelative;
  }

  // The change that frees most, among the joints of this state; applied.
  std::optional<Remedy> best_change(const Stress& stress) {
    std::optional<Remedy> best;
    int best_place = -1;
    Values best_values;
    std::vector<int> best_at;
    // Places are numbered cut joints first.
    for (const auto& [place, wrench] : stress) {
      if (closed_[to_index(place)]) continue;
      const Place& here = places_[to_index(place)];
      const std::vector<int> at = stresses_at(place);
      for (const Change& change : changes_of(here.type)) {
        const std::vector<SpatialVector> twists = freed(here, change);
        const int gain = static_cast<int>(twists.size());
        // Of equal gains the first: cut joints, then the tree in its order.
        if (best && gain <= best->removes) continue;
        Values values = powers(place, twists, at);
        if (!is_full(values)) continue;
        best = Remedy{here.joint, change.type, change.axis, gain};
        best_place = place;
        best_values = std::move(values);
        best_at = at;
      }
    }
    if (!best) return best;
    closed_[to_index(best_place)] = true;
    eliminate(best_values, best_at);
    return best;
  }

  // Keeps of the states only what does no work on the freed twists: one state a twist goes.
  void eliminate(Values values, const std::vector<int>& at) {
    for (Eigen::Index d = 0; d < values.rows(); ++d) {
      Eigen::Index pivot = 0;
      // The state that does most work on the twist is given up; the others are freed from it.
      values.row(d).cwiseAbs().maxCoeff(&pivot);
      Stress& gone = stresses_[to_index(at[to_index(pivot)])];
      for (Eigen::Index s = 0; s < values.cols(); ++s) {
        const double share = values(d, s) / values(d, pivot);
        if (s == pivot || share == 0) continue;
        const int index = at[to_index(s)];
        for (const auto& [place, wrench] : gone)
          add(stresses_[to_index(index)], place, SpatialVector(-share * wrench));
        values.col(s) -= share * values.col(pivot);
        note(index);
      }
      gone.clear();
      values.col(pivot).setZero();
    }
    for (const int s : at) tidy(stresses_[to_index(s)]);
  }

  const System& system_;
  const ConstraintRows& rows_;
  std::vector<Place> places_;       // cut joints, then those of the tree
  std::vector<int> place_of_link_;  // by link
  std::vector<int> place_of_closure_;
  std::vector<bool> closed_;  // by place: changed already, or not to be changed
  std::vector<Stress> stresses_;
  std::vector<std::vector<int>> using_;  // by place: states that carried something there at some time
};

const Remedy* remedy_of(std::span<const Remedy> remedies, model::JointId joint) {
  const auto found =
      std::find_if(remedies.begin(), remedies.end(), [&](const Remedy& remedy) { return remedy.joint == joint; });
  return joint.valid() && found != remedies.end() ? &*found : nullptr;
}

Eigen::Quaterniond turn_of(JointType type, const Remedy& remedy) {
  for (const Change& change : changes_of(type)) {
    if (change.type == remedy.type && change.axis == remedy.axis) return change.turn;
  }
  return Eigen::Quaterniond::Identity();
}

// Frames of the new joint, which stands at zero in this pose. A universal joint that becomes spherical keeps its own.
void retype(JointType& type, Pose& X_LA, Pose& X_LB, const Pose& X_WLa, const Pose& X_WLb, const Remedy& remedy) {
  X_LA = X_LA * Pose{Eigen::Vector3d::Zero(), turn_of(type, remedy)};
  type = remedy.type;
  X_LB = math::relative_pose(X_WLb, X_WLa * X_LA);
}

}  // namespace

std::vector<Remedy> find_remedies(const System& system, const ConstraintRows& rows,
                                  const std::vector<SparseVector>& relations) {
  return Search(system, rows).find(relations);
}

std::pair<System, std::vector<double>> retyped(const System& system, std::span<const double> q,
                                               std::span<const Remedy> remedies) {
  const std::vector<Pose> pose = link_poses(system, q);
  const auto at = [&](int link) { return pose[to_index(link)]; };
  std::pair<System, std::vector<double>> result{system, {}};
  System& changed = result.first;
  std::vector<double>& position = result.second;
  changed->velocity_size = 0;
  for (std::size_t i = 0; i < changed->links.size(); ++i) {
    Link& link = changed->links[i];
    const auto size = to_index(model::joint_kind(link.type).position_size);
    std::vector<double> own(q.begin() + link.position, q.begin() + link.position + static_cast<std::ptrdiff_t>(size));
    if (const Remedy* remedy = remedy_of(remedies, link.joint)) {
      retype(link.type, link.X_LA, link.X_LB, at(link.parent), pose[i], *remedy);
      own = model::joint_position(link.type, 0, Pose{});
    }
    // Other types have other numbers of coordinates, so that all that come later move.
    link.position = static_cast<int>(position.size());
    link.velocity = changed->velocity_size;
    link.freedom = model::joint_kind(link.type).freedom;
    changed->velocity_size += link.freedom;
    position.insert(position.end(), own.begin(), own.end());
  }
  changed->position_size = static_cast<int>(position.size());
  // Driven joints keep their types, and how far a mechanism can move does not ask what drives it.
  changed->drives.clear();
  changed->rows = 0;
  for (Closure& closure : changed->closures) {
    if (const Remedy* remedy = remedy_of(remedies, closure.joint))
      retype(closure.type, closure.X_LA, closure.X_LB, at(closure.a), at(closure.b), *remedy);
    closure.row = changed->rows;
    closure.rows = model::joint_kind(closure.type).constraint;
    changed->rows += closure.rows;
  }
  return result;
}

}  // namespace espalier::dynamics::detail
