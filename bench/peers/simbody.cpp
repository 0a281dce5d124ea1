// Simbody 3.7 as Debian builds it.

#include <Simbody.h>

#include <memory>
#include <stdexcept>

#include "bench/peers/program.hpp"
#include "bench/timing.hpp"

namespace bench {
namespace {

using Link = PeerTree::Link;
using Loop = PeerTree::Loop;
using espalier::math::Pose;
using SimTK::MobilizedBody;
using SimTK::MobilizedBodyIndex;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 vec(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Eigen::Vector3d vec(const Vec3& v) { return {v[0], v[1], v[2]}; }

SimTK::Rotation rotation(const Eigen::Quaterniond& q) {
  return SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
}

Transform transform(const Pose& X) { return {rotation(X.rotation), vec(X.position)}; }

SimTK::Body::Rigid body(const PeerTree::Inertia& inertia) {
  const Eigen::Matrix3d& I = inertia.about_com;
  const SimTK::Inertia about_com(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  const Vec3 com = vec(inertia.com);
  return SimTK::Body::Rigid(SimTK::MassProperties(inertia.mass, com, about_com.shiftFromMassCenter(com, inertia.mass)));
}

class Simbody {
 public:
  explicit Simbody(const PeerTree& tree)
      : tree_(tree),
        matter_(simbody_),
        forces_(simbody_),
        gravity_(forces_, matter_, vec(tree.gravity)),
        efforts_(forces_, matter_) {
    simbody_.setUseUniformBackground(true);
    index_.push_back(matter_.getGround().getMobilizedBodyIndex());
    for (std::size_t k = 1; k < tree.links.size(); ++k) add_link(tree.links[k]);
    for (const Loop& loop : tree.loops) add_loop(loop);
    state_ = simbody_.realizeTopology();
    simbody_.realizeModel(state_);
    set_state();
    simbody_.realize(state_, SimTK::Stage::Acceleration);
    q_ = state_.getQ();
    u_ = state_.getU();
    unit_ = SimTK::Vector(state_.getNU(), 1.0);
    residual_ = unit_;
  }

  void forward(double factor) {
    put_state(factor);
    simbody_.realize(state_, SimTK::Stage::Acceleration);
  }

  void inverse(double factor) {
    put_state(factor);
    simbody_.realize(state_, SimTK::Stage::Velocity);
    matter_.calcResidualForceIgnoringConstraints(state_, SimTK::Vector(), gravity_.getBodyForces(state_), unit_,
                                                 residual_);
  }

  std::vector<double> efforts() const {
    std::vector<double> result(static_cast<std::size_t>(state_.getNU()));
    for (std::size_t k = 1; k < tree_.links.size(); ++k) {
      const Link& link = tree_.links[k];
      const int first = mobilized(k).getFirstUIndex(state_);
      for (int i = 0; i < link.freedom; ++i) {
        result[static_cast<std::size_t>(link.velocity + i)] = residual_[first + place(link, i)];
      }
    }
    return result;
  }

  std::vector<LinkAcceleration> accelerations() const {
    std::vector<LinkAcceleration> result(1);
    for (std::size_t k = 1; k < tree_.links.size(); ++k) {
      const MobilizedBody& b = mobilized(k);
      result.push_back({vec(b.getBodyAngularAcceleration(state_)), vec(b.getBodyOriginAcceleration(state_))});
    }
    return result;
  }

  // Runge-Kutta-Merson with error control; loops are projected to a tenth of the accuracy.
  Run simulate(double end, double accuracy) {
    SimTK::State start = state_;
    start.updQ() = q_;
    start.updU() = u_;
    SimTK::RungeKuttaMersonIntegrator integrator(simbody_);
    integrator.setAccuracy(accuracy);
    integrator.setConstraintTolerance(std::max(accuracy / 10, 1e-9));
    SimTK::TimeStepper stepper(simbody_, integrator);
    Run run;
    const double begin = thread_seconds();
    try {
      stepper.initialize(start);
      stepper.stepTo(end);
      run.done = true;
    } catch (const std::exception&) {
      // Simbody throws where it cannot project; the run is then not done.
    }
    run.seconds = thread_seconds() - begin;
    run.steps = integrator.getNumStepsTaken();
    if (run.done) run.angle = mobilized(static_cast<std::size_t>(tree_.joint_zero)).getOneQ(integrator.getState(), 0);
    return run;
  }

 private:
  void add_link(const Link& link) {
    MobilizedBody& parent = matter_.updMobilizedBody(index_[static_cast<std::size_t>(link.parent)]);
    const Transform F = transform(link.X_LA);
    const Transform M = transform(link.X_LB);
    const SimTK::Body::Rigid rigid = body(link.inertia);
    // A slider moves along x, ours along z.
    const Transform turn{SimTK::Rotation(-SimTK::Pi / 2, SimTK::YAxis)};
    switch (link.joint) {
      case Joint::kRevolute:
        index_.push_back(MobilizedBody::Pin(parent, F, rigid, M));
        break;
      case Joint::kPrismatic:
        index_.push_back(MobilizedBody::Slider(parent, F * turn, rigid, M * turn));
        break;
      case Joint::kUniversal:
        index_.push_back(MobilizedBody::Universal(parent, F, rigid, M));
        break;
      case Joint::kSpherical:
        index_.push_back(MobilizedBody::Ball(parent, F, rigid, M));
        break;
      case Joint::kFree:
        index_.push_back(MobilizedBody::Free(parent, F, rigid, M));
        break;
      default:
        throw std::logic_error("no mechanism that is compared has another joint in its tree");
    }
  }

  // A revolute joint closes a planar loop here: its point stays on a line across the plane.
  void add_loop(const Loop& loop) {
    MobilizedBody& a = matter_.updMobilizedBody(index_[static_cast<std::size_t>(loop.a)]);
    MobilizedBody& b = matter_.updMobilizedBody(index_[static_cast<std::size_t>(loop.b)]);
    const Vec3 on_a = vec(loop.X_LA.position);
    const Vec3 on_b = vec(loop.X_LB.position);
    if (loop.joint == Joint::kRevolute) {
      const SimTK::UnitVec3 axis(vec(loop.X_LA.rotation * Eigen::Vector3d::UnitZ()));
      SimTK::Constraint::PointOnLine(a, axis, on_a, b, on_b);
    } else if (loop.joint == Joint::kSpherical) {
      SimTK::Constraint::Ball(a, on_a, b, on_b);
    } else {
      throw std::logic_error("loops are closed by spherical or by parallel joints");
    }
  }

  const MobilizedBody& mobilized(std::size_t link) const { return matter_.getMobilizedBody(index_[link]); }

  // Where coordinate i of a link is among Simbody's: a free body has its rotation first.
  static int place(const Link& link, int i) { return link.joint == Joint::kFree ? (i + 3) % 6 : i; }

  void set_state() {
    SimTK::Vector effort(state_.getNU(), 0.0);
    for (std::size_t k = 1; k < tree_.links.size(); ++k) {
      const Link& link = tree_.links[k];
      const MobilizedBody& b = mobilized(k);
      const double* q = tree_.q.data() + link.position;
      if (link.joint == Joint::kFree || link.joint == Joint::kSpherical) {
        b.setQToFitTransform(state_, transform(link.X_AB));
      }
      for (int i = 0; i < link.freedom; ++i) {
        const auto at = static_cast<std::size_t>(link.velocity + i);
        if (link.freedom < 3) b.setOneQ(state_, i, q[i]);
        b.setOneU(state_, place(link, i), tree_.v[at]);
        effort[b.getFirstUIndex(state_) + place(link, i)] = tree_.effort[at];
      }
    }
    efforts_.setAllMobilityForces(state_, effort);
  }

  void put_state(double factor) {
    state_.updQ() = q_;
    state_.updU() = factor * u_;
  }

  const PeerTree& tree_;
  SimTK::MultibodySystem simbody_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::Gravity gravity_;
  SimTK::Force::DiscreteForces efforts_;
  SimTK::State state_;
  SimTK::Vector q_, u_, unit_, residual_;
  std::vector<MobilizedBodyIndex> index_;  // by link
};

}  // namespace

Program make_simbody(const PeerTree& tree) {
  Program program;
  program.name = "simbody";
  const auto copy = std::make_shared<const PeerTree>(tree);
  const double before = allocated_bytes();
  const auto peer = std::make_shared<Simbody>(*copy);
  program.bytes = allocated_bytes() - before;
  program.forward = [copy, peer](double factor) { peer->forward(factor); };
  program.accelerations = [copy, peer] { return peer->accelerations(); };
  if (tree.loops.empty()) {
    program.inverse = [copy, peer](double factor) { peer->inverse(factor); };
    program.efforts = [copy, peer] { return peer->efforts(); };
  }
  program.simulate = [copy, peer](double end, const Setting& setting) { return peer->simulate(end, setting.accuracy); };
  return program;
}

}  // namespace bench
