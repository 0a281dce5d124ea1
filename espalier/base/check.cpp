#include "espalier/base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace espalier {
namespace {

StopFunction stop_function = nullptr;

}  // namespace

void set_stop_function(StopFunction stop) { stop_function = stop; }

void check_failed(const char* condition, const char* sentence, const char* file, int line) {
  // By C's own means: nothing here may throw or rely on a state that was just found to be wrong.
  std::fprintf(stderr, "espalier: internal error at %s:%d: %s (%s). Please report this.\n", file, line, sentence,
               condition);
  // Before all ranks are stopped, which may end this process as well.
  std::fflush(stderr);
  if (stop_function != nullptr) stop_function();
  std::abort();
}

}  // namespace espalier
