// How long every learner takes with a perfect teacher, how much it asks and how much memory it
// needs.
//
//   bench_learners [--case NAME] [--learner NAME] [--limit SECONDS] [--provider toolkit|upstream]
//
// Every measurement is a process of its own, so that memory is that run's alone. With upstream
// libalf, cells are "toolkit / upstream". bench/learners.md explains the numbers.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "support/perfect_teacher.hpp"

namespace {

using namespace rnnalf;

/// Processor time: the machine may be busy with other things. The thread's, of which there is one:
/// with a limit on its time, the process's clock ticks in milliseconds.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Adds up the time of many calls. Asking for the time takes as long as a short call, a system call
/// each time; that is taken off again.
class Stopwatch {
 public:
  template <class Call>
  auto time(Call call) {
    struct Stop {
      Stopwatch& watch;
      double start = now();
      ~Stop() { watch.total_ += now() - start; }
    } stop{*this};
    ++calls_;
    return call();
  }
  double seconds() const { return total_ - calls_ * seconds_per_look_; }
  /// What the measuring itself took, inside and around the calls.
  double overhead() const { return 2 * calls_ * seconds_per_look_; }

 private:
  static double measure_look() {
    constexpr int looks = 10000;
    const double start = now();
    for (int i = 0; i < looks; ++i) now();
    return (now() - start) / looks;
  }

