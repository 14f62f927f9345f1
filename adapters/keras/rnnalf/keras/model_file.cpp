#include "rnnalf/keras/model_file.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/keras/hdf5_file.hpp"
#include "rnnalf/tensors/zip_archive.hpp"

namespace rnnalf::keras {
namespace {

using tensors::Bytes;
using tensors::quoted;
using tensors::Tensor;
using tensors::text_at;

/// `model.h5`: the description is an attribute of the root. `model_weights` has a group for each
/// layer, whose attribute `weight_names` lists the arrays inside of it.
class H5Model final : public ModelFile {
 public:
  H5Model(Bytes bytes, const std::string& file) : hdf5_(bytes, file), file_(file) {}

  [[nodiscard]] std::string config() const override {
    const auto found = hdf5_.texts(hdf5_.root(), "model_config");
    if (!found || found->size() != 1) {
      throw NetworkFileError(file_,
                             "expected a whole Keras model with its 'model_config', found none; "
                             "save it with model.save, not model.save_weights");
    }
    return found->front();
  }

  [[nodiscard]] std::string version() const override {
    const auto found = hdf5_.texts(hdf5_.root(), "keras_version");
    return found && found->size() == 1 ? found->front() : "";
  }

  [[nodiscard]] std::vector<Tensor> weights(const std::string& name, const std::string&,
                                            std::size_t, bool) const override {
    const auto group = hdf5_.find(hdf5_.root(), "model_weights/" + name);
    if (!group) {
      throw NetworkFileError(file_, "layer " + quoted(name) + ": expected its weights, found none");
    }
    std::vector<Tensor> arrays;
    for (const std::string& weight :
         hdf5_.texts(*group, "weight_names").value_or(std::vector<std::string>{})) {
      const auto array = hdf5_.find(*group, weight);
      if (!array) {
        throw NetworkFileError(file_, "layer " + quoted(name) + ": expected the array " +
                                          quoted(weight) + ", found none");
      }
      arrays.push_back(hdf5_.array(*array, name + "/" + weight));
    }
    return arrays;
  }

 private:
  Hdf5File hdf5_;
  const std::string& file_;
};

/// `model.keras`: a zip archive with config.json and model.weights.h5. There the arrays of a layer
/// are layers/NAME/vars/0, 1, ..., those of a cell layers/NAME/cell/vars/0, ...; NAME is the
/// layer's class in small letters with a number behind the second and later ones.
class KerasModel final : public ModelFile {
 public:
  KerasModel(Bytes bytes, const std::string& file)
      : archive_(bytes, file), hdf5_(archive_.entry("model.weights.h5"), file), file_(file) {
    for (const char* container : {"layers", "_layer_checkpoint_dependencies"}) {
      if (!layers_) layers_ = hdf5_.find(hdf5_.root(), container);
    }
    if (!layers_) throw NetworkFileError(file_, "expected weights of layers, found none");
  }

  [[nodiscard]] std::string config() const override {
    const Bytes text = archive_.entry("config.json");
    return std::string(text_at(text, 0, text.size()));
  }

  [[nodiscard]] std::string version() const override {
    if (!archive_.has("metadata.json")) return "";
    const Bytes text = archive_.entry("metadata.json");
    const auto json = nlohmann::json::parse(text_at(text, 0, text.size()), nullptr, false);
    const auto found = json.is_object() ? json.find("keras_version") : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  }

  [[nodiscard]] std::vector<Tensor> weights(const std::string& name, const std::string& class_name,
                                            std::size_t position,
                                            bool is_recurrent) const override {
    const std::string by_class =
        snake_case(class_name) + (position == 0 ? "" : fmt::format("_{}", position));
    const std::string inside = is_recurrent ? "/cell/vars" : "/vars";
    auto group = hdf5_.find(*layers_, by_class + inside);
    if (!group) group = hdf5_.find(*layers_, name + inside);
    if (!group) {
      throw NetworkFileError(file_, "layer " + quoted(name) + ": expected its weights at " +
                                        quoted("layers/" + by_class + inside) + ", found none");
    }
    const auto members = hdf5_.members(*group);
    std::vector<Tensor> arrays;
    for (std::size_t i = 0;; ++i) {
      const auto array = members.find(std::to_string(i));
      if (array == members.end()) return arrays;
      arrays.push_back(hdf5_.array(array->second, fmt::format("{}/{}", name, i)));
    }
  }

 private:
  /// `SimpleRNN` becomes `simple_rnn`, `GlobalMaxPooling1D` becomes `global_max_pooling1d`.
  static std::string snake_case(const std::string& name) {
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool starts_word =
          i > 0 && is_upper(name[i]) &&
          (is_lower(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
      if (starts_word) text += '_';
      text += static_cast<char>(is_upper(name[i]) ? name[i] - 'A' + 'a' : name[i]);
    }
    return text;
  }

  tensors::ZipArchive archive_;
  Hdf5File hdf5_;
  std::optional<Hdf5Object> layers_;
  const std::string& file_;
};

}  // namespace

std::unique_ptr<ModelFile> open_model(Bytes bytes, const std::string& file) {
  if (bytes.size() >= 2 && text_at(bytes, 0, 2) == "PK") {
    return std::make_unique<KerasModel>(bytes, file);
  }
  return std::make_unique<H5Model>(bytes, file);
}

}  // namespace rnnalf::keras
