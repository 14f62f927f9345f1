#pragma once

#include <algorithm>
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
///
/// Every node has room for every letter, so a tree of a large alphabet is made over the letters
/// that occur.
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
    fill_from(base);
  }

  /// Over these letters alone, in increasing order; words with others are left out. Not in upstream
  /// libalf.
  prefix_tree(const knowledgebase<answer>& base, std::vector<int> letters)
      : alphabet_size_(static_cast<unsigned>(letters.size())), letters_(std::move(letters)) {
    fill_from(base);
  }

  unsigned get_alphabet_size() const { return alphabet_size_; }

  /// The letter whose edges stand at this place. Not in upstream libalf.
  int letter(unsigned place) const {
    return letters_.empty() ? static_cast<int>(place) : letters_[place];
  }

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
      for (unsigned place = 0; place < alphabet_size_; ++place) {
        if (edges[node][place] == no_edge) continue;
        text << '\t' << node << " -> " << edges[node][place] << " [label=\"" << letter(place)
             << "\"];\n";
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

  void fill_from(const knowledgebase<answer>& base) {
    start();
    std::vector<int> word;
    base.for_each_node([&](const typename knowledgebase<answer>::node& n) {
      n.get_word(word);
      const unsigned node = add(word);
      if (node != no_edge && n.is_answered()) specify(node, n.get_answer());
    });
    sort();
  }

  template <class Letters>
  unsigned add(const Letters& word) {
    unsigned node = root;
    for (int l : word) {
      const unsigned place = place_of(l);
      if (place >= alphabet_size_) return no_edge;
      if (edges[node][place] == no_edge) {
        edges[node][place] = node_count++;
        start();
      }
      node = edges[node][place];
    }
    return node;
  }

  /// Beyond the alphabet for other letters.
  unsigned place_of(int l) const {
    if (letters_.empty()) return static_cast<unsigned>(l);
    const auto at = std::lower_bound(letters_.begin(), letters_.end(), l);
    return at == letters_.end() || *at != l ? alphabet_size_
                                            : static_cast<unsigned>(at - letters_.begin());
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
  std::vector<int> letters_;  // empty: 0, 1, ...
};

}  // namespace libalf
