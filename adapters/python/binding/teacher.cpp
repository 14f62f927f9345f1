#include "rnnalf/teacher/teacher.hpp"

#include "convert.hpp"
#include "module.hpp"
#include "network.hpp"
#include "watched.hpp"

namespace rnnalf::python {
namespace {

/// A teacher with all that must outlive it.
class PyTeacher {
 public:
  PyTeacher(const PyNetwork& network, const GivenOptions& given, const py::object& samples)
      : network_(network), teacher_(*network_.network.acceptor, network_.alphabet(), [&] {
          const ExtractionOptions options = extraction_options(given);
          TeacherOptions teaching;
          teaching.states.threads = network.threads(options.threads);
          teaching.states.empty_word = network.network.empty_word;
          teaching.oracles = options.oracles;
          teaching.mode = options.oracle_mode;
          teaching.seed = options.seed;
          teaching.samples = words_of(samples, network.alphabet());
          return teaching;
        }()) {}

  /// The network's answer for the empty word, then after each symbol.
  std::vector<std::size_t> answers(const py::object& given) {
    const Word word = word_of(given, network_.alphabet());
    const py::gil_scoped_release release;
    StateTree& tree = teacher_.tree();
    std::vector<Node> nodes = {StateTree::root()};
    for (const Symbol symbol : word) nodes.push_back(tree.add(nodes.back(), WordView(&symbol, 1)));
    static_cast<void>(tree.compute(nodes, Budget()));  // cannot end early without a limit
    std::vector<std::size_t> given_answers;
    for (const Node node : nodes) given_answers.push_back(index(teacher_.taught(node)));
    return given_answers;
  }

  /// A word on which network and DFA differ as its symbols, None when none was found, and whether
  /// the time ended before the search did.
  py::tuple find(const NamedDfa& automaton, std::optional<double> time_limit) {
    const Alphabet& alphabet = network_.alphabet();
    const Dfa dfa = for_network(automaton, network_.summary());
    Budget budget;
    if (time_limit) budget.restrict_time(std::chrono::duration<double>(*time_limit));
    const Progress progress;
    const EquivalenceAnswer answer = watched_value(
        [&] {
          // What the network answered already costs no step.
          if (const auto known = teacher_.contradiction(dfa)) {
            EquivalenceAnswer by_the_way;
            by_the_way.verdict = Verdict::Counterexample;
            by_the_way.counterexample = {.word = teacher_.tree().word(*known),
                                         .answer = teacher_.tree().answer(*known)};
            return by_the_way;
          }
          return teacher_.equivalence(dfa, budget);
        },
        budget, progress, py::none());
    if (budget.limit() == Limit::Interrupt) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw py::error_already_set();
    }
    if (!answer.counterexample) {
      return py::make_tuple(py::none(), answer.verdict == Verdict::BudgetSpent);
    }
    std::vector<std::string> symbols;
    for (const Symbol symbol : answer.counterexample->word) {
      symbols.push_back(alphabet.name(symbol));
    }
    return py::make_tuple(py::tuple(py::cast(symbols)), false);
  }

  [[nodiscard]] std::uint64_t steps() const { return teacher_.tree().stats().steps; }

 private:
  PyNetwork network_;
  Teacher teacher_;
};

}  // namespace

void bind_teacher(py::module_& core) {
  py::class_<PyTeacher>(core, "Teacher")
      .def(py::init<const PyNetwork&, const GivenOptions&, const py::object&>())
      .def("answers", &PyTeacher::answers)
      .def("find", &PyTeacher::find)
      .def_property_readonly("steps", &PyTeacher::steps);
}

}  // namespace rnnalf::python
