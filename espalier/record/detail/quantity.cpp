#include "espalier/record/detail/quantity.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace espalier::record::detail {
namespace {

using model::ContactPoint;
using model::Frame;
using model::RankLoad;

// A number, or a list of them. Whole numbers too: doubles hold them exactly up to 2^53, and the table says how they are
// stored.
template <class T>
void add(const T& what, std::vector<double>& to) {
  if constexpr (std::is_arithmetic_v<T>) {
    to.push_back(static_cast<double>(what));
  } else {
    to.insert(to.end(), what.begin(), what.end());
  }
}

// What a frame has under this name.
template <auto member>
void take(const Frame& frame, std::vector<double>& to) {
  add(frame.*member, to);
}
// The same of every contact, or of every rank.
template <auto list, auto member>
void take_each(const Frame& frame, std::vector<double>& to) {
  for (const auto& item : frame.*list) add(item.*member, to);
}
template <auto list>
void count(const Frame& frame, std::vector<double>& to) {
  to.push_back(static_cast<double>((frame.*list).size()));
}
void take_bodies(const Frame& frame, std::vector<double>& to) {
  for (const ContactPoint& contact : frame.contacts) {
    add(std::array<std::int32_t, 2>{contact.master, contact.slave}, to);
  }
}
void take_mechanical(const Frame& frame, std::vector<double>& to) { to.push_back(frame.kinetic + frame.potential); }
void take_total(const Frame& frame, std::vector<double>& to) {
  to.push_back(frame.kinetic + frame.potential + frame.strain);
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

// The ground does not move.
std::vector<std::string> pose_names(const std::vector<std::string>& bodies) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const char* end : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}) {
      names.push_back(b == 0 ? "" : bodies[b] + end);
    }
  }
  return names;
}

// Whose results have a quantity.
enum class Of { kMechanism, kScene, kBoth };

struct Line {
  Of of;
  Quantity quantity;
};

// The table. Fields: whose, dataset, unit, meaning, shape of a row, how it is taken from a frame; then, where they are
// not the usual ones: how it is stored, what its rows stand for, what its numbers end, names in result.csv.
std::vector<Line> rows_of_contacts_and_ranks() {
  constexpr Of of = Of::kScene;
  constexpr auto contacts = &Frame::contacts;
  constexpr auto ranks = &Frame::ranks;
  constexpr By contact = By::kContact, rank = By::kRank;
  constexpr Stored number = Stored::kDouble;
  // What a contact is, is told by rows of its own: frames have any number of them.
  return {
      {of,
       {"/contact/bodies",
        "1",
        "master and slave, places in /names/bodies",
        {2},
        take_bodies,
        Stored::kInt32,
        contact}},
      {of,
       {"/contact/point",
        "m",
        "where, in the world, at the middle of the step",
        {3},
        take_each<contacts, &ContactPoint::point>,
        number,
        contact}},
      {of,
       {"/contact/normal", "1", "out of the slave", {3}, take_each<contacts, &ContactPoint::normal>, number, contact}},
      {of,
       {"/contact/force",
        "N",
        "on the master from the slave, mean of the step, world axes",
        {3},
        take_each<contacts, &ContactPoint::force>,
        number,
        contact}},
      {of,
       {"/contact/gap",
        "m",
        "between the surfaces; below 0 they overlap",
        {},
        take_each<contacts, &ContactPoint::gap>,
        number,
        contact}},
      {of,
       {"/rank/busy",
        "s",
        "time of its own since the frame before",
        {},
        take_each<ranks, &RankLoad::busy>,
        number,
        rank}},
      {of,
       {"/rank/waiting",
        "s",
        "time in messages since the frame before",
        {},
        take_each<ranks, &RankLoad::waiting>,
        number,
        rank}},
      {of, {"/rank/bodies", "1", "bodies it owns", {}, take_each<ranks, &RankLoad::bodies>, Stored::kInt64, rank}},
      {of,
       {"/rank/contacts", "1", "contacts it owns", {}, take_each<ranks, &RankLoad::contacts>, Stored::kInt64, rank}},
  };
}

