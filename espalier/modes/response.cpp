#include "espalier/modes/response.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/results.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Vector3d;

// The parts of BODY@x,y,z.DIRECTION.
struct Words {
  std::string body;
  std::string point;  // behind the @
  std::size_t direction = 0;
};

tl::unexpected<Error> refuse(const std::string& text, const std::string& why) {
  return make_error(ErrorCode::kOption, {}, fmt::format("{}: {}", in_quotes(text), why));
}

Result<Words> split(const std::string& text) {
  // From the back: names of bodies may have dots, and so may coordinates.
  const std::size_t dot = text.rfind('.');
  const std::string direction = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto found = std::find(model::kDirectionWords.begin(), model::kDirectionWords.end(), direction);
  if (found == model::kDirectionWords.end()) {
    return refuse(text, "it must end in a direction, .x .y .z .rx .ry or .rz");
  }
  Words words;
  words.direction = to_index(found - model::kDirectionWords.begin());
  words.body = text.substr(0, dot);
  const std::size_t at = words.body.rfind('@');
  if (at == std::string::npos) return words;
  words.point = words.body.substr(at + 1);
  words.body.resize(at);
  return words;
}

Result<Vector3d> read_point(const std::string& text, const std::string& point) {
  Vector3d result = Vector3d::Zero();
  std::size_t begin = 0;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const std::size_t end = k < 2 ? point.find(',', begin) : point.size();
    const std::optional<double> number =
        end == std::string::npos ? std::nullopt : parse_number(point.substr(begin, end - begin));
    if (!number) return refuse(text, "behind @ there must be three numbers, x,y,z in the body's frame");
    result[k] = *number;
    begin = end + 1;
  }
  return result;
}

// Row of the displacement at an arm from the vertex.
Place make_place(const std::string& name, int vertex, const Vector3d& arm, std::size_t direction) {
  Place place{name, vertex, direction >= 3, Eigen::Matrix<double, 1, 6>::Zero()};
  Matrix6 map = Matrix6::Identity();
  // u + theta x arm
  map.topRightCorner<3, 3>() = -math::skew(arm);
  // The same row answers for a displacement and acts for a force: responses are reciprocal by this.
  place.row = map.row(static_cast<Eigen::Index>(direction));
  return place;
}

std::optional<Place> at_rigid_body(const model::Model& model, const Structure& structure, model::BodyId id,
                                   const Vector3d& point, const std::string& name, std::size_t direction) {
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    const Vertex& vertex = structure.vertices[v];
    if (std::find(vertex.bodies.begin(), vertex.bodies.end(), id) == vertex.bodies.end()) continue;
    return make_place(name, static_cast<int>(v), model.body(id).X_WB * point - vertex.point, direction);
  }
  return std::nullopt;
}

// The slices of a body stand in their order.
std::optional<Place> at_beam_end(const Structure& structure, model::BodyId id, bool far, const std::string& name,
                                 std::size_t direction) {
  const Element* found = nullptr;
  for (const Element& element : structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr || beam->body != id) continue;
    found = &element;
    // The first of them has the near end, the last the far one.
    if (!far) break;
  }
  if (found == nullptr) return std::nullopt;
  const std::size_t end = far ? 1 : 0;
  const Vertex& vertex = structure.vertices[to_index(found->vertex[end])];
  return make_place(name, found->vertex[end], end_points(structure, *found)[end] - vertex.point, direction);
}

std::optional<model::BodyId> body_called(const model::Model& model, const std::string& name) {
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    if (model.bodies[b].name == name) return model::BodyId(b);
  }
  return std::nullopt;
}

std::vector<std::string> place_names(const model::Model& model) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (body.beam) {
      names.push_back(fmt::format("{}.from", body.name));
      names.push_back(fmt::format("{}.to", body.name));
    } else {
      names.push_back(body.name);
    }
  }
  return names;
}

bool is_moved(const Structure& structure, const Place& place) {
  const Directions& moves = structure.vertices[to_index(place.vertex)].moves;
  for (std::size_t k = 0; k < 6; ++k) {
    if (moves[k] && place.row[static_cast<Eigen::Index>(k)] != 0) return true;
  }
  return false;
}

template <class T>
Complex respond(const Pass& pass, T at, const Place& force, const Place& answer, std::vector<T>& load,
                std::vector<T>& displacement) {
  std::fill(load.begin(), load.end(), T(0));
  for (std::size_t k = 0; k < 6; ++k) {
    // A unit force at the place is its row, transposed, at the vertex.
    load[6 * to_index(force.vertex) + k] = force.row[static_cast<Eigen::Index>(k)];
  }
  solve(pass, at, std::span<const T>(load), std::span<T>(displacement));
  Complex sum = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    sum += answer.row[static_cast<Eigen::Index>(k)] * displacement[6 * to_index(answer.vertex) + k];
  }
  return sum;
}

}  // namespace

Result<Place> find_place(const model::Model& model, const Structure& structure, const std::string& text) {
  const Result<Words> words = split(text);
  ESPALIER_TRY(words);
  std::optional<Place> place;
  const std::size_t dot = words->body.rfind('.');
  const std::string end = dot == std::string::npos ? "" : words->body.substr(dot + 1);
  const std::optional<model::BodyId> beam =
      end == "from" || end == "to" ? body_called(model, words->body.substr(0, dot)) : std::nullopt;
  const std::optional<model::BodyId> body = body_called(model, words->body);
  if (body && !model.body(*body).beam) {
    Vector3d point = Vector3d::Zero();
    if (!words->point.empty()) {
      const Result<Vector3d> read = read_point(text, words->point);
      ESPALIER_TRY(read);
      point = *read;
    }
    place = at_rigid_body(model, structure, *body, point, text, words->direction);
  } else if (beam && model.body(*beam).beam) {
    place = at_beam_end(structure, *beam, end == "to", text, words->direction);
  } else if (body) {
    return refuse(text, fmt::format("{0} is elastic; name one of its ends, {0}.from or {0}.to", words->body));
  } else {
    const std::vector<std::string> names = place_names(model);
    return refuse(text, fmt::format("no point of the structure is called {}{}", in_quotes(words->body),
                                    did_you_mean(words->body, names)));
  }
  if (place && is_moved(structure, *place)) return *place;
  return refuse(text, "this point does not move in this direction");
}

Result<std::vector<Complex>> find_response(const Structure& structure, const Tree& tree, const Place& force,
                                           const Place& answer, std::span<const double> omega) {
  std::vector<Complex> response;
  if (omega.empty()) return response;
  // Slices are short enough up to a largest |s|, which has to be known beforehand.
  const Result<Pass> pass = make_pass(structure, tree, 1.01 * *std::max_element(omega.begin(), omega.end()));
  ESPALIER_TRY(pass);
  const std::size_t size = 6 * structure.vertices.size();
  if (is_damped(structure)) {
    std::vector<Complex> load(size), displacement(size);
    for (const double w : omega) {
      response.push_back(respond(*pass, Complex(0, w), force, answer, load, displacement));
    }
  } else {
    // Without damping all numbers are real.
    std::vector<double> load(size), displacement(size);
    for (const double w : omega) response.push_back(respond(*pass, w, force, answer, load, displacement));
  }
  return response;
}

}  // namespace espalier::modes
