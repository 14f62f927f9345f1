// A graph whose answer no state after a prefix can give (layers that read a word from both ends,
// attention) is not folded into a step. Its nodes are translated one by one into a word graph, in
// the order of the file, which is that of computation. What a translation takes for granted, such
// as an initial state of zeros, is checked where the graph is run on words for a first time.

#include "rnnalf/onnx/whole_word.hpp"

#include <fmt/core.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "rnnalf/acceptor/whole_word_acceptor.hpp"
#include "rnnalf/onnx/word_nodes.hpp"

namespace rnnalf::onnx_impl {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::ValueInfoProto;
using Op = WordOperation;

constexpr std::size_t kLongestTried = 7;  // symbols of a word

class Translation {
 public:
  Translation(const GraphProto& graph, Context& context)
      : graph_(graph), context_(context), nodes_(graph, context) {}

  WordGraph translate(Output& output) {
    read_inputs();
    for (int i = 0; i < graph_.node_size(); ++i) {
      const NodeProto& proto = graph_.node(i);
      const Node node(proto, static_cast<std::size_t>(i), {}, context_);
      onnx_impl::translate(proto, node, nodes_);
    }
    if (graph_.output_size() == 0) context_.refuse("expected a graph with an output, found none");
    const std::size_t scores = nodes_.node_of(graph_.output(0).name());
    nodes_.words.symbols = symbols_;
    const WordNode& last = nodes_.words.nodes[scores];
    std::size_t root = scores;
    if (last.operation == Op::Softmax || last.operation == Op::LogSoftmax) {
      output = last.operation == Op::Softmax ? Output::Softmax : Output::LogSoftmax;
      root = last.inputs[0];
    } else if (last.operation == Op::Activate && last.activation == Activation::Sigmoid) {
      output = Output::Sigmoid;
      root = last.inputs[0];
    }
    try {
      check_expectations();
      read_out(root);
    } catch (const WordGraphError& error) {
      context_.refuse(std::string("the graph cannot be run on a word: ") + error.what());
    }
    return std::move(nodes_.words);
  }

 private:
  // ---------------------------------------------------------------- what is given

  /// The first input is the word, as indices or one-hot. Others are its length, a mask, an initial
  /// state: what they are for a word alone.
  void read_inputs() {
    bool first = true;
    for (const ValueInfoProto& info : graph_.input()) {
      if (nodes_.initializer(info.name()) != nullptr) continue;
      if (first) {
        read_word(info);
      } else {
        nodes_.define(info.name(), other_input(info));
      }
      first = false;
    }
    if (first) context_.refuse("expected an input for the word, found none");
  }

  static bool is_whole(const ValueInfoProto& info) {
    const int type = info.type().tensor_type().elem_type();
    return type == TensorProto::INT64 || type == TensorProto::INT32 || type == TensorProto::BOOL;
  }

  void read_word(const ValueInfoProto& info) {
    const auto& shape = info.type().tensor_type().shape();
    const std::string what = "graph input " + quoted(info.name());
    const bool indices = is_whole(info);
    const int features = indices ? 0 : 1;
    const int axes = shape.dim_size() - features;
    if (axes < 1 || axes > 2) {
      context_.refuse(what + ": expected time, or batch and time" +
                      (indices ? "" : ", and one-hot symbols") + ", found " +
                      std::to_string(shape.dim_size()) + " axes");
    }
    symbols_ =
        indices ? table_size(info.name())
                : static_cast<std::size_t>(std::max<std::int64_t>(0, shape.dim(axes).dim_value()));
    if (symbols_ == 0) context_.refuse(what + ": expected a known number of symbols, found none");
    std::size_t word = nodes_.add({.operation = Op::Symbols});
    length_ = nodes_.add({.operation = Op::Lengths, .inputs = {word}});
    if (!indices) {
      if (symbols_ > kMostOneHot) {
        context_.refuse(fmt::format("{}: expected at most {} one-hot symbols, found {}", what,
                                    kMostOneHot, symbols_));
      }
      word = nodes_.one_hot(word, symbols_);
    }
    if (axes == 2) {
      // A length of 1 is that of the batch, else the file's name for it may say so.
      const auto is_batch = [&](int axis) {
        const auto& dim = shape.dim(axis);
        return dim.dim_value() == 1 || dim.dim_param().find("atch") != std::string::npos;
      };
      batch_axis_ = is_batch(1) && !is_batch(0) ? 1 : 0;
      word = nodes_.add({.operation = Op::Unsqueeze, .inputs = {word}, .list = {batch_axis_}});
    }
    nodes_.define(info.name(), word);
    word_ = word;
  }

  /// Rows of the table in which the word's indices are looked up.
  std::size_t table_size(const std::string& input) {
    std::vector<std::string> same = {input};
    for (const NodeProto& node : graph_.node()) {
      const auto is_word = [&](int slot) {
        return slot < node.input_size() &&
               std::find(same.begin(), same.end(), node.input(slot)) != same.end();
      };
      constexpr std::string_view passing[] = {"Identity", "Cast",    "Transpose",
                                              "Reshape",  "Squeeze", "Unsqueeze"};
      if (is_word(0) && node.output_size() > 0 &&
          std::find(std::begin(passing), std::end(passing), node.op_type()) != std::end(passing)) {
        same.push_back(node.output(0));
      }
      if (node.op_type() != "Gather" || !is_word(1)) continue;
      const TensorProto* const table = nodes_.initializer(node.input(0));
      if (table == nullptr || table->dims_size() == 0) continue;
      return static_cast<std::size_t>(std::max<std::int64_t>(0, table->dims(0)));
    }
    context_.refuse("graph input " + quoted(input) +
                    ": expected an embedding in which its indices are looked up, found none");
  }

