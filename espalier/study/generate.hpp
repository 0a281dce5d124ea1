#pragma once

// The verb `generate`: models by rule, as large as one likes, and those that come with the program.
//   In:   the name of a kind, and how large
//   Out:  GenerateAnswer: the model, loaded as from a file, or a plain graph; and the text of its file where asked for
// Read next: model/generate.hpp and plan/generate.hpp, what is made; documents.hpp for its JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/generate.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// The text that an answer brings along.
enum class GeneratedText {
  kNone,
  kModel,  // a model file; a shipped model as its author wrote it, comments and all
  kGraph,  // the plain graph of the mechanism: the ground is vertex 1, a joint weighs as many coordinates as it has
};

struct GenerateOptions {
  std::vector<int> sizes = {};             // [-] How large, as the kind asks; those left out have its defaults.
  std::optional<std::uint64_t> seed = {};  // Another number, another random model or graph; 1 if not given.
  bool spatial = false;                    // True gives a ladder universal and spherical joints beside revolute ones.
  std::optional<model::Grain> grain = {};  // Shape of the bodies of a pile; spheres if not given.
  // [-] Of an arch against its radius; 0.12 if not given, below 0.1075 it falls.
  std::optional<double> thickness = {};
  GeneratedText text = GeneratedText::kNone;  // What is to be written, if anything.
  std::optional<formats::Format> to = {};     // Of a model's text; native if not given.
};

// A plain value.
struct GenerateAnswer {
  std::string kind;
  std::string written;                  // the file a door wrote the text to; empty: the document holds the text
  std::optional<LoadedModel> loaded;    // nothing for a plain graph
  plan::Count count;                    // of the model
  std::optional<plan::SatProblem> sat;  // the plain graph of kind 3sat
  std::optional<plan::Network> graph;   // that of another kind that has no mechanism behind it
  std::string text;                     // as asked for
  std::optional<formats::Conversion> conversion;  // of a model written in another format than our own
};

// Errors: an unknown kind, more sizes than it takes or out of range, an option that the kind does not have.
Result<GenerateAnswer> generate(const std::string& kind, const GenerateOptions& options = {});

// What a door says of the kinds by rule, the plain graphs among them; formats::shipped_models() are the others.
struct GeneratorKind {
  std::string name;
  std::vector<int> sizes;  // defaults, one for each size it takes
  std::string help;        // "LOOPS four-bars side by side"
  bool plain = false;      // a plain graph, with no mechanism behind it
};
std::vector<GeneratorKind> generator_kinds();

}  // namespace espalier::study
