#include "espalier/record/selection.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/detail/quantity.hpp"

namespace espalier::record {
namespace {

using detail::NumberName;
using detail::Quantity;

// A number of the table that has a name.
struct Candidate {
  std::size_t quantity = 0, place = 0;
  const NumberName* name = nullptr;
  bool is_unique = true;  // no other number has this name

  std::string full() const { return name->list.empty() ? name->name : name->list + "." + name->name; }
  const std::string& plain() const { return name->name; }
  std::string shown() const { return is_unique ? plain() : full(); }
};

std::vector<Candidate> candidates_of(const std::vector<Quantity>& table) {
  std::vector<Candidate> candidates;
  std::map<std::string_view, int> count;
  for (std::size_t k = 0; k < table.size(); ++k) {
    for (std::size_t place = 0; place < table[k].names.size(); ++place) {
      const NumberName& name = table[k].names[place];
      // The pose of the ground has no name, and nobody asks for it.
      if (name.name.empty()) continue;
      candidates.push_back({k, place, &name});
      ++count[name.name];
    }
  }
  // A body and a joint may be called alike: only then is the list part of the name.
  for (Candidate& candidate : candidates) candidate.is_unique = count[candidate.name->name] == 1;
  return candidates;
}

// A * stands for any text, dots too.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      // The last star takes one character more: earlier ones need not be tried again.
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// All of the name, or its beginning up to a dot.
bool names(const std::string& word, std::string_view name) { return fits(word, name) || fits(word + ".*", name); }

// What is called so; else all whose names begin so or have this pattern.
std::vector<std::size_t> meant_by(const std::string& word, const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> exact, all;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const std::string full = candidates[k].full();
    const std::string& plain = candidates[k].plain();
    // One who types a whole name means it, whatever else begins so.
    if (word == plain || word == full) exact.push_back(k);
    if (names(word, plain) || names(word, full)) all.push_back(k);
  }
  return exact.empty() ? all : exact;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t first = word.find_first_not_of(" \t\n"), last = word.find_last_not_of(" \t\n");
    // Two commas in a row say nothing, and that is no mistake.
    if (first != std::string_view::npos) words.emplace_back(word.substr(first, last - first + 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// "position, velocity of joints (pin, rod, ...)" for each list, in the order of the table.
std::string all_text(const std::vector<Candidate>& candidates) {
  constexpr std::size_t kFew = 6;
  struct List {
    std::string name;
    std::vector<std::string> owners, words;
  };
  std::vector<List> lists;
  std::vector<std::string> plain;
  const auto add = [](std::string_view text, std::vector<std::string>& to) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.emplace_back(text);
  };
  for (const Candidate& candidate : candidates) {
    const NumberName& name = *candidate.name;
    if (name.list.empty()) {
      add(name.name, plain);
      continue;
    }
    auto list = std::find_if(lists.begin(), lists.end(), [&](const List& one) { return one.name == name.list; });
    if (list == lists.end()) list = lists.insert(lists.end(), {name.list, {}, {}});
    // A large model has more names than anyone reads.
    if (list->owners.size() <= kFew) add(name.name.substr(0, name.owner), list->owners);
    // Words once for all owners: "velocity" and not "crank.velocity, rod.velocity".
    const std::string rest = name.name.substr(name.owner + 1);
    add(rest.substr(0, rest.find('.')), list->words);
  }
  std::vector<std::string> parts;
  for (List& list : lists) {
    const bool more = list.owners.size() > kFew;
    if (more) list.owners.resize(kFew);
    parts.push_back(fmt::format("{} of {} ({}{})", fmt::join(list.words, ", "), list.name, fmt::join(list.owners, ", "),
                                more ? ", ..." : ""));
  }
  parts.push_back(fmt::format("{}", fmt::join(plain, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

tl::unexpected<Error> unknown(const std::string& word, const std::vector<Candidate>& candidates) {
  std::vector<std::string> known;
  for (const Candidate& candidate : candidates) {
    const std::string& plain = candidate.plain();
    known.push_back(plain);
    // What stands for several numbers may be meant as well: "crank.velocity", "crank".
    for (std::size_t dot = plain.rfind('.'); dot != std::string::npos && dot > 0; dot = plain.rfind('.', dot - 1)) {
      known.push_back(plain.substr(0, dot));
    }
  }
  return tl::unexpected(Error{ErrorCode::kName,
                              fmt::format("no quantity is called {}{}", in_quotes(word), did_you_mean(word, known)),
                              {},
                              {},
                              "there are " + all_text(candidates)});
}

}  // namespace

struct Selection::Parts {
  struct Taken {
    Quantity quantity;
    std::vector<std::pair<std::size_t, std::size_t>> numbers;  // place in its row, column
  };
  std::vector<Column> columns;
  std::vector<Taken> taken;
};

std::vector<Column> named_numbers(const ResultLayout& layout) {
  const std::vector<Quantity> table = detail::quantities(layout);
  std::vector<Column> columns;
  for (const Candidate& candidate : candidates_of(table)) columns.push_back({candidate.shown(), candidate.name->unit});
  return columns;
}

Selection::Selection() : parts_(std::make_shared<const Parts>()) {}

Result<Selection> Selection::choose(const ResultLayout& layout, std::string_view words) {
  const std::vector<Quantity> table = detail::quantities(layout);
  const std::vector<Candidate> candidates = candidates_of(table);
  auto parts = std::make_shared<Parts>();
  for (const Quantity& quantity : table) parts->taken.push_back({quantity, {}});
  std::vector<bool> chosen(candidates.size());
  for (const std::string& word : words_of(words)) {
    const std::vector<std::size_t> meant = meant_by(word, candidates);
    if (meant.empty()) return unknown(word, candidates);
    for (const std::size_t k : meant) {
      // Two words may mean one number; it stays where the first has put it.
      if (chosen[k]) continue;
      chosen[k] = true;
      const Candidate& candidate = candidates[k];
      parts->taken[candidate.quantity].numbers.emplace_back(candidate.place, parts->columns.size());
      parts->columns.push_back({candidate.shown(), candidate.name->unit});
    }
  }
  // What is not wanted is not even taken from the frame.
  std::erase_if(parts->taken, [](const Parts::Taken& taken) { return taken.numbers.empty(); });
  Selection selection;
  selection.parts_ = std::move(parts);
  return selection;
}

const std::vector<Column>& Selection::columns() const { return parts_->columns; }

void Selection::take(const model::Frame& frame, std::vector<double>& numbers) const {
  const std::size_t first = numbers.size();
  numbers.resize(first + parts_->columns.size());
  std::vector<double> row;
  for (const Parts::Taken& taken : parts_->taken) {
    row.clear();
    taken.quantity.take(frame, row);
    ESPALIER_CHECK(row.size() == taken.quantity.row_size(), "a frame does not fit the layout of its selection");
    for (const auto& [place, column] : taken.numbers) numbers[first + column] = row[place];
  }
}

std::string column_head(const Column& column) { return fmt::format("{} [{}]", column.name, column.unit); }

void Summary::see(const model::Frame& frame) {
  end_.clear();
  selection_.take(frame, end_);
  // The first frame is the least and the largest so far.
  if (least_.empty()) {
    least_ = largest_ = end_;
    return;
  }
  for (std::size_t k = 0; k < end_.size(); ++k) {
    least_[k] = std::min(least_[k], end_[k]);
    largest_[k] = std::max(largest_[k], end_[k]);
  }
}

}  // namespace espalier::record
