#include "espalier/dynamics/system.hpp"

#include <algorithm>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {

System::System() : data_(std::make_unique<detail::SystemData>()) {}
System::System(const System& other) : data_(std::make_unique<detail::SystemData>(*other.data_)) {}
System::System(System&& other) noexcept = default;
System& System::operator=(const System& other) { return *this = System(other); }
System& System::operator=(System&& other) noexcept = default;
System::~System() = default;

const model::Model& System::model() const { return data_->model; }
const Eigen::Vector3d& System::gravity() const { return data_->gravity; }
std::span<const Link> System::links() const { return data_->links; }
std::span<const Closure> System::closures() const { return data_->closures; }
std::span<const BodyPlace> System::body_places() const { return data_->body_places; }
int System::position_size() const { return data_->position_size; }
int System::velocity_size() const { return data_->velocity_size; }
int System::rows() const { return data_->rows; }
const std::vector<double>& System::drawn() const { return data_->drawn; }
const std::vector<double>& System::drawn_rate() const { return data_->drawn_rate; }
void System::set_callback(ForceLaw law) { data_->callback = std::move(law); }

LinkArrays::LinkArrays(const System& system)
    : pose(system->links.size()),
      velocity(system->links.size(), math::SpatialVector::Zero()),
      acceleration(system->links.size(), math::SpatialVector::Zero()),
      force(system->links.size(), math::SpatialVector::Zero()),
      watched(system->model.watched.size(), 0) {}

void gather_state(const System& system, const JointState& joints, std::vector<double>& q, std::vector<double>& v) {
  // A floating base has no joint of the model: it stays as drawn.
  q = system->drawn;
  v = system->drawn_rate;
  for (const Link& link : system->links) {
    if (!link.joint.valid()) continue;
    std::vector<double> position = joints.position[link.joint.index()];
    std::vector<double> velocity = joints.velocity[link.joint.index()];
    // The tree may run against the joint.
    if (link.reversed) model::exchange_coordinates(link.type, position, velocity);
    std::copy(position.begin(), position.end(), q.begin() + link.position);
    std::copy(velocity.begin(), velocity.end(), v.begin() + link.velocity);
  }
}

}  // namespace espalier::dynamics
