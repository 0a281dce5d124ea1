#include "espalier/geometry/detail/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kMostTriangles = 2'000'000;
constexpr std::size_t kMostVertices = 3 * kMostTriangles;
constexpr std::size_t kLargestFile = std::size_t{128} << 20;  // [bytes]
constexpr std::size_t kLongestLine = std::size_t{1} << 20;    // of a text [bytes]
constexpr std::size_t kHeader = 80;                           // bytes before the count of a binary STL
constexpr std::size_t kRecord = 50;                           // bytes of a triangle

std::uint32_t read_word(const char* at) {
  std::uint32_t word = 0;
  // Byte by byte: the file begins with the lowest, whatever the machine does.
  for (int k = 3; k >= 0; --k) word = word << 8 | static_cast<unsigned char>(at[k]);
  return word;
}

tl::unexpected<Error> too_large(const std::string& path) {
  return make_error(ErrorCode::kLimit, {path},
                    fmt::format("the mesh has more than {} triangles, {} vertices or {} MiB; simplify it",
                                kMostTriangles, kMostVertices, kLargestFile >> 20));
}

bool is_too_large(const TriangleMesh& mesh) {
  return mesh.triangles.size() > kMostTriangles || mesh.vertices.size() > kMostVertices;
}

Result<TriangleMesh> parse_binary_stl(std::string_view bytes, const std::string& path) {
  const std::size_t count = read_word(bytes.data() + kHeader);
  const std::size_t there = (bytes.size() - kHeader - 4) / kRecord;
  // Bytes after the last triangle do no harm; too few mean a file that was cut off.
  if (there < count) {
    return make_error(
        ErrorCode::kFormat, {path},
        fmt::format("the file promises {} triangles and holds {}: it was cut off; copy or export it again", count,
                    there));
  }
  if (count > kMostTriangles) return too_large(path);
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  for (std::size_t t = 0; t < count; ++t) {
    // The record begins with a normal of 12 bytes: programs write anything there, and the corners tell it.
    const char* record = bytes.data() + kHeader + 4 + t * kRecord + 12;
    std::array<int, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      Vector3d vertex;
      for (int i = 0; i < 3; ++i) vertex[i] = std::bit_cast<float>(read_word(record + 12 * k + 4 * i));
      if (!vertex.allFinite()) {
        return make_error(ErrorCode::kValue, {path},
                          fmt::format("triangle {} has a corner that is not finite; export the mesh again", t + 1));
      }
      triangle[k] = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back(vertex);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

// Walks through a text line by line.
class Lines {
 public:
  Lines(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    ++line_;
    too_long_ = end > kLongestLine;
    if (too_long_) return false;
    words_ = split_words(rest_.substr(0, end));
    // The last line may lack its end.
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }
  const std::vector<std::string_view>& words() const { return words_; }
  // Where next() ended the walk: nothing, or an error for a line that no mesh has.
  Result<void> ended() const {
    if (!too_long_) return {};
    return make_error(ErrorCode::kLimit, {path_, line_}, "a line longer than 1 MiB: not a mesh, or a broken one");
  }
  auto error(std::string message) const { return make_error(ErrorCode::kValue, {path_, line_}, std::move(message)); }

  // Three numbers after the first word.
  Result<Vector3d> vertex() const {
    if (words_.size() < 4) return error(fmt::format("a vertex needs 3 numbers, this has {}", words_.size() - 1));
    Vector3d vertex;
    for (int i = 0; i < 3; ++i) {
      const std::optional<double> number = parse_number(words_[i + 1]);
      if (!number) return error(fmt::format("{} is no number that a vertex can have", in_quotes(words_[i + 1])));
      vertex[i] = *number;
    }
    return vertex;
  }

 private:
  std::string_view rest_;
  std::vector<std::string_view> words_;
  std::string path_;
  int line_ = 0;
  bool too_long_ = false;
};

bool is_word(std::string_view word, std::string_view expected) {
  return std::equal(word.begin(), word.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

Result<TriangleMesh> parse_text_stl(std::string_view text, const std::string& path) {
  TriangleMesh mesh;
  Lines lines(text, path);
  int corners = 0;
  bool in_loop = false;
  bool ended = false;
  while (lines.next()) {
    if (lines.words().empty()) continue;
    const std::string_view first = lines.words()[0];
    // Lines with other words, normals among them, are passed over: the corners say it all.
    if (is_word(first, "outer")) {
      if (in_loop) return lines.error("a loop begins before the last has ended with 'endloop'");
      in_loop = true;
      corners = 0;
    } else if (is_word(first, "vertex")) {
      if (!in_loop) return lines.error("a vertex stands outside of 'outer loop'");
      const Result<Vector3d> vertex = lines.vertex();
      ESPALIER_TRY(vertex);
      mesh.vertices.push_back(*vertex);
      ++corners;
    } else if (is_word(first, "endloop")) {
      if (!in_loop || corners != 3) return lines.error(fmt::format("a facet has {} corners instead of 3", corners));
      in_loop = false;
      if (is_too_large(mesh)) return too_large(path);
      const int end = static_cast<int>(mesh.vertices.size());
      mesh.triangles.push_back({end - 3, end - 2, end - 1});
    } else if (is_word(first, "endsolid")) {
      ended = true;
    }
  }
  // A line that is too long ends the walk as the end of the text does: it is asked about first.
  const Result<void> read = lines.ended();
  ESPALIER_TRY(read);
  if (in_loop || !ended) return lines.error("the file ends before 'endsolid': it was cut off; copy or export it again");
  return mesh;
}

// "7", "7/1", "7//3" or "-1": a vertex that exists.
std::optional<int> parse_corner(std::string_view word, std::size_t vertices) {
  // Textures and normals after a slash are not needed.
  const std::optional<double> number = parse_number(word.substr(0, word.find('/')));
  if (!number || *number != std::floor(*number)) return std::nullopt;
  // Negative numbers count back from the last vertex above.
  const double index = *number < 0 ? static_cast<double>(vertices) + *number : *number - 1;
  if (*number == 0 || index < 0 || index >= static_cast<double>(vertices)) return std::nullopt;
  return static_cast<int>(index);
}

Result<TriangleMesh> parse_obj(std::string_view text, const std::string& path) {
  TriangleMesh mesh;
  Lines lines(text, path);
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    if (words.empty()) continue;
    // Groups, materials, normals and textures change nothing about what can be touched.
    if (words[0] == "v") {
      const Result<Vector3d> vertex = lines.vertex();
      ESPALIER_TRY(vertex);
      mesh.vertices.push_back(*vertex);
    } else if (words[0] == "f") {
      std::vector<int> corners;
      for (std::size_t k = 1; k < words.size(); ++k) {
        const std::optional<int> corner = parse_corner(words[k], mesh.vertices.size());
        if (!corner) {
          return lines.error(fmt::format("{} names none of the {} above it", in_quotes(words[k]),
                                         counted(mesh.vertices.size(), "vertex", "vertices")));
        }
        corners.push_back(*corner);
      }
      if (corners.size() < 3) return lines.error(fmt::format("a face needs 3 corners, this has {}", corners.size()));
      // A fan about the first corner: right for convex faces.
      for (std::size_t k = 2; k < corners.size(); ++k) {
        mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
      }
    }
    if (is_too_large(mesh)) return too_large(path);
  }
  const Result<void> read = lines.ended();
  ESPALIER_TRY(read);
  return mesh;
}

// Programs write "solid" at the head of binary files too: the length tells.
bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < kHeader + 4) return false;
  if (bytes.size() == kHeader + 4 + kRecord * to_index(read_word(bytes.data() + kHeader))) return true;
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos || !is_word(bytes.substr(start, 5), "solid");
}

bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() && is_word(std::string_view(path).substr(path.size() - ending.size()), ending);
}

}  // namespace

