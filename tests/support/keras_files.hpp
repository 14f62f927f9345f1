#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "rnnalf/tensors/zip_archive.hpp"
#include "unit/pytorch/file_builders.hpp"

namespace rnnalf::test {

/// A .keras file with another description: `change` gets the list of its layers. `version` of the
/// Keras that wrote it; empty: none is said.
inline std::string changed_keras(const std::string& file,
                                 const std::function<void(nlohmann::json&)>& change,
                                 const std::string& version = "3.3.3") {
  const std::string bytes = read_file(file);
  const tensors::ZipArchive archive(bytes_of(bytes), file);
  const auto entry = [&](const char* name) {
    const tensors::Bytes content = archive.entry(name);
    return std::string(tensors::text_at(content, 0, content.size()));
  };
  nlohmann::json config = nlohmann::json::parse(entry("config.json"));
  change(config["config"]["layers"]);
  const std::string metadata = version.empty() ? "{}" : "{\"keras_version\": \"" + version + "\"}";
  return zip({{.name = "metadata.json", .content = metadata},
              {.name = "config.json", .content = config.dump()},
              {.name = "model.weights.h5", .content = entry("model.weights.h5")}});
}

}  // namespace rnnalf::test
