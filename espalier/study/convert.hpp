#pragma once

// The verb `convert`: a model as a file of another format, loops kept, and what that format could not say.
//   In:   LoadedModel (load.hpp)
//   Out:  ConvertAnswer: the text of the file, read back, with every difference
// Read next: formats/formats.hpp, how differences are found; documents.hpp for its JSON.

#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// Which pose becomes the drawn one of the new file.
enum class WrittenPose { kDrawn, kAssembled };

struct ConvertOptions {
  formats::Format to = formats::Format::kNative;  // Of the new file.
  WrittenPose pose = WrittenPose::kDrawn;         // kAssembled: the pose in which the loops are closed.
  std::string keyframe = {};                      // Assembled from this pose of the model; empty: as `pose` says.
  std::filesystem::path folder = {};              // Where the new file will stand; empty: beside the old one.
};

// A plain value.
struct ConvertAnswer {
  std::string file;     // of the old model
  std::string written;  // the file a door wrote the text to; empty: none yet, so that the document holds the text
  formats::Format format = formats::Format::kNative;
  formats::Conversion conversion;  // the text, what it says otherwise, and notes
  ReaderNotes reader;
};

// In USD the joints that plan() cuts are excluded from the articulation.
// Errors: loops that stay open (kAssembled); an unknown keyframe; what the format has no word for at all; a model whose
// reader left out what the new file would lack.
Result<ConvertAnswer> convert(const LoadedModel& loaded, const ConvertOptions& options = {});

}  // namespace espalier::study
