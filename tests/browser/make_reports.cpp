// make_reports FOLDER: pages of made-up runs for the browser tests.
//   small.html    three hypotheses, pictures by the page itself
//   hostile.html  the same over symbols that try to be markup, script, quotes and marks
//   asked.html    the same with a network in it, random and made for two symbols
//   moore.html    the same with three classes
//   named.html    the same with names for them, one of which tries to be markup
//   chain.html    the same with 14 states in a row
//   middle.html   38 states, alone; large.html: 500; huge.html: 3,000
//   comparison.html  two networks, two learners, two oracles, two seeds, with names that try to be
//   markup
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>

#include "graphviz.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/report/comparison_html.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/page_pictures.hpp"
#include "support/random_networks.hpp"
#include "support/sample_runs.hpp"

namespace rnnalf {
namespace {

/// R-states on a circle, a place for each L-state, with noise.
RStatePlot made_up_plot(const Run& run, std::size_t count) {
  Random random(5);
  RStatePlot plot{.points = {}, .variance = {0.6, 0.3}, .seen = 10 * count};
  for (std::size_t i = 0; i < count; ++i) {
    RStatePoint point;
    for (std::size_t k = random.below(12); k > 0; --k) {
      point.word.push_back(static_cast<Symbol>(random.below(run.dfa().symbol_count())));
    }
    point.l_state = run.dfa().run(point.word);
    point.a_state = static_cast<AState>(random.below(40));
    point.answer = run.dfa().answer(point.l_state);
    const double angle = 2 * std::numbers::pi * static_cast<double>(index(point.l_state)) /
                         static_cast<double>(run.dfa().size());
    point.x = std::cos(angle) + random.unit() / 5;
    point.y = std::sin(angle) + random.unit() / 5;
    plot.points.push_back(point);
  }
  return plot;
}

std::map<std::size_t, std::string> pictures_of(const Run& run) {
  const auto draw = [](const std::string& dot, std::chrono::duration<double> time) {
    return std::optional<std::string>(cli::run_graphviz("dot", dot, time));
  };
  return page_pictures(run, draw, std::chrono::seconds(20));
}

/// Words whose 1s close 0s that are open, up to so many at once.
Dfa nested(std::uint32_t depth) {
  Dfa dfa(2, depth + 1);  // the last one is the sink
  const LState sink{depth};
  for (std::uint32_t open = 0; open < depth; ++open) {
    dfa.set_next(LState{open}, Symbol{0}, open + 1 < depth ? LState{open + 1} : sink);
    dfa.set_next(LState{open}, Symbol{1}, open > 0 ? LState{open - 1} : sink);
  }
  for (const unsigned symbol : {0U, 1U}) dfa.set_next(sink, Symbol{symbol}, sink);
  dfa.set_accepting(LState{0}, true);
  return dfa;
}

Comparison made_up_comparison() {
  Comparison comparison{.command = "rnnalf compare a.onnx b.onnx", .program = "rnnalf"};
  std::uint64_t number = 0;
  for (const char* network : {"networks/a.onnx", "networks/<b>\u202e.onnx"}) {
    for (const char* learner : {"lstar", "ttt"}) {
      for (const char* oracle :
           {"abstraction",
            "<script>window.hurt=1</script>,abstraction:raise=8,pumping:words=400,random"}) {
        for (const std::uint64_t seed : {1U, 2U}) {
          ++number;
          ComparisonCell cell;
          cell.network = network;
          cell.learner = learner;
          cell.oracle = oracle;
          cell.seed = seed;
          cell.verdict = number % 5 == 0 ? RunVerdict::TimeLimit : RunVerdict::NoneFound;
          cell.states = 3 + number * 7 % 11;
          cell.seconds = 0.25 * static_cast<double>(number * 5 % 13);
          cell.membership_queries = 1000 + number;
          cell.equivalence_queries = number;
          cell.rnn_steps = 5000 * number;
          cell.counterexamples = number - 1;
          cell.by_length = {{10, {1000, 1000 - number, 1000, 1000 - number}}};
          cell.equals_target = number % 2 == 0;
          if (number < 16) cell.milestone = "</script><img src=x onerror=window.hurt=2>";
          comparison.cells.push_back(cell);
        }
      }
    }
  }
  return comparison;
}

void write(const std::filesystem::path& file, const std::string& page) {
  std::ofstream(file, std::ios::binary) << page;
  std::cout << file.filename().string() << ' ' << page.size() << " bytes\n";
}

}  // namespace
}  // namespace rnnalf

