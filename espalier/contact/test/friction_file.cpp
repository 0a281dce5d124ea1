#include "espalier/contact/test/friction_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "espalier/base/check.hpp"

namespace espalier::contact {
namespace {

// From normal first to normal last.
constexpr std::array<int, 3> kPlace = {2, 0, 1};

void read_contacts(std::istream& file, LocalProblem& problem) {
  for (std::size_t n = 0; n < problem.rows.size(); ++n) {
    std::string word;
    std::size_t i = 0;
    file >> word >> i;
    ESPALIER_CHECK(word == "c" && i < problem.rows.size(), "a line for each contact");
    file >> problem.rows[i].friction;
    for (const int place : kPlace) file >> problem.B[i](place);
  }
}

using Blocks = std::vector<std::map<int, Eigen::Matrix3d>>;
Blocks read_blocks(std::istream& file, std::size_t rows, int count) {
  Blocks blocks(rows);
  for (int n = 0; n < count; ++n) {
    std::string word;
    std::size_t i = 0, j = 0;
    file >> word >> i >> j;
    ESPALIER_CHECK(word == "b" && i < rows && j < rows, "a line for each block");
    Eigen::Matrix3d& block = blocks[i][static_cast<int>(j)];
    for (const int r : kPlace) {
      for (const int c : kPlace) file >> block(r, c);
    }
  }
  return blocks;
}

}  // namespace

LocalProblem read_friction_file(const std::string& path) {
  std::ifstream file(path);
  std::string word, second;
  int contacts = 0, count = 0;
  file >> word >> contacts >> second >> count;
  ESPALIER_CHECK(word == "contacts" && second == "blocks", "a friction problem begins with its sizes");
  LocalProblem problem;
  problem.rows.resize(static_cast<std::size_t>(contacts));
  problem.B.resize(problem.rows.size());
  read_contacts(file, problem);
  for (auto& row : read_blocks(file, problem.rows.size(), count)) {
    const int i = static_cast<int>(problem.begin.size()) - 1;
    for (const auto& [column, block] : row) {
      if (column == i) problem.diagonal.push_back(static_cast<int>(problem.column.size()));
      problem.column.push_back(column);
      problem.block.push_back(block);
    }
    problem.begin.push_back(static_cast<int>(problem.column.size()));
  }
  ESPALIER_CHECK(file && problem.diagonal.size() == problem.rows.size(), "all numbers are there");
  return problem;
}

std::vector<std::string> friction_files() {
  const std::filesystem::path folder = std::filesystem::path(ESPALIER_SOURCE_DIR) / "../shared/data/friction";
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".fc3d") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace espalier::contact
