#pragma once

// The JSON document of each verb's answer, as the command line prints and writes it, with a line end.
// docs/file-formats.md leads to a list of the keys.

#include <string>

namespace espalier::study {

struct CheckAnswer;
struct PlanAnswer;
struct ConvertAnswer;
struct GenerateAnswer;
struct Calibration;
struct SimulateAnswer;
struct SweepAnswer;
struct ModesAnswer;
struct ResponseAnswer;
struct ModeSweepAnswer;
struct MatrixAnswer;
struct TuneAnswer;
struct ViewAnswer;
struct ViewFiles;

std::string to_json(const CheckAnswer& answer);
std::string to_json(const PlanAnswer& answer);
std::string to_json(const ConvertAnswer& answer);
std::string to_json(const GenerateAnswer& answer);
std::string to_json(const Calibration& answer);
std::string to_json(const SimulateAnswer& answer);
std::string to_json(const SweepAnswer& answer);
std::string to_json(const ModesAnswer& answer);
std::string to_json(const ResponseAnswer& answer);
std::string to_json(const ModeSweepAnswer& answer);
std::string to_json(const MatrixAnswer& answer);
std::string to_json(const TuneAnswer& answer);
std::string to_json(const ViewAnswer& answer);
std::string to_json(const ViewFiles& files);

}  // namespace espalier::study
