#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

using modes::CutStructure;
using Vector6c = Eigen::Matrix<std::complex<double>, 6, 1>;

// Where a drawn point gets its displacement from: the vertex, and how a point beside it moves.
struct Source {
  int vertex = 0;
  Eigen::Matrix<double, 3, 6> map;
};

class MotionMaker {
 public:
  explicit MotionMaker(const ModesAnswer& answer) : answer_(answer), cut_(answer.results->cut) {
    // Drawn upright: the axis along which gravity pulls most is up.
    const Eigen::Vector3d weight = answer.model.gravity.cwiseAbs();
    if (weight.maxCoeff() > 0) weight.maxCoeff(&motion_.up);
    for (int v = 0; v < cut_.whole_vertices; ++v) add_vertex(v);
    for (std::size_t e = 0; e < answer.structure.elements.size(); ++e) add_element(e);
  }

  draw::Motion make() {
    int next = 1;
    for (std::size_t k = 0; k < answer_.set.modes.size(); ++k) {
      const modes::Mode& mode = answer_.set.modes[k];
      for (const modes::ShapeResult& shape : answer_.results->modes[k]) {
        add_shape(mode, shape.shape, next++);
        add_strain(shape.energies);
      }
    }
    return std::move(motion_);
  }

 private:
  const modes::Vertex& vertex(int v) const { return cut_.structure.vertices[to_index(v)]; }

  // Three lists of one length: points, whether they are held, and where their displacement comes from.
  int add_point(const Eigen::Vector3d& place, Source source, bool fixed) {
    motion_.points.push_back(place);
    motion_.fixed.push_back(fixed);
    sources_.push_back(std::move(source));
    return static_cast<int>(sources_.size()) - 1;
  }

  // Its translation, in world axes.
  void add_vertex(int v) {
    Source source{v, Eigen::Matrix<double, 3, 6>::Zero()};
    source.map.leftCols<3>() = cut_.axes[to_index(v)].transpose();
    const modes::Directions& moves = vertex(v).moves;
    // What no direction moves is a support, and is drawn as one.
    const bool fixed = std::none_of(moves.begin(), moves.end(), [](bool m) { return m; });
    add_point(vertex(v).point, source, fixed);
  }

  // The end of an element, and the arm of the rigid body to it where it stands off the vertex.
  int add_end(const modes::Element& element, std::size_t end) {
    const int v = element.vertex[end];
    const Eigen::Vector3d place = modes::end_points(cut_.structure, element)[end];
    const double arm = (place - vertex(v).point).norm();
    // A body that ends in its vertex has no arm to draw.
    if (arm < 1e-9 * answer_.structure.length_unit) return v;
    Source source{v, Eigen::Matrix<double, 3, 6>::Zero()};
    // Its local displacement, turned back into the world.
    const Eigen::Matrix3d axes = element.to_local[end].topLeftCorner<3, 3>();
    source.map = axes.transpose() * element.to_local[end].topRows<3>();
    const int point = add_point(place, source, false);
    // The arm is drawn too, or a rigid body would look like parts that move without a connection.
    motion_.lines.push_back({{v, point}, vertex(v).name, true, false});
    element_.push_back(-1);
    return point;
  }

  void add_element(std::size_t e) {
    // A beam bends between its ends: it is drawn through the vertices along it.
    const std::vector<int>& pieces = cut_.slices[e];
    const auto piece = [&](std::size_t k) -> const modes::Element& {
      return cut_.structure.elements[to_index(pieces[k])];
    };
    const bool joint = std::holds_alternative<modes::Hinge>(piece(0).law);
    draw::Motion::Line line{{add_end(piece(0), 0)}, answer_.structure.elements[e].name, false, joint};
    // From the second piece on, each begins at a vertex inside the beam.
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      const int v = piece(k).vertex[0];
      // Inside a beam vertices move in the axes of the beam.
      Source source{v, Eigen::Matrix<double, 3, 6>::Zero()};
      source.map.leftCols<3>() = cut_.axes[to_index(v)].transpose();
      line.points.push_back(add_point(vertex(v).point, source, false));
    }
    line.points.push_back(add_end(piece(pieces.size() - 1), 1));
    motion_.lines.push_back(std::move(line));
    element_.push_back(static_cast<int>(e));
  }

  void add_shape(const modes::Mode& mode, const modes::Shape& shape, int number) {
    draw::Motion::Shape out;
    out.frequency = mode.s.imag() / (2 * std::numbers::pi);
    // Positive where the motion dies away, as the drawing takes it.
    out.decay = -mode.s.real();
    out.name = fmt::format("{}: {:.6g} Hz", number, out.frequency);
    double largest = 0;
    // By point and not by vertex: an arm moves by its vertex' rotation too.
    for (const Source& source : sources_) {
      Vector6c u;
      for (Eigen::Index k = 0; k < 6; ++k) {
        u[k] = shape[to_index(source.vertex)][to_index(k)];
      }
      out.displacement.emplace_back(source.map * u);
      largest = std::max(largest, out.displacement.back().norm());
    }
    // A shape has no size of its own: its largest displacement is drawn as 1.
    if (largest > 0) {
      for (Eigen::Vector3cd& u : out.displacement) u /= largest;
    }
    motion_.shapes.push_back(std::move(out));
  }

  // Of the shape added last. A free motion strains nothing.
  void add_strain(const modes::Energies& energies) {
    if (!(energies.total.potential > 0)) return;
    for (const int e : element_) {
      const double energy = e < 0 ? 0 : energies.elements[to_index(e)].potential;
      motion_.shapes.back().strain.push_back(energy / energies.total.potential);
    }
  }

  const ModesAnswer& answer_;
  const CutStructure& cut_;
  draw::Motion motion_;
  std::vector<int> element_;  // by line; -1: the arm of a rigid body
  std::vector<Source> sources_;
};

}  // namespace

draw::Motion make_motion(const ModesAnswer& answer) { return MotionMaker(answer).make(); }

}  // namespace espalier::study
