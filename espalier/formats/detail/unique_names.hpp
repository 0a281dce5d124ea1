#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace espalier::formats::detail {

// Hands out each name once: pin, pin_2, pin_3, ... O(1) a name, also where many want the same.
class UniqueNames {
 public:
  // False if it is taken.
  bool add(const std::string& name) { return taken_.insert(name).second; }
  std::string make(const std::string& wish) {
    if (add(wish)) return wish;
    int& last = last_.try_emplace(wish, 1).first->second;
    while (true) {
      std::string name = fmt::format("{}_{}", wish, ++last);
      if (add(name)) return name;
    }
  }
  bool contains(const std::string& name) const { return taken_.contains(name); }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> last_;
};

}  // namespace espalier::formats::detail
