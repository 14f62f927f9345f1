#pragma once

#include <list>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <libalf/knowledgebase.h>

namespace libalf {

/// A sample as a tree in flat arrays: node 0 is epsilon, and shorter words have smaller numbers,
/// words of one length in dictionary order. Words with a letter beyond the alphabet are left out.
template <class answer>
class prefix_tree {
 public:
  static constexpr unsigned no_edge = ~0u;
  static constexpr unsigned root = 0;

  unsigned node_count = 1;
  std::vector<std::vector<unsigned>> edges;  // node -> letter -> node, or no_edge
  std::vector<bool> specified;               // the node's word is answered ...
  std::vector<answer> output;                // ... with this

  prefix_tree(const std::map<std::list<int>, answer>& sample, unsigned alphabet_size)
      : alphabet_size_(alphabet_size) {
    start();
    for (const auto& [word, value] : sample) {
      const unsigned node = add(word);
      if (node != no_edge) specify(node, value);
    }
    sort();
  }

  prefix_tree(const knowledgebase<answer>& base, unsigned alphabet_size)
      : alphabet_size_(alphabet_size) {
    start();
    std::vector<int> word;
    base.for_each_node([&](const typename knowledgebase<answer>::node& n) {
      n.get_word(word);
      const unsigned node = add(word);
      if (node != no_edge && n.is_answered()) specify(node, n.get_answer());
    });
    sort();
  }

  unsigned get_alphabet_size() const { return alphabet_size_; }

  /// Graphviz.
  std::string to_dot() const {
    std::ostringstream text;
    text << "digraph prefix_tree {\n";
    for (unsigned node = 0; node < node_count; ++node) {
      text << '\t' << node << " [color=\"";
      if (!specified[node]) {
        text << "black";
      } else if constexpr (std::is_same_v<answer, bool>) {
        text << (output[node] ? "green" : "red");
      } else {
        text << "black\", label=\"" << output[node];
      }
      text << "\"];\n";
    }
    for (unsigned node = 0; node < node_count; ++node) {
      for (unsigned letter = 0; letter < alphabet_size_; ++letter) {
        if (edges[node][letter] == no_edge) continue;
        text << '\t' << node << " -> " << edges[node][letter] << " [label=\"" << letter << "\"];\n";
      }
    }
    text << '}';
    return text.str();
  }

 private:
  void start() {
    edges.emplace_back(alphabet_size_, no_edge);
    specified.push_back(false);
    output.emplace_back();
  }

  template <class Letters>
  unsigned add(const Letters& word) {
    unsigned node = root;
    for (int letter : word) {
      if (letter < 0 || static_cast<unsigned>(letter) >= alphabet_size_) return no_edge;
      if (edges[node][static_cast<unsigned>(letter)] == no_edge) {
        edges[node][static_cast<unsigned>(letter)] = node_count++;
        start();
      }
      node = edges[node][static_cast<unsigned>(letter)];
    }
    return node;
  }

  void specify(unsigned node, const answer& value) {
    specified[node] = true;
    output[node] = value;
  }

  /// Numbers the nodes breadth first.
  void sort() {
    std::vector<unsigned> order{root};  // new number -> old one
    std::vector<unsigned> number(node_count, root);
    for (unsigned i = 0; i < order.size(); ++i) {
      for (unsigned below : edges[order[i]]) {
        if (below == no_edge) continue;
        number[below] = static_cast<unsigned>(order.size());
        order.push_back(below);
      }
    }
    std::vector<std::vector<unsigned>> sorted_edges;
    std::vector<bool> sorted_specified;
    std::vector<answer> sorted_output;
    for (unsigned old : order) {
      for (unsigned& below : edges[old]) below = below == no_edge ? no_edge : number[below];
      sorted_edges.push_back(std::move(edges[old]));
      sorted_specified.push_back(specified[old]);
      sorted_output.push_back(output[old]);
    }
    edges = std::move(sorted_edges);
    specified = std::move(sorted_specified);
    output = std::move(sorted_output);
  }

  unsigned alphabet_size_;
};

}  // namespace libalf
