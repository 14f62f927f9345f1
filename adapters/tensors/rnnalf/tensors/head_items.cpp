#include "rnnalf/tensors/head_items.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace rnnalf::tensors {
namespace {

class Finder {
 public:
  explicit Finder(const TensorSource& source) : source_(source) {}

  OtherModules find(std::size_t inputs, std::size_t hidden, bool chained) {
    std::vector<HeadItem> items = modules();
    std::vector<const Tensor*> weights;
    for (const HeadItem& item : items) {
      if (item.is_dense()) weights.push_back(item.weight);
    }
    if (weights.empty()) {
      source_.refuse(
          fmt::format("expected a dense layer behind the recurrent ones, a weight with {} columns, "
                      "found none; where the network has one, {}",
                      hidden, kExport));
    }
    if (weights.size() > 1) choose_embedding(weights, inputs, hidden);
    std::erase_if(items, [&](const HeadItem& item) { return item.weight == embedding_; });
    if (!source_.in_order) sort_by_size(items, hidden);
    std::size_t size = hidden;
    const HeadItem* before = nullptr;
    for (const HeadItem& item : items) {
      if (item.is_dense() && item.weight->sizes[1] != size) {
        source_.refuse(
            *item.weight,
            fmt::format("expected an embedding or a dense layer with {} inputs, found {}{}; if "
                        "it is something else, {}",
                        size, item.weight->shape(), joined_states(*item.weight, size), kExport));
      }
      if (!item.is_dense() && item.weight->sizes[0] != size) {
        source_.refuse(
            *item.weight,
            fmt::format(
                "expected a normalisation of {} numbers behind the recurrent layers, found {}",
                size, item.weight->shape()));
      }
      if (chained && source_.in_order && source_.stands_between_recurrent(*item.weight)) {
        source_.refuse(
            *item.weight,
            "this stands between recurrent modules in the file, and the file does not say what it"
            " is applied to: " +
                std::string(kExport));
      }
      if (!item.is_dense() && source_.in_order && source_.is_before_recurrent(*item.weight)) {
        source_.refuse(
            *item.weight,
            "this is a normalisation that stands before the recurrent layers in the file, and"
            " the file does not say what it is applied to: export the network to ONNX");
      }
      if (item.is_dense()) size = item.weight->sizes[0];
      before = &item;
    }
    if (before != nullptr && !before->is_dense()) {
      source_.refuse(*before->weight,
                     "expected a dense layer at the end of the network, found a"
                     " normalisation: export the network to ONNX");
    }
    return {embedding_, std::move(items)};
  }

 private:
  /// Puts the head in order where the file does not: by number in an nn.Sequential, else in the one
  /// order in which each module takes as many numbers as the one before it gives.
  void sort_by_size(std::vector<HeadItem>& items, std::size_t hidden) const {
    const auto prefix = [](const HeadItem& item) {
      const auto place = numbered(item.module);
      return place ? std::optional(place->first) : std::nullopt;
    };
    if (std::all_of(items.begin(), items.end(), [&](const HeadItem& item) {
          return prefix(item) && prefix(item) == prefix(items.front());
        })) {
      std::sort(items.begin(), items.end(), [](const HeadItem& a, const HeadItem& b) {
        return numbered(a.module)->second < numbered(b.module)->second;
      });
      return;
    }
    constexpr std::size_t most = 5;  // 120 orders
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<std::vector<std::size_t>> fitting;
    do {
      std::size_t size = hidden;
      bool fits = items.size() <= most && items[order.back()].is_dense();
      for (const std::size_t i : order) {
        fits = fits && items[i].weight->sizes.back() == size;
        size = items[i].weight->sizes.front();
      }
      if (fits) fitting.push_back(order);
    } while (items.size() <= most && std::next_permutation(order.begin(), order.end()));
    if (fitting.size() != 1) {
      source_.refuse(
          *items.front().weight,
          fmt::format("expected one order in which the modules of the head fit together, found "
                      "{}; a {} has no order: save a state_dict, or {}",
                      fitting.size(), source_.kind, kExport));
    }
    std::vector<HeadItem> sorted;
    for (const std::size_t i : fitting.front()) sorted.push_back(items[i]);
    items = std::move(sorted);
  }

