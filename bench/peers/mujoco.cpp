// MuJoCo 2.2 as Debian builds it. Its loops are soft: the stiffest impedance it allows is set. Each mechanism is given
// to it as MJCF, or as URDF where bodies nest deeper than its XML reader allows (100 elements).

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "bench/peers/program.hpp"
#include "bench/timing.hpp"
#include "espalier/base/result.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace bench {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Link = PeerTree::Link;
using Loop = PeerTree::Loop;
using espalier::math::Pose;

constexpr int kDeepest = 90;

std::string text(const Vector3d& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z()); }

// The link in its parent where all coordinates are 0.
Pose rest_pose(const Link& link) { return link.X_LA * link.X_LB.inverse(); }

struct Hinge {
  const char* type;
  Vector3d axis;  // in the link
};

// A link's joint as MuJoCo has it: one after the other on one body.
std::vector<Hinge> hinges(const Link& link) {
  const Quaterniond& R = link.X_LB.rotation;
  switch (link.joint) {
    case Joint::kRevolute:
      return {{"hinge", R * Vector3d::UnitZ()}};
    case Joint::kPrismatic:
      return {{"slide", R * Vector3d::UnitZ()}};
    case Joint::kUniversal:
      return {{"hinge", R * Vector3d::UnitX()}, {"hinge", R * Vector3d::UnitY()}};
    case Joint::kSpherical:
      return {{"ball", Vector3d::UnitZ()}};
    case Joint::kFree:
      return {{"free", Vector3d::UnitZ()}};
  }
  return {};
}

std::string inertial_text(const PeerTree::Inertia& inertia) {
  const auto m = espalier::math::moments_from_matrix(inertia.about_com);
  return fmt::format(
      R"(<inertial pos="{}" mass="{:.17g}" fullinertia="{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}"/>)",
      text(inertia.com), inertia.mass, m[0], m[1], m[2], m[3], m[4], m[5]);
}

std::string body_text(const PeerTree& tree, const std::vector<std::vector<int>>& children, int k) {
  const Link& link = tree.links[static_cast<std::size_t>(k)];
  const Pose X = rest_pose(link);
  std::string result = fmt::format(R"(<body name="b{}" pos="{}" quat="{:.17g} {}">{})", k, text(X.position),
                                   X.rotation.w(), text(X.rotation.vec()), inertial_text(link.inertia));
  int part = 0;
  for (const Hinge& hinge : hinges(link)) {
    if (link.joint == Joint::kFree) {
      result += fmt::format(R"(<freejoint name="j{}_0"/>)", k);
    } else {
      result += fmt::format(R"(<joint name="j{}_{}" type="{}" pos="{}" axis="{}"/>)", k, part++, hinge.type,
                            text(link.X_LB.position), text(hinge.axis));
    }
  }
  for (const int child : children[static_cast<std::size_t>(k)]) result += body_text(tree, children, child);
  return result + "</body>\n";
}

std::string mjcf_text(const PeerTree& tree) {
  std::vector<std::vector<int>> children(tree.links.size());
  for (std::size_t k = 1; k < tree.links.size(); ++k) {
    children[static_cast<std::size_t>(tree.links[k].parent)].push_back(static_cast<int>(k));
  }
  std::string result = fmt::format(
      R"(<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/><size njmax="{}" nconmax="1"/><worldbody>)",
      3 * tree.loops.size() + 8);
  for (const int child : children[0]) result += body_text(tree, children, child);
  result += "</worldbody><equality>";
  for (const Loop& loop : tree.loops) {
    const auto name = [](int link) { return link == 0 ? std::string("world") : fmt::format("b{}", link); };
    result += fmt::format(R"(<connect body1="{}" body2="{}" anchor="{}"/>)", name(loop.a), name(loop.b),
                          text(loop.X_LA.position));
  }
  return result + "</equality></mujoco>";
}

// Revolute trees only. The link's frame is put on frame B, as URDF wants it.
std::string urdf_text(const PeerTree& tree) {
  std::string result = R"(<robot name="r"><link name="base"/>)";
  for (std::size_t k = 1; k < tree.links.size(); ++k) {
    const Link& link = tree.links[k];
    ESPALIER_CHECK(link.joint == Joint::kRevolute, "deep mechanisms have revolute joints");
    const PeerTree::Inertia& own = link.inertia;
    const auto inertia = espalier::math::transformed(link.X_LB.inverse(), {own.mass, own.com, own.about_com});
    const auto m = espalier::math::moments_from_matrix(inertia.about_com);
    result += fmt::format(
        R"(<link name="b{}"><inertial><origin xyz="{}"/><mass value="{:.17g}"/><inertia ixx="{:.17g}" iyy="{:.17g}")"
        R"( izz="{:.17g}" ixy="{:.17g}" ixz="{:.17g}" iyz="{:.17g}"/></inertial></link>)",
        k, text(inertia.com), inertia.mass, m[0], m[1], m[2], m[3], m[4], m[5]);
    const Pose X = tree.links[static_cast<std::size_t>(link.parent)].X_LB.inverse() * link.X_LA;
    result += fmt::format(
        R"(<joint name="j{}_0" type="continuous"><parent link="{}"/><child link="b{}"/><origin xyz="{}" rpy="{}"/>)"
        R"(<axis xyz="0 0 1"/></joint>)",
        k, link.parent == 0 ? std::string("base") : fmt::format("b{}", link.parent), k, text(X.position),
        text(espalier::math::rpy_from_rotation(X.rotation)));
  }
  return result + "</robot>";
}