  double total_ = 0;
  double calls_ = 0;
  double seconds_per_look_ = measure_look();
};

/// Minimal, with exactly that many states: every state but the first hangs on an earlier one by an
/// edge that is still free, all other edges are random.
Dfa random_dfa(std::size_t states, std::size_t symbols, std::uint64_t seed) {
  Random random(seed);
  for (;;) {
    Dfa dfa(symbols, states);
    std::vector<bool> taken(states * symbols);
    for (std::size_t s = 1; s < states; ++s) {
      std::size_t edge = 0;
      do {
        edge = random.below(s * symbols);
      } while (taken[edge]);
      taken[edge] = true;
      dfa.set_next(LState(edge / symbols), Symbol(edge % symbols), LState(s));
    }
    for (std::size_t edge = 0; edge < states * symbols; ++edge) {
      if (taken[edge]) continue;
      dfa.set_next(LState(edge / symbols), Symbol(edge % symbols), LState(random.below(states)));
    }
    for (std::size_t s = 0; s < states; ++s) dfa.set_accepting(LState(s), random.below(2) == 1);
    dfa = minimise(dfa);
    if (dfa.size() == states) return dfa;
  }
}

/// Cells of a square, a king's moves (those off the board stay), from one corner to the opposite
/// one.
Dfa grid(std::size_t side) {
  Dfa dfa(8, side * side);
  const int steps[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
  const auto inside = [&](int x) { return 0 <= x && x < static_cast<int>(side); };
  for (std::size_t cell = 0; cell < side * side; ++cell) {
    for (std::size_t a = 0; a < 8; ++a) {
      const int x = static_cast<int>(cell / side) + steps[a][0];
      const int y = static_cast<int>(cell % side) + steps[a][1];
      if (!inside(x) || !inside(y)) continue;
      const auto target = static_cast<std::size_t>(x) * side + static_cast<std::size_t>(y);
      dfa.set_next(LState(cell), Symbol(a), LState(target));
    }
  }
  dfa.set_accepting(LState(side * side - 1), true);
  return minimise(dfa);
}

struct Case {
  const char* name;
  Dfa (*target)();
  std::size_t counterexample_length;  // 0: shortest
};

const std::vector<Case> cases{
    {"random-441-8", [] { return random_dfa(441, 8, 1); }, 0},
    {"random-441-8-long", [] { return random_dfa(441, 8, 1); }, 200},
    {"random-1000-3", [] { return random_dfa(1000, 3, 1); }, 0},
    {"random-1000-3-long", [] { return random_dfa(1000, 3, 1); }, 200},
    {"grid-21", [] { return grid(21); }, 0},
};

struct Measurement {
  double seconds = 0;          // processor time, all of it
  double learner_seconds = 0;  // in advance() and add_counterexample(), and to delete conjectures
  long membership_queries = 0;
  long equivalence_queries = 0;
  long rounds = 0;
  double megabytes = 0;
};

/// A random word of that length on which the two differ; the shortest one if 10000 words do not.
std::list<int> counterexample(const support::PerfectTeacher& teacher,
                              support::Hypothesis& hypothesis, const std::list<int>& shortest,
                              std::size_t length, Random& random) {
  if (length == 0) return shortest;
  for (int i = 0; i < 10000; ++i) {
    std::vector<int> word(length);
    for (int& letter : word) letter = static_cast<int>(random.below(hypothesis.symbol_count()));
    if (teacher.accepts(word) != hypothesis.accepts_word(word)) return {word.begin(), word.end()};
  }
  return shortest;
}

Measurement measure(const Case& c, const std::string& learner_name) {
  Measurement m;
  Random random(7);
  const support::PerfectTeacher teacher(c.target());
  Stopwatch in_learner;
  const double start = now();
  Knowledge knowledge;
  const auto learner =
      make_learner(learner_name, &knowledge, static_cast<int>(teacher.target().symbol_count()));
  for (;;) {
    std::unique_ptr<libalf::conjecture> conjecture(
        in_learner.time([&] { return learner->advance(); }));
    ++m.rounds;
    if (!conjecture) {
      m.membership_queries += teacher.answer(knowledge);
      continue;
    }
    ++m.equivalence_queries;
    support::Hypothesis hypothesis(dynamic_cast<const libalf::finite_automaton&>(*conjecture));
    const auto shortest = teacher.refute(hypothesis);
    if (!shortest) break;
    const auto word =
        counterexample(teacher, hypothesis, *shortest, c.counterexample_length, random);
    in_learner.time([&] {
      conjecture.reset();
      return learner->add_counterexample(word);
    });
  }
  m.seconds = now() - start - in_learner.overhead();
  m.learner_seconds = in_learner.seconds();
  return m;
}

/// One run in a child process; nothing if it was stopped at the time limit or died.
std::optional<Measurement> run_apart(const std::string& program, const std::string& case_name,
                                     const std::string& learner, int limit) {
  int channel[2];
  if (pipe(channel) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    dup2(channel[1], STDOUT_FILENO);
    close(channel[0]);
    close(channel[1]);
    rlimit time{static_cast<rlim_t>(limit), static_cast<rlim_t>(limit)};
    setrlimit(RLIMIT_CPU, &time);
    execl(program.c_str(), program.c_str(), "--worker", case_name.c_str(), learner.c_str(),
          nullptr);
    _exit(127);
  }
  close(channel[1]);
  std::string output;
  char buffer[512];
  for (ssize_t got = 0; (got = read(channel[0], buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<std::size_t>(got));
  }
  close(channel[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Measurement m;
  if (status != 0 ||
      std::sscanf(output.c_str(), "%lf %lf %ld %ld %ld", &m.seconds, &m.learner_seconds,
                  &m.membership_queries, &m.equivalence_queries, &m.rounds) != 5) {
    return std::nullopt;
  }
  m.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return m;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// The shortest times of up to ten runs in a second: others use this machine, too.
std::optional<Measurement> run_repeatedly(const std::string& program, const std::string& case_name,
                                          const std::string& learner, int limit) {
  std::optional<Measurement> best = run_apart(program, case_name, learner, limit);
  double used = best ? best->seconds : limit;
  for (int i = 1; i < 10 && used < 1; ++i) {
    const auto next = run_apart(program, case_name, learner, limit);
    if (!next) return std::nullopt;
    used += next->seconds;
    best->seconds = std::min(best->seconds, next->seconds);
    best->learner_seconds = std::min(best->learner_seconds, next->learner_seconds);
  }
  return best;
}

/// What two providers took, as the columns of one row. Nothing in `theirs`: it was not measured.
class Row {
 public:
  Row(const std::optional<Measurement>& ours, const std::optional<Measurement>* theirs, int limit)
      : ours_(ours), theirs_(theirs), limit_(limit) {}

  std::string both(const char* format, double (*number)(const Measurement&)) const {
    return cell(format, ours_, number) + (theirs_ ? " / " + cell(format, *theirs_, number) : "");
  }
  std::string faster(double (*number)(const Measurement&)) const {
    if (!ours_ || !theirs_ || !*theirs_) return "";
    return formatted("%.1f", number(**theirs_) / number(*ours_));
  }
  /// Also when theirs was stopped at the limit.
  std::string faster_in_all() const {
    const auto seconds = [](const Measurement& m) { return m.seconds; };
    const bool stopped = ours_ && theirs_ && !*theirs_;
    return stopped ? "> " + formatted("%.0f", limit_ / ours_->seconds) : faster(seconds);
  }

 private:
  std::string cell(const char* format, const std::optional<Measurement>& m,
                   double (*number)(const Measurement&)) const {
    return m ? formatted(format, number(*m)) : "-";
  }

  const std::optional<Measurement>& ours_;
  const std::optional<Measurement>* theirs_;
  int limit_;
};

void print(const std::string& case_name, const std::string& learner, const Row& row) {
  const auto seconds = [](const Measurement& m) { return m.seconds; };
  const auto in_learner = [](const Measurement& m) { return m.learner_seconds; };
  const std::vector<std::string> cells{
      case_name,
      learner,
      row.both("%.3f", seconds),
      row.faster_in_all(),
      row.both("%.3f", in_learner),
      row.faster(in_learner),
      row.both("%.0f", [](const Measurement& m) { return m.megabytes; }),
      row.both("%.0f", [](const Measurement& m) { return double(m.membership_queries); }),
      row.both("%.0f", [](const Measurement& m) { return double(m.equivalence_queries); }),
      row.both("%.0f", [](const Measurement& m) { return double(m.rounds); })};
  for (const std::string& cell : cells) std::printf("| %s ", cell.c_str());
  std::printf("|\n");
  std::fflush(stdout);
}

int work(const std::string& case_name, const std::string& learner) {
  for (const Case& c : cases) {
    if (c.name != case_name) continue;
    const Measurement m = measure(c, learner);
    std::printf("%.6f %.6f %ld %ld %ld\n", m.seconds, m.learner_seconds, m.membership_queries,
                m.equivalence_queries, m.rounds);
    return 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--worker") == 0) return work(argv[2], argv[3]);
  std::string only_case;
  std::string only_learner;
  std::string only_provider;
  int limit = 300;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--case")
      only_case = argv[i + 1];
    else if (option == "--learner")
      only_learner = argv[i + 1];
    else if (option == "--provider")
      only_provider = argv[i + 1];
    else if (option == "--limit")
      limit = std::atoi(argv[i + 1]);
    else {
      std::cerr << "bench_learners: unknown option " << option << '\n';
      return 2;
    }
  }
  const std::string self = argv[0];
  const std::string upstream = self + "_upstream";
  const bool with_upstream = access(upstream.c_str(), X_OK) == 0;
  if (!with_upstream) std::printf("(no %s: upstream libalf is not measured)\n", upstream.c_str());
  std::printf(
      "| case | learner | seconds | faster | in the learner | faster | MB | words | conjectures | "
      "rounds |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases) {
    if (!only_case.empty() && only_case != c.name) continue;
    for (const LearnerInfo& info : learners()) {
      const std::string learner(info.name);
      if (!only_learner.empty() && only_learner != learner) continue;
      std::optional<Measurement> ours;
      std::optional<Measurement> theirs;
      if (only_provider != "upstream") ours = run_repeatedly(self, c.name, learner, limit);
      const bool compare = with_upstream && only_provider != "toolkit";
      if (compare) theirs = run_repeatedly(upstream, c.name, learner, limit);
      print(c.name, learner, Row(ours, compare ? &theirs : nullptr, limit));
    }
  }
}