  /// Modules that are not recurrent, in the file's order.
  [[nodiscard]] std::vector<HeadItem> modules() const {
    std::vector<HeadItem> items;
    for (const Tensor& tensor : source_.tensors) {
      if (source_.is_recurrent(tensor)) continue;
      const SplitName name = split(tensor.name);
      auto item = std::find_if(items.begin(), items.end(),
                               [&](const HeadItem& known) { return known.module == name.module; });
      if (item == items.end()) {
        items.push_back({.module = std::string(name.module)});
        item = items.end() - 1;
      }
      const std::size_t rank = tensor.sizes.size();
      if (name.leaf == "weight" && (rank == 2 || rank == 1)) {
        item->weight = &tensor;
      } else if (name.leaf == "bias" && rank == 1) {
        item->bias = &tensor;
      } else if (name.leaf == "running_mean" && rank == 1) {
        item->mean = &tensor;
      } else if (name.leaf == "running_var" && rank == 1) {
        item->variance = &tensor;
      } else {
        refuse_unknown(tensor);
      }
    }
    for (const HeadItem& item : items) {
      const bool statistics = item.mean != nullptr || item.variance != nullptr;
      const bool normalisation =
          item.weight != nullptr && !item.is_dense() && item.bias != nullptr &&
          item.bias->sizes == item.weight->sizes &&
          (!statistics ||
           (item.mean != nullptr && item.variance != nullptr &&
            item.mean->sizes == item.weight->sizes && item.variance->sizes == item.weight->sizes));
      if (item.is_dense() ? statistics : !normalisation) {
        for (const Tensor* part : {item.weight, item.bias, item.mean, item.variance}) {
          if (part != nullptr) refuse_unknown(*part);
        }
      }
    }
    return items;
  }

  [[noreturn]] void refuse_unknown(const Tensor& tensor) const {
    source_.refuse(tensor,
                   "expected an embedding, recurrent layers and a head of dense layers and"
                   " normalisations, found a tensor (" +
                       tensor.shape() + ") of something else, that would change what the network" +
                       " computes: " + kExport);
  }

  /// Of two dense weights or more: one may be the embedding. Shapes decide; where they fit both
  /// ways, the order does, which is that of the modules in the Python class.
  void choose_embedding(const std::vector<const Tensor*>& weights, std::size_t inputs,
                        std::size_t hidden) {
    const auto is_embedding = [&](const Tensor& weight) {
      return weight.sizes[1] == inputs && source_.bias_of(weight) == nullptr;
    };
    const auto is_head = [&](const Tensor& weight) { return weight.sizes[1] == hidden; };
    if (weights.size() == 2) {
      const Tensor& a = *weights[0];
      const Tensor& b = *weights[1];
      const bool a_first = is_embedding(a) && is_head(b);
      const bool b_first = is_embedding(b) && is_head(a);
      if (a_first && b_first && source_.is_before_recurrent(a) == source_.is_before_recurrent(b)) {
        source_.refuse(a, "expected to tell the embedding from the dense layer, found that " +
                              quoted(b.name) + " could be either as well, by shape and by order");
      }
      if (a_first || b_first) {
        embedding_ = a_first && (!b_first || source_.is_before_recurrent(a)) ? &a : &b;
        refuse_transposed_embedding();
        return;
      }
    }
    for (const Tensor* weight : weights) {
      if (!is_embedding(*weight) || !source_.is_before_recurrent(*weight)) continue;
      embedding_ = weight;
      refuse_transposed_embedding();
      return;
    }
  }

  /// A dense layer without bias in front of the recurrent ones looks like an embedding when it is
  /// square, but is its transpose.
  void refuse_transposed_embedding() const {
    if (embedding_->sizes[0] == embedding_->sizes[1] && !is_called_embedding(*embedding_)) {
      source_.refuse(*embedding_,
                     "expected an embedding, found a square weight (" + embedding_->shape() +
                         ") that could be a dense layer too: give the module a name with" +
                         " \"emb\" in it, or export the network to ONNX");
    }
  }

  /// A hint where the head reads several vectors of a size.
  [[nodiscard]] std::string joined_states(const Tensor& weight, std::size_t size) const {
    const bool several = size != 0 && weight.sizes[1] % size == 0 && weight.sizes[1] / size <= 4;
    if (!several || !source_.options.head_from.empty() || source_.is_before_recurrent(weight))
      return "";
    return "; if it reads several states joined, say which, such as `head-from=last+mean+max`";
  }

  const TensorSource& source_;
  const Tensor* embedding_ = nullptr;
};

}  // namespace

OtherModules other_modules(const TensorSource& source, std::size_t inputs, std::size_t size,
                           bool chained) {
  return Finder(source).find(inputs, size, chained);
}

std::optional<std::pair<std::string_view, std::size_t>> numbered(const std::string& module) {
  if (module.empty()) return std::nullopt;
  const std::string_view path = std::string_view(module).substr(0, module.size() - 1);
  const SplitName parts = split(path);
  std::size_t number = 0;
  const char* const end = parts.leaf.data() + parts.leaf.size();
  const auto parsed = std::from_chars(parts.leaf.data(), end, number);
  if (parts.leaf.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return std::pair(parts.module, number);
}

}  // namespace rnnalf::tensors