std::vector<Line> rows_of_coordinates(const ResultLayout& layout) {
  // Scenes have no tree.
  constexpr Of of = Of::kMechanism;
  return {
      {of, {"/q", "see /units/q", "coordinates of the tree, named in /names/q", {layout.q.size()}, take<&Frame::q>}},
      {of, {"/v", "see /units/v", "velocities of the tree, named in /names/v", {layout.v.size()}, take<&Frame::v>}},
  };
}

// A row of the table that has no other rows, named numbers, and may be younger than the file.
Line line_of(Of of, Quantity quantity, std::vector<NumberName> names, bool is_added) {
  // Names come from the layout and the rest from the table, where it can be read at a glance.
  quantity.names = std::move(names);
  quantity.is_added = is_added;
  return {of, std::move(quantity)};
}

std::vector<Line> rows_of_joints(const ResultLayout& layout) {
  const bool scene = layout.kind == RunKind::kScene;
  Quantity position = {"/joint_position",
                       "see /units/joint_position",
                       "of every joint, named in /names/joint_position",
                       {layout.joint_position.size()},
                       take<&Frame::joint_position>};
  // A scene's table has the poses of bodies instead.
  if (!scene) position.csv = names_of(layout.joint_position);
  return {
      line_of(Of::kBoth, std::move(position), joint_names(layout, layout.joint_position, "position"), scene),
      line_of(Of::kBoth,
              {"/joint_velocity",
               "see /units/joint_velocity",
               "of every joint, named in /names/joint_velocity",
               {layout.joint_velocity.size()},
               take<&Frame::joint_velocity>},
              joint_names(layout, layout.joint_velocity, "velocity"), scene),
      line_of(Of::kBoth,
              {"/joint_acceleration",
               "see /units/joint_acceleration",
               "of every joint, named in /names/joint_acceleration",
               {layout.joint_acceleration.size()},
               take<&Frame::joint_acceleration>},
              joint_names(layout, layout.joint_acceleration, "acceleration"), true),
      line_of(Of::kBoth,
              {"/joint_drive",
               "see /units/joint_effort",
               "on each coordinate of /names/joint_effort, from loads, prescribed motions and couplings",
               {layout.joint_effort.size()},
               take<&Frame::joint_drive>},
              drive_names(layout), true),
      line_of(Of::kBoth,
              {"/joint_passive",
               "see /units/joint_effort",
               "on each coordinate of /names/joint_effort, from the joint's springs, dampers, friction and limits",
               {layout.joint_effort.size()},
               take<&Frame::joint_passive>},
              joint_names(layout, layout.joint_effort, "passive"), true),
      line_of(Of::kBoth,
              {"/force",
               "see /units/force",
               "of every force, named in /names/force",
               {layout.force.size()},
               take<&Frame::force>},
              force_names(layout), true),
  };
}

std::vector<Line> rows_of_bodies(const ResultLayout& layout) {
  const std::size_t bodies = layout.bodies.size(), joints = layout.joints.size();
  const bool scene = layout.kind == RunKind::kScene;
  Quantity pose = {"/body_pose",
                   "m, 1",
                   "by body of /names/bodies: origin x y z, quaternion w x y z, in the world",
                   {bodies, 7},
                   take<&Frame::body_pose>};
  // A mechanism's table has its joints' positions instead.
  if (scene) pose.csv = pose_names(layout.bodies);
  return {
      line_of(Of::kBoth, std::move(pose), pose_number_names(layout), false),
      line_of(Of::kBoth,
              {"/body_velocity",
               "m/s, rad/s",
               "by body: of its origin x y z, angular x y z, world axes",
               {bodies, 6},
               take<&Frame::body_velocity>},
              body_names(layout, "velocity", "m/s", "rad/s"), false),
      line_of(Of::kBoth,
              {"/body_acceleration",
               "m/s^2, rad/s^2",
               "by body: of its origin x y z, angular x y z, world axes",
               {bodies, 6},
               take<&Frame::body_acceleration>},
              body_names(layout, "acceleration", "m/s^2", "rad/s^2"), scene),
      line_of(
          Of::kMechanism,
          {"/reaction",
           "N, N m",
           "by joint of /names/joints: force and couple on its second body from its first, at the joint, world axes",
           {joints, 6},
           take<&Frame::reaction>},
          reaction_names(layout), false),
      {Of::kScene, {"/owner", "1", "by body: the rank that moves it", {bodies}, take<&Frame::owner>, Stored::kInt32}},
  };
}