int depth(const PeerTree& tree) {
  std::vector<int> level(tree.links.size(), 0);
  int deepest = 0;
  for (std::size_t k = 1; k < level.size(); ++k) {
    level[k] = 1 + level[static_cast<std::size_t>(tree.links[k].parent)];
    deepest = std::max(deepest, level[k]);
  }
  return deepest;
}

mjModel* load(const std::string& content) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(content.size()));
  std::memcpy(files->filedata[0], content.data(), content.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("model.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) {
    std::fprintf(stderr, "MuJoCo does not read the model: %s\n", error);
    std::exit(1);
  }
  return model;
}

class Mujoco {
 public:
  explicit Mujoco(const PeerTree& tree) : tree_(tree), is_urdf_(depth(tree) > kDeepest) {
    model_ = load(is_urdf_ ? urdf_text(tree) : mjcf_text(tree));
    set_options();
    set_anchors();
    data_ = mj_makeData(model_);
    q_.assign(model_->qpos0, model_->qpos0 + model_->nq);
    v_.assign(static_cast<std::size_t>(model_->nv), 0);
    effort_ = v_;
    unit_.assign(v_.size(), 1);
    residual_ = v_;
    set_state();
    if (!tree.loops.empty()) choose_jacobian();
  }
  ~Mujoco() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;

  // malloc would tell less: MuJoCo keeps the file it read last until it reads the next one.
  double bytes() const {
    return static_cast<double>(sizeof *model_ + sizeof *data_) + static_cast<double>(model_->nbuffer) +
           static_cast<double>(data_->nbuffer) + static_cast<double>(data_->nstack) * sizeof(mjtNum);
  }

  void forward(double factor) {
    put_state(factor);
    mj_forward(model_, data_);
  }