  std::size_t other_input(const ValueInfoProto& info) {
    const auto& shape = info.type().tensor_type().shape();
    const std::string what = "graph input " + quoted(info.name());
    const bool whole = is_whole(info);
    if (whole && shape.dim_size() <= 1) {
      context_.assumed.push_back("the input " + quoted(info.name()) + " is the length of the word");
      return shape.dim_size() == 1 ? length_
                                   : nodes_.add({.operation = Op::Squeeze, .inputs = {length_}});
    }
    if (shape.dim_size() == 2 && whole) {
      const bool ones = info.name().find("mask") != std::string::npos &&
                        info.name().find("padding") == std::string::npos;
      const std::size_t sizes = nodes_.add({.operation = Op::Lengths, .inputs = {word_}});
      context_.assumed.push_back("the input " + quoted(info.name()) + " is all " +
                                 (ones ? "ones" : "zeros"));
      return nodes_.add(
          {.operation = Op::Filled, .inputs = {sizes}, .list = {1}, .number = ones ? 1.0 : 0.0});
    }
    std::vector<std::int64_t> sizes;
    for (const auto& dim : shape.dim()) sizes.push_back(std::max<std::int64_t>(1, dim.dim_value()));
    context_.assumed.push_back("the state " + quoted(info.name()) +
                               ", an input of the graph, is zero at the start of a word");
    return nodes_.add({.operation = Op::Filled, .inputs = {nodes_.integers(sizes)}});
  }

  // ---------------------------------------------------------------- running it

  Word word_of(std::size_t length) const {
    Word word;
    for (std::size_t i = 0; i < length; ++i) word.push_back(static_cast<Symbol>(i % symbols_));
    return word;
  }

  WordTensor run(std::size_t root, std::size_t length) {
    WordRun run(nodes_.words, root, 1U << 20U);
    return run(word_of(length));
  }

  void check_expectations() {
    auto& all = nodes_.expected;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto& [node, expected] : nodes_.expected) {
      for (const std::size_t length : {std::size_t{3}, kLongestTried}) {
        const double wanted =
            expected == WordNodes::Expected::Zero ? 0 : static_cast<double>(length);
        const std::vector<double> found = run(node, length).values;
        if (!std::all_of(found.begin(), found.end(), [&](double x) { return x == wanted; })) {
          context_.refuse(expected == WordNodes::Expected::Zero
                              ? "expected recurrent layers that begin in a state of zeros, found"
                                " others"
                              : "expected words that end where they end, found other lengths");
        }
      }
    }
  }

  /// Adds what is taken of the graph's output: of scores at every position the last.
  void read_out(std::size_t root) {
    const std::vector<std::size_t> shorter = run(root, 3).sizes;
    const std::vector<std::size_t> longer = run(root, kLongestTried).sizes;
    if (shorter.size() != longer.size()) context_.refuse("expected scores of one shape");
    std::size_t features = 1;
    std::optional<std::size_t> time;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      if (shorter[i] == longer[i]) {
        features *= shorter[i];
      } else if (time || shorter[i] != 3 || longer[i] != kLongestTried) {
        context_.refuse("expected scores of the whole word or of every position, found others");
      } else {
        time = i;
      }
    }
    if (features == 0) context_.refuse("expected scores, found none");
    if (time) {
      context_.assumed.push_back("of the scores at every symbol, the last are those of the word");
      root = nodes_.add({.operation = Op::Gather,
                         .inputs = {root, nodes_.number(-1, true)},
                         .list = {static_cast<std::int64_t>(*time)}});
    }
    // The last node is what the head reads.
    nodes_.add({.operation = Op::Flatten, .inputs = {root}, .list = {0}});
    nodes_.words.features = features;
    // A loop that was written out for a longer word cannot be run on this one.
    if (run(nodes_.words.nodes.size() - 1, 1).values.size() != features) {
      context_.refuse("expected as many scores for a word of one symbol, found others");
    }
  }

  const GraphProto& graph_;
  Context& context_;
  WordNodes nodes_;
  std::size_t symbols_ = 0;
  std::size_t word_ = 0;    // the word as the graph's input has it
  std::size_t length_ = 0;  // [its length]
  std::int64_t batch_axis_ = 0;
};

}  // namespace

void read_whole_word(const GraphProto& graph, Context& context, NetworkSpec& spec) {
  spec.word_graph = Translation(graph, context).translate(spec.output);
  const std::size_t outputs = spec.word_graph->features;
  if (outputs > kMostOneHot || !context.meter.spend(outputs)) {
    context.refuse(fmt::format("expected fewer scores, found {}", outputs));
  }
  DenseLayer identity{.weights = {outputs, outputs, std::vector<double>(outputs * outputs, 0)},
                      .bias = {}};
  for (std::size_t i = 0; i < outputs; ++i) identity.weights.values[i * outputs + i] = 1;
  spec.head = {std::move(identity)};
}

}  // namespace rnnalf::onnx_impl
