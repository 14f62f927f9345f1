// A typical libalf program: counts what learning costs, with the counters that libalf has for it.
#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>

#include <iostream>
#include <list>
#include <string>

using namespace std;
using namespace libalf;

int main() {
  knowledgebase<bool> base;
  buffered_logger log(LOGGER_DEBUG);
  angluin_simple_table<bool> algorithm(&base, &log, 2);
  algorithm.enable_timing();

  // Known beforehand: need not be asked.
  list<int> epsilon, one;
  one.push_back(1);
  base.add_knowledge(epsilon, true);
  if (!base.add_knowledge(one, false) || base.add_knowledge(one, true)) return 1;
  const unsigned int time_before = base.get_timestamp();

  conjecture* cj;
  int asked = 0;
  while ((cj = algorithm.advance()) == NULL) {
    list<list<int> > queries = base.get_queries();
    for (list<list<int> >::iterator word = queries.begin(); word != queries.end(); ++word) {
      base.add_knowledge(*word, word->size() % 2 == 0);
      asked++;
    }
  }
  generic_statistics stats = algorithm.get_statistics();
  stats["queries.uniq_membership"] = asked;
  cout << stats.to_string() << '\n';

  bool good = base.count_answers() == asked + 2;
  good = good && base.get_timestamp() == time_before + static_cast<unsigned int>(asked);
  good = good && base.count_resolved_queries() > 0;
  int columns = 0, upper = 0;
  good = good && stats.get_integer_property("size.table.columns", columns) && columns == 1;
  good = good && stats.get_integer_property("size.table.upper_rows", upper) && upper == 2;
  good = good && int(stats["memory.bytes"]) > 0 && double(stats["time.user"]) >= 0;

  base.undo(1);
  good = good && base.count_answers() == asked + 1;
  good = good && algorithm.supports_sync() && algorithm.sync_to_knowledgebase();
  string* messages = log.receive_and_flush();
  cout << *messages;
  delete messages;
  delete cj;
  return good ? 0 : 1;
}
