#pragma once

#include "espalier/base/result.hpp"
#include "espalier/record/run_record.hpp"

namespace espalier::record::detail {

// How a run folder is left, `frames` saying whether all frames are in it: run.json first, then the checkpoint. A
// program that is killed between the two leaves a run that is done and a checkpoint that leads to its end once more;
// the other way round it would leave one that has ended and does not know it. Where something cannot be written,
// run.json must not say that all went well.
template <class WriteRecord, class WriteCheckpoint>
Result<void> write_last(const Result<void>& frames, RunRecord& record, WriteRecord write_record,
                        WriteCheckpoint write_checkpoint) {
  const auto note = [&](const Result<void>& problem) {
    record.outcome = model::Outcome::kFailed;
    record.message = to_string(problem.error());
  };
  if (!frames) note(frames);
  const Result<void> recorded = write_record();
  // Without its last run.json a run has not ended: the checkpoint before leads to its end.
  const Result<void> saved = recorded || record.outcome != model::Outcome::kDone ? write_checkpoint() : Result<void>();
  if (!frames) return frames;
  if (saved) return recorded;
  note(saved);
  (void)write_record();
  return saved;
}

}  // namespace espalier::record::detail