Result<TriangleMesh> parse_mesh(const std::string& bytes, const std::string& path, const Vector3d& scale) {
  const bool stl = ends_with(path, ".stl");
  if (!stl && !ends_with(path, ".obj")) {
    return make_error(ErrorCode::kFormat, {path}, "a mesh is read from .stl and .obj files; convert it");
  }
  if (bytes.size() > kLargestFile) return too_large(path);
  Result<TriangleMesh> mesh = !stl                   ? parse_obj(bytes, path)
                              : is_binary_stl(bytes) ? parse_binary_stl(bytes, path)
                                                     : parse_text_stl(bytes, path);
  ESPALIER_TRY(mesh);
  for (Vector3d& vertex : mesh->vertices) {
    vertex = vertex.cwiseProduct(scale);
    // Squares of lengths must be numbers.
    if (!(vertex.cwiseAbs().maxCoeff() < 1e100)) {
      return make_error(ErrorCode::kValue, {path}, "a vertex lies farther away than 1e100 m; look at its unit");
    }
  }
  return mesh;
}

Result<TriangleMesh> read_mesh(const std::string& path, const Vector3d& scale, const Where& where) {
  // A folder or a device opens as well as a file, a device may never end, and a pipe may never open.
  std::error_code code;
  const bool is_file = std::filesystem::is_regular_file(path, code);
  if (is_file && std::filesystem::file_size(path, code) > kLargestFile) return too_large(path);
  std::ifstream stream;
  if (is_file) stream.open(path, std::ios::binary);
  std::string bytes;
  if (stream.is_open()) bytes.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad() || !stream.is_open()) {
    return make_error(
        ErrorCode::kFile, where,
        fmt::format("cannot read the mesh {}; paths start at the folder of the model file", in_quotes(path)));
  }
  return parse_mesh(bytes, path, scale);
}

}  // namespace espalier::geometry::detail
