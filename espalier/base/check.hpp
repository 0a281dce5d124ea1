#pragma once

namespace espalier {

// Called after a failed check has printed its place; must not return. comm/ puts MPI_Abort here so that one rank's
// mistake stops all ranks. The default is std::abort.
using StopFunction = void (*)();
void set_stop_function(StopFunction stop);

[[noreturn]] void check_failed(const char* condition, const char* sentence, const char* file, int line);

}  // namespace espalier

// We made a mistake (not the user): prints the place and the sentence, stops all ranks. Stays in release builds.
#define ESPALIER_CHECK(condition, sentence) \
  ((condition) ? static_cast<void>(0) : ::espalier::check_failed(#condition, sentence, __FILE__, __LINE__))
