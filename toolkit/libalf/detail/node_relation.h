#pragma once

#include <map>
#include <set>
#include <utility>

#include <libalf/alphabet.h>

namespace libalf::detail {

/// Pairs of equivalent nodes of a knowledgebase, as libalf's clients fill them in. Whoever does has
/// to keep it an equivalence: every node is paired with all nodes of its class, itself included.
template <class node, class comparator>
class node_relation : public std::multimap<node*, node*, comparator> {
 public:
  using iterator = typename std::multimap<node*, node*, comparator>::iterator;
  using range = std::pair<iterator, iterator>;

  std::set<node*> get_equivalence_class(node* n) {
    std::set<node*> members;
    for (auto [at, last] = this->equal_range(n); at != last; ++at) members.insert(at->second);
    return members;
  }
  bool are_equivalent(node* a, node* b) { return get_equivalence_class(a).count(b) != 0; }

  // The smallest node of a class in one of three orders; NULL, or false, for a node in no class.

  node* representative_lex(node* n) { return smallest(n, lex); }
  bool is_representative_lex(node* n) { return is_smallest(n, lex); }
  std::set<node*> representatives_lex() { return all_smallest(lex); }

  node* representative_graded_lex(node* n) { return smallest(n, graded_lex); }
  bool is_representative_graded_lex(node* n) { return is_smallest(n, graded_lex); }
  std::set<node*> representatives_graded_lex() { return all_smallest(graded_lex); }

  node* representative_ptr(node* n) { return smallest(n, address); }
  bool is_representative_ptr(node* n) { return is_smallest(n, address); }
  std::set<node*> representatives_ptr() { return all_smallest(address); }

 private:
  static bool lex(const node* a, const node* b) { return a->is_lex_smaller(b); }
  static bool graded_lex(const node* a, const node* b) { return a->is_graded_lex_smaller(b); }
  static bool address(const node* a, const node* b) { return comparator()(a, b); }

  template <class Less>
  node* smallest(node* n, Less less) {
    node* found = nullptr;
    for (auto [at, last] = this->equal_range(n); at != last; ++at) {
      if (!found || less(at->second, found)) found = at->second;
    }
    return found;
  }
  template <class Less>
  bool is_smallest(node* n, Less less) {
    node* found = smallest(n, less);
    return found && !less(found, n);
  }
  template <class Less>
  std::set<node*> all_smallest(Less less) {
    std::set<node*> found;
    for (auto at = this->begin(); at != this->end(); at = this->upper_bound(at->first)) {
      found.insert(smallest(at->first, less));
    }
    return found;
  }
};

}  // namespace libalf::detail