std::vector<Line> rows_of_energies() {
  // One number per frame, which has a column in the table too; a name is its path with a dot.
  const auto line = [](Of of, const char* path, const char* unit, const char* says, auto take, const char* in_csv) {
    std::string name = path + 1;
    name.replace(name.find('/'), 1, ".");
    return Line{of,
                {path, unit, says, {}, take, Stored::kDouble, By::kFrame, std::nullopt, {in_csv}, {{"", name, unit}}}};
  };
  const char* mechanical = "kinetic + potential; total - exchanged stays the same";
  const char* work = "work done so far by dampers, friction, drives and loads";
  return {
      line(Of::kBoth, "/energy/kinetic", "J", "kinetic energy", take<&Frame::kinetic>, "kinetic"),
      line(Of::kMechanism, "/energy/potential", "J", "of gravity and springs", take<&Frame::potential>, "potential"),
      line(Of::kScene, "/energy/potential", "J", "of gravity", take<&Frame::potential>, "potential"),
      line(Of::kScene, "/energy/strain", "J", "of pseudo-rigid bodies", take<&Frame::strain>, "strain"),
      line(Of::kMechanism, "/energy/exchanged", "J", work, take<&Frame::exchanged>, "exchanged"),
      line(Of::kMechanism, "/energy/total", "J", mechanical, take_mechanical, "total"),
      line(Of::kScene, "/energy/total", "J", "kinetic + potential + strain", take_total, "total"),
      line(Of::kMechanism, "/loop/distance", "m", "largest gap of a cut joint", take<&Frame::loop_distance>,
           "loop_distance"),
      line(Of::kMechanism, "/loop/angle", "rad", "largest gap of a cut joint", take<&Frame::loop_angle>, "loop_angle"),
  };
}

std::vector<Line> rows_of_frames() {
  return {
      {Of::kScene,
       {"/contact/end",
        "1",
        "rows of /contact/... up to the end of this frame",
        {},
        count<&Frame::contacts>,
        Stored::kInt64,
        By::kFrame,
        By::kContact}},
      {Of::kScene,
       {"/rank/end",
        "1",
        "rows of /rank/... up to the end of this frame",
        {},
        count<&Frame::ranks>,
        Stored::kInt64,
        By::kFrame,
        By::kRank}},
      {Of::kBoth, {"/time", "s", "time", {}, take<&Frame::time>}},
  };
}

}  // namespace

std::size_t Quantity::row_size() const {
  std::size_t size = 1;
  // An empty shape is one number: the product of nothing is 1.
  for (const std::size_t n : inner) size *= n;
  return size;
}

std::vector<Quantity> quantities(const ResultLayout& layout) {
  const Of own = layout.kind == RunKind::kScene ? Of::kScene : Of::kMechanism;
  std::vector<Quantity> all;
  // The order of the datasets in the file, /time last (quantity.hpp says why).
  for (std::vector<Line> part : {rows_of_contacts_and_ranks(), rows_of_coordinates(layout), rows_of_joints(layout),
                                 rows_of_bodies(layout), rows_of_energies(), rows_of_frames()}) {
    for (Line& line : part) {
      // HDF5 knows no chunks of nothing.
      const bool there = (line.of == Of::kBoth || line.of == own) && line.quantity.row_size() > 0;
      if (there) all.push_back(std::move(line.quantity));
    }
  }
  return all;
}

}  // namespace espalier::record::detail
