#pragma once

// What every run through time has, whichever engine moves the bodies. What it hands out: trajectory.hpp.

#include <atomic>
#include <optional>

#include "espalier/base/words.hpp"

namespace espalier::model {

enum class Outcome {
  kDone,     // it reached its end time
  kStopped,  // by its receiver, or by RunOptions::stop
  kFailed,   // the numbers did not work out: a message says when, and the way out
};
constexpr Words<Outcome, 3> words(Outcome) {
  return {{{"done", Outcome::kDone}, {"stopped", Outcome::kStopped}, {"failed", Outcome::kFailed}}};
}

// Its word; "running" where there is none yet.
constexpr const char* outcome_word(std::optional<Outcome> outcome) { return outcome ? word_of(*outcome) : "running"; }

struct RunOptions {
  double end_time = 1;  // [s]
  // Between frames; the first is at the start, the last at the end [s].
  double output_step = 0.01;
  const std::atomic<bool>* stop = nullptr;  // true: end after the step in work; looked at after every step
};

}  // namespace espalier::model
