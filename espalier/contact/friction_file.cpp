#include "espalier/contact/friction_file.hpp"

#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::contact {
namespace {

// A contact has a line of its own, the shortest is "c 0 0 0 0 0": a file that promises more than it can hold is not
// believed.
constexpr std::size_t kShortestLine = 11;

// From normal first to normal last.
constexpr std::array<int, 3> kPlace = {2, 0, 1};

// The numbers of a line: first the contacts it names, then the rest.
struct Line {
  std::vector<int> contacts;
  std::vector<double> values;
};

struct Reader {
  Where where;
  std::size_t most_contacts = 0;  // that the text has room for
  std::size_t contacts = 0, blocks = 0;
  bool has_contacts = false, has_blocks = false;
  std::vector<bool> given;
  std::size_t found = 0;  // blocks
  LocalProblem problem;
  std::vector<std::map<int, Eigen::Matrix3d>> rows;

  tl::unexpected<Error> wrong(std::string message) const {
    return make_error(ErrorCode::kSyntax, where, std::move(message));
  }

  // All words but the first as numbers; the first `named` of them are contacts.
  Result<Line> numbers(const std::vector<std::string_view>& words, std::size_t count, std::size_t named) const {
    if (words.size() != count + 1) {
      return wrong(fmt::format("a line '{}' has {} numbers, not {}", words[0], count, words.size() - 1));
    }
    Line line;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::optional<double> value = parse_number(words[i]);
      if (!value) return wrong(fmt::format("{} is not a number", in_quotes(words[i])));
      // Contacts first, then their numbers.
      if (i > named) {
        line.values.push_back(*value);
        continue;
      }
      // Checked here, before anything is written at their place.
      if (!(*value >= 0 && *value < static_cast<double>(contacts) && *value == static_cast<int>(*value))) {
        return wrong(fmt::format("{} is no contact; they count from 0 to {}", words[i], contacts - 1));
      }
      line.contacts.push_back(static_cast<int>(*value));
    }
    return line;
  }

  Result<void> read_size(const std::vector<std::string_view>& words) {
    const bool is_contacts = words[0] == "contacts";
    bool& is_known = is_contacts ? has_contacts : has_blocks;
    // The lists have been made as long as the first number said.
    if (is_known) return wrong(fmt::format("the number of {} has been given before", words[0]));
    is_known = true;
    const std::optional<double> value = words.size() == 2 ? parse_number(words[1]) : std::nullopt;
    if (!value || *value < 0 || *value > 1e9 || *value != std::floor(*value)) {
      return wrong("a size is a whole number up to 1000000000");
    }
    (is_contacts ? contacts : blocks) = to_index(static_cast<int>(*value));
    // Before memory is asked for: the number is only a claim.
    if (contacts > most_contacts) {
      return wrong(fmt::format("the file promises {} contacts and is too short for them: it was cut off", contacts));
    }
    // Now that the claim is believed.
    given.resize(contacts);
    rows.resize(contacts);
    problem.rows.resize(contacts);
    problem.B.resize(contacts);
    return {};
  }

  Result<void> read_contact(const std::vector<std::string_view>& words) {
    const Result<Line> line = numbers(words, 5, 1);
    ESPALIER_TRY(line);
    const std::size_t i = to_index(line->contacts[0]);
    // The cone of a negative coefficient is empty.
    if (line->values[0] < 0) return wrong("friction is not negative");
    given[i] = true;
    problem.rows[i].friction = line->values[0];
    for (std::size_t k = 0; k < 3; ++k) problem.B[i](kPlace[k]) = line->values[1 + k];
    return {};
  }

  Result<void> read_block(const std::vector<std::string_view>& words) {
    const Result<Line> line = numbers(words, 11, 2);
    ESPALIER_TRY(line);
    Eigen::Matrix3d block;
    for (std::size_t k = 0; k < 9; ++k) block(kPlace[k / 3], kPlace[k % 3]) = line->values[k];
    // By column in a map: the file may name the blocks of a row in any order.
    const bool is_new = rows[to_index(line->contacts[0])].emplace(line->contacts[1], block).second;
    if (!is_new) return wrong("this block has been given before");
    ++found;
    return {};
  }

  Result<void> read_line(std::string_view line) {
    ++where.line;
    const std::vector<std::string_view> words = split_words(line);
    if (words.empty()) return {};
    if (words[0] == "contacts" || words[0] == "blocks") return read_size(words);
    if (words[0] == "c") return read_contact(words);
    if (words[0] == "b") return read_block(words);
    return wrong(fmt::format("{} is none of contacts, blocks, c, b", in_quotes(words[0])));
  }

  Result<LocalProblem> finish() {
    // What is missing stands in no line.
    where.line = 0;
    if (found != blocks) return wrong(fmt::format("the file promises {} blocks and holds {}", blocks, found));
    for (std::size_t i = 0; i < contacts; ++i) {
      // All solvers divide by the block on the diagonal.
      if (!given[i] || !rows[i].contains(static_cast<int>(i))) {
        return wrong(fmt::format("contact {} lacks its line or its block on the diagonal", i));
      }
      for (const auto& [column, block] : rows[i]) {
        // Sorted by the map, so that one pass makes the rows of the sparse matrix.
        if (column == static_cast<int>(i)) problem.diagonal.push_back(static_cast<int>(problem.column.size()));
        problem.column.push_back(column);
        problem.block.push_back(block);
      }
      problem.begin.push_back(static_cast<int>(problem.column.size()));
    }
    return std::move(problem);
  }
};

}  // namespace

Result<LocalProblem> parse_friction_problem(std::string_view text, const std::string& where) {
  Reader reader;
  reader.where.file = where;
  reader.most_contacts = text.size() / kShortestLine;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Result<void> read = reader.read_line(text.substr(0, end));
    ESPALIER_TRY(read);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace espalier::contact