  void inverse(double factor) {
    put_state(factor);
    mju_copy(data_->qacc, unit_.data(), model_->nv);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 1, residual_.data());
  }

  std::vector<double> efforts() const {
    std::vector<double> result(residual_.size());
    for (std::size_t k = 0; k < result.size(); ++k) result[static_cast<std::size_t>(place_[k])] = residual_[k];
    return result;
  }

  std::vector<LinkAcceleration> accelerations() {
    mj_rnePostConstraint(model_, data_);
    std::vector<LinkAcceleration> result(1);
    for (std::size_t k = 1; k < tree_.links.size(); ++k) {
      const int body = mj_name2id(model_, mjOBJ_BODY, fmt::format("b{}", k).c_str());
      double a[6], v[6];
      mj_objectAcceleration(model_, data_, mjOBJ_XBODY, body, a, 0);
      mj_objectVelocity(model_, data_, mjOBJ_XBODY, body, v, 0);
      // MuJoCo lifts the world instead of pulling the bodies down.
      LinkAcceleration found{{a[0], a[1], a[2]}, Vector3d(a[3], a[4], a[5]) + tree_.gravity};
      if (is_urdf_) found = moved(found, Vector3d(v[0], v[1], v[2]), body, tree_.links[k]);
      result.push_back(found);
    }
    return result;
  }

  // Classical Runge-Kutta; loops pulled back as fast as its manual advises, within two steps.
  Run simulate(double end, double step) {
    model_->opt.timestep = step;
    model_->opt.integrator = mjINT_RK4;
    for (int k = 0; k < model_->neq; ++k) model_->eq_solref[mjNREF * k] = 2 * step;
    mj_resetData(model_, data_);
    put_state(1);
    Run run;
    run.steps = std::lround(end / step);
    const double start = thread_seconds();
    for (long k = 0; k < run.steps; ++k) mj_step(model_, data_);
    run.seconds = thread_seconds() - start;
    const int joint = mj_name2id(model_, mjOBJ_JOINT, fmt::format("j{}_0", tree_.joint_zero).c_str());
    run.angle = data_->qpos[model_->jnt_qposadr[joint]];
    run.done = data_->warning[mjWARN_BADQACC].number == 0;
    return run;
  }

 private:
  void set_options() {
    mjOption& option = model_->opt;
    option.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_PASSIVE | mjDSBL_ACTUATION | mjDSBL_WARMSTART | mjDSBL_FRICTIONLOSS;
    for (int k = 0; k < 3; ++k) option.gravity[k] = tree_.gravity[k];
    option.timestep = 1e-3;
    option.tolerance = 1e-10;
    option.solver = mjSOL_NEWTON;
    for (int k = 0; k < model_->neq; ++k) {
      model_->eq_solimp[mjNIMP * k] = mjMAXIMP;
      model_->eq_solimp[mjNIMP * k + 1] = mjMAXIMP;
    }
  }

  // MuJoCo takes the second anchor from the pose with all coordinates 0, where loops need not be closed.
  void set_anchors() {
    int k = 0;
    for (const Loop& loop : tree_.loops) {
      for (int i = 0; i < 3; ++i) {
        model_->eq_data[mjNEQDATA * k + i] = loop.X_LA.position[i];
        model_->eq_data[mjNEQDATA * k + 3 + i] = loop.X_LB.position[i];
      }
      ++k;
    }
  }

  void set_state() {
    place_.resize(v_.size());
    for (std::size_t k = 1; k < tree_.links.size(); ++k) {
      const Link& link = tree_.links[k];
      const auto parts = static_cast<int>(hinges(link).size());
      for (int part = 0; part < parts; ++part) {
        const int joint = mj_name2id(model_, mjOBJ_JOINT, fmt::format("j{}_{}", k, part).c_str());
        ESPALIER_CHECK(joint >= 0, "MuJoCo keeps the names of joints");
        set_position(link, model_->jnt_qposadr[joint], part);
        const int freedom = parts == 1 ? link.freedom : 1;
        for (int i = 0; i < freedom; ++i) {
          const auto here = static_cast<std::size_t>(model_->jnt_dofadr[joint] + i);
          place_[here] = link.velocity + part + i;
          v_[here] = tree_.v[static_cast<std::size_t>(place_[here])];
          effort_[here] = tree_.effort[static_cast<std::size_t>(place_[here])];
        }
      }
    }
  }

  void set_position(const Link& link, int at, int part) {
    const double* drawn = tree_.q.data() + link.position;
    if (link.joint == Joint::kFree) {
      // A free body stands on the world, frame on frame.
      std::copy(drawn, drawn + 7, q_.begin() + at);
    } else if (link.joint == Joint::kSpherical) {
      // MuJoCo turns the body's own frame, we turn frame B.
      const Quaterniond& R = link.X_LB.rotation;
      const Quaterniond turned = R * Quaterniond(drawn[0], drawn[1], drawn[2], drawn[3]) * R.conjugate();
      q_[static_cast<std::size_t>(at)] = turned.w();
      for (int i = 0; i < 3; ++i) q_[static_cast<std::size_t>(at + 1 + i)] = turned.vec()[i];
    } else {
      q_[static_cast<std::size_t>(at)] = drawn[part];
    }
  }

  void put_state(double factor) {
    mju_copy(data_->qpos, q_.data(), model_->nq);
    mju_scl(data_->qvel, v_.data(), factor, model_->nv);
    mju_copy(data_->qfrc_applied, effort_.data(), model_->nv);
  }

  // Dense or sparse, whichever is faster here. Dense takes seconds where there are many coordinates.
  void choose_jacobian() {
    model_->opt.jacobian = mjJAC_SPARSE;
    if (model_->nv > 500) return;
    double seconds[2];
    for (const int jacobian : {mjJAC_DENSE, mjJAC_SPARSE}) {
      model_->opt.jacobian = jacobian;
      forward(1);
      const double start = thread_seconds();
      for (int k = 0; k < 5; ++k) forward(1);
      seconds[jacobian] = thread_seconds() - start;
    }
    model_->opt.jacobian = seconds[mjJAC_DENSE] < seconds[mjJAC_SPARSE] ? mjJAC_DENSE : mjJAC_SPARSE;
  }

  // From the origin of frame B, which is the body of a URDF, to the origin of the link.
  LinkAcceleration moved(const LinkAcceleration& at, const Vector3d& w, int body, const Link& link) const {
    const double* R = data_->xmat + 9 * body;
    const Vector3d p = link.X_LB.inverse().position;
    const Vector3d arm(R[0] * p.x() + R[1] * p.y() + R[2] * p.z(), R[3] * p.x() + R[4] * p.y() + R[5] * p.z(),
                       R[6] * p.x() + R[7] * p.y() + R[8] * p.z());
    return {at.angular, at.linear + at.angular.cross(arm) + w.cross(w.cross(arm))};
  }

  const PeerTree& tree_;
  bool is_urdf_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<double> q_, v_, effort_, unit_, residual_;  // in MuJoCo's order
  std::vector<int> place_;                                // by coordinate of MuJoCo: that of the system
};

}  // namespace

Program make_mujoco(const PeerTree& tree) {
  Program program;
  program.name = "mujoco";
  const auto copy = std::make_shared<const PeerTree>(tree);
  const auto peer = std::make_shared<Mujoco>(*copy);
  program.bytes = peer->bytes();
  program.forward = [copy, peer](double factor) { peer->forward(factor); };
  program.accelerations = [copy, peer] { return peer->accelerations(); };
  if (tree.loops.empty()) {
    program.inverse = [copy, peer](double factor) { peer->inverse(factor); };
    program.efforts = [copy, peer] { return peer->efforts(); };
  }
  program.simulate = [copy, peer](double end, const Setting& setting) { return peer->simulate(end, setting.step); };
  return program;
}

}  // namespace bench
