// The JSON said `reproducible` of every run whose learning no clock ended. But a clock, the memory
// or Ctrl-C could have ended what decides the result as well: measuring hypotheses, asking the
// oracles about the result, comparing the symbols of a large alphabet. Two runs with one
// --time-limit had 7 and 2 states, and both were called reproducible.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string_view>
#include <thread>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/forgetful.hpp"
#include "support/network_of.hpp"

namespace rnnalf {
namespace {

/// An acceptor with something to do before every step.
class Disturbed final : public RnnAcceptor {
 public:
  Disturbed(const RnnAcceptor& acceptor, std::function<void()> before)
      : acceptor_(acceptor), before_(std::move(before)) {}
  [[nodiscard]] std::size_t state_size() const override { return acceptor_.state_size(); }
  [[nodiscard]] std::size_t symbol_count() const override { return acceptor_.symbol_count(); }
  [[nodiscard]] std::vector<double> initial_state() const override {
    return acceptor_.initial_state();
  }
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    before_();
    acceptor_.step(states, symbols, next);
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    acceptor_.margins(states, margins);
  }

 private:
  const RnnAcceptor& acceptor_;
  std::function<void()> before_;
};

ExtractionOptions on_one_thread() {
  ExtractionOptions options;
  options.oracles = parse_oracles("samples,pumping:words=200,random:per-length=20:max-length=20");
  options.threads = 1;
  return options;
}

std::vector<Word> words(const std::vector<Counterexample>& list) {
  std::vector<Word> words;
  for (const Counterexample& one : list) words.push_back(one.word);
  return words;
}

std::vector<Word> shortest(const std::vector<Family>& list) {
  std::vector<Word> words;
  for (const Family& one : list) words.push_back(one.shortest());
  return words;
}

bool same(const Run& a, const Run& b) {
  return a.dfa() == b.dfa() && a.limit == b.limit && a.evidence == b.evidence &&
         words(a.exceptions) == words(b.exceptions) &&
         words(a.counterexamples) == words(b.counterexamples) &&
         shortest(a.families) == shortest(b.families) && a.ladder.size() == b.ladder.size();
}

/// Interrupts extractions from this network at many places. Returns how many of these ended by
/// themselves all the same, with another run.
std::size_t others_when_interrupted(const RnnAcceptor& acceptor) {
  std::size_t calls = 0, interrupted_at = 0;
  Budget* budget = nullptr;
  const Disturbed disturbed(acceptor, [&] {
    if (++calls == interrupted_at) budget->interrupt();
  });
  const auto run = [&](std::size_t at) {
    Budget whole;
    budget = &whole;
    calls = 0;
    interrupted_at = at;
    return Extraction(support::network_of(disturbed), libalf_learners(), on_one_thread())
        .run(whole);
  };
  const Run undisturbed = run(0);
  BOOST_TEST(is_reproducible(undisturbed));
  const std::size_t all = calls;
  std::size_t others = 0;
  for (std::size_t part = 1; part <= 40; ++part) {
    const Run cut = run(all - (part - 1) * (part - 1) * all / 1600);  // most near the end
    if (same(cut, undisturbed)) continue;
    BOOST_TEST(!is_reproducible(cut));
    others += cut.limit == Limit::None ? 1 : 0;
  }
  return others;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_without_time_to_measure_is_not_called_reproducible) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.1, 1);
  Progress progress;
  const Disturbed slow(acceptor, [&] {
    if (std::string_view(progress.activity.load()) == "measuring") {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  ExtractionOptions options = on_one_thread();
  options.oracles = parse_oracles("samples");
  options.max_rounds = 1;
  options.time_limit = std::chrono::duration<double>(1.5);
  const Run run =
      Extraction(support::network_of(slow), libalf_learners(), options).run(Budget(), &progress);
  BOOST_TEST(run.ladder.empty());  // a third of the time was not enough
  BOOST_TEST(!is_reproducible(run));
}

BOOST_AUTO_TEST_CASE(a_run_that_was_interrupted_while_its_result_was_checked_is_not_either) {
  BOOST_TEST(others_when_interrupted(support::CodedDfa(support::forgetful(25), 8, 0.1, 1)) > 0U);
}

BOOST_AUTO_TEST_CASE(nor_one_whose_symbols_were_not_all_compared) {
  // An even number of the symbols from 20 on among 80.
  Dfa dfa(80, 2);
  dfa.set_accepting(LState{0}, true);
  for (std::uint32_t a = 20; a < 80; ++a) {
    dfa.set_next(LState{0}, Symbol{a}, LState{1});
    dfa.set_next(LState{1}, Symbol{a}, LState{0});
  }
  BOOST_TEST(others_when_interrupted(support::CodedDfa(dfa, 3, 0.1, 1)) > 0U);
}

}  // namespace rnnalf