int main(int argc, char** argv) {
  using namespace rnnalf;
  if (argc != 2) {
    std::cerr << "usage: make_reports FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);

  Run small = support::small_run();
  small.plot = made_up_plot(small, 60);
  small.ladder.back().agreement.uniform[9].agreed = 999;  // of 1000 words of 10 symbols
  small.families = {{.prefix = {Symbol{1}},
                     .loop = {Symbol{0}, Symbol{0}},
                     .suffix = {Symbol{1}},
                     .from = 2,
                     .tried = 5,
                     .words = 3}};
  small.evidence.push_back({.oracle = "pac", .looked_at = PacSample{}});  // looked at nothing
  write(folder / "small.html",
        extraction_html(
            small,
            {.command = "rnnalf extract net.onnx --seed 1", .program = "rnnalf", .pictures = {}}));

  Random random(3);
  const NetworkSpec network = support::random_network({.hidden = 8}, random);
  write(folder / "asked.html", extraction_html(small, {.network = &network}));

  write(folder / "moore.html", extraction_html(support::moore_run(), {}));
  Run named = support::moore_run();
  named.network.classes = ClassNames({"low", "&lt;b&gt;middle", "high"});
  named.families = {{.loop = {Symbol{1}}, .from = 2, .tried = 5, .answer = Answer{2}, .words = 1}};
  write(folder / "named.html", extraction_html(named, {}));

  Run hostile =
      support::small_run_over(Alphabet({"</script><script>window.hurt=1</script>",
                                        "\"'><img\u202esrc=x\u2028onerror=hurt=1>🙂&lt;"}));
  hostile.network.file = "<img src=x onerror=window.hurt=1>\u202e.onnx";
  hostile.evidence[0].oracle = "<b onmouseover=hurt=1>bold</b><!--<script>";
  hostile.counterexamples[0].oracle = "<svg onload=window.hurt=1>";
  hostile.options.learner = "</script><script>window.hurt=1</script>";
  hostile.families = {{.loop = {Symbol{0}, Symbol{1}}, .suffix = {Symbol{1}}, .from = 2}};
  hostile.plot = made_up_plot(hostile, 60);
  write(folder / "hostile.html",
        extraction_html(hostile,
                        {.command = "rnnalf extract '</script><script>window.hurt=1</script>'",
                         .program = "rnnalf",
                         .pictures = pictures_of(hostile)}));

  Run large = support::large_run(500, 4, 1);
  large.plot = made_up_plot(large, 3000);
  write(folder / "large.html", extraction_html(large, {.command = "rnnalf extract large.onnx",
                                                       .program = "rnnalf",
                                                       .pictures = pictures_of(large)}));
  Run chain = small;
  chain.hypotheses.back().dfa = nested(14);
  chain.ladder.back().states = chain.dfa().size();
  write(folder / "chain.html", extraction_html(chain, {.pictures = pictures_of(chain)}));
  Run middle = support::large_run(38, 2, 7);
  middle.ladder = {middle.ladder.back()};
  write(folder / "middle.html", extraction_html(middle, {.pictures = pictures_of(middle)}));
  write(folder / "huge.html", extraction_html(support::large_run(3000, 3, 2), {}));
  write(folder / "comparison.html", comparison_html(made_up_comparison()));
  return 0;
}
