#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// What the user says about a network file; every reader takes it. A field left empty means: as the
/// file states it, else the reader's default.
struct ReadOptions {
  std::optional<Alphabet> alphabet = {};  ///< `--alphabet`; default: the file's own, else 0 .. k-1
  /// `--cell`: a name of a CellKind or of a Cell; one that contradicts the file is an error.
  std::optional<std::string_view> cell = {};
  std::optional<GivenClass> accept_class = {};  ///< `--accept-class`; default: 1 of two outputs
  std::optional<ClassNames> classes = {};       ///< `--classes`; default: the file's own, else none
  /// `--head-from`: which states the head reads, one behind the other, where the file does not say;
  /// default: the last one.
  std::vector<HeadFrom> head_from = {};
  /// `--activation`, where the file does not say: one for each dense layer of the head, applied in
  /// front of it; or one less, the first dense layer being without; or one for all gaps between
  /// dense layers, or in front of the only one.
  std::vector<NamedActivation> activations = {};
  /// `--vocabulary`: a file of symbols, see parse_vocabulary; load_network makes it the alphabet.
  std::filesystem::path vocabulary = {};
  /// `--probes`: a file of probes, see parse_probes; load_network adds them to the file's own.
  std::filesystem::path probes = {};
  /// Where a file of numbers that belongs to the network may be read; load_network makes it the
  /// folder of the network. Empty: nowhere.
  std::filesystem::path folder = {};
};

/// What options say about the classes of a network that has the names of its file, or none. Every
/// reader calls it. Throws NetworkFileError where the accept class is a name that no class has.
void set_classes(const ReadOptions& options, NetworkSpec& spec);

}  // namespace rnnalf
