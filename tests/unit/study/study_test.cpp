#include "rnnalf/study/study.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

Study parsed(const std::string& text) {
  return parse_study(text, "a.toml", "/studies");
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parsed(text));
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

using Seeds = std::vector<std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(study_file)

BOOST_AUTO_TEST_CASE(keys_at_the_top_are_one_experiment) {
  const Study study = parsed(R"(
title = "Two learners"
networks = ["../networks/*.onnx"]
learners = ["lstar", "ttt"]
oracles = "samples,random"
seeds = "3-5"
time-limit = "5s"
max-steps = 1000
lengths = [10, 20]
empty-word = "reject"
)");
  BOOST_TEST(study.title == "Two learners");
  BOOST_TEST_REQUIRE(study.experiments.size() == 1U);
  const Experiment& only = study.experiments.front();
  BOOST_TEST(only.name.empty());
  BOOST_TEST(ways_to_extract(only.options).size() == 2U);
  BOOST_TEST(only.seeds == (Seeds{3, 4, 5}), boost::test_tools::per_element());
  BOOST_TEST(only.options.extraction.time_limit.count() == 5);
  BOOST_TEST(only.options.extraction.max_steps.value() == 1000U);
  BOOST_TEST(only.options.lengths.size() == 2U);
  BOOST_TEST((only.options.network.empty_word == Answer::Reject));
}

BOOST_AUTO_TEST_CASE(an_experiment_overrides_what_stands_at_the_top) {
  const Study study = parsed(R"(
networks = "a.onnx"
seeds = [1, 2]
[[experiment]]
name = "one"
seeds = 7
[[experiment]]
name = "two"
networks = ["b.onnx", "c.onnx"]
methods = ["kmeans:k=3", "quantization:q=2"]
)");
  BOOST_TEST_REQUIRE(study.experiments.size() == 2U);
  BOOST_TEST(study.experiments[0].seeds == Seeds{7}, boost::test_tools::per_element());
  BOOST_TEST(study.experiments[0].options.networks.front() == "a.onnx");
  BOOST_TEST(study.experiments[1].seeds == (Seeds{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(ways_to_extract(study.experiments[1].options).size() == 2U);
}

BOOST_AUTO_TEST_CASE(tables_and_figures_keep_the_order_of_the_file) {
  const Study study = parsed(R"(
networks = "a.onnx"
[figure.zeta]
kind = "agreement"
[figure.alpha]
kind = "scatter"
over = "steps"
x = "lstar"
y = "ttt"
[table.z]
columns = ["states"]
[table.a]
[table.m]
refutes = "oracle"
[table.w]
words = 12
)");
  BOOST_TEST_REQUIRE(study.figures.size() == 2U);
  BOOST_TEST(study.figures[0].name == "zeta");
  BOOST_TEST((study.figures[1].over == Cost::Steps));
  BOOST_TEST(study.tables[0].name == "z");
  BOOST_TEST(study.tables[1].name == "a");
  BOOST_TEST(study.tables[1].lists_extractions());
  BOOST_TEST((study.tables[2].refutes == By::Oracle));
  BOOST_TEST(study.tables[3].words.value() == 12U);
  BOOST_TEST(!study.tables[3].lists_extractions());
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_with_file_line_and_what_was_expected) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"networks = [", "a.toml:1: expected TOML: "},
      {"networks = 'a'\nlerners = ['lstar']",
       "a.toml:2: expected a key that rnnalf study keys lists, found 'lerners', did you mean "
       "learners?"},
      {"networks = 'a'\n\ntime-limit = 'soon'", "a.toml:3: time-limit: expected "},
      {"networks = 'a'\nlearners = 'lstra'", "a.toml"},
      {"networks = 'a'\noracles = ['samples,magic']", "a.toml:2: oracles: "},
      {"networks = 'a'\nmax-states = 0", "a.toml:2: max-states: expected"},
      {"networks = 'a'\nseeds = '5-1'", "a.toml:2: seeds: expected the smaller seed first"},
      {"networks = 'a'\nseeds = [1, 1]", "a.toml:2: seeds: expected one seed or more, each once"},
      {"networks = 'a'\nseeds = {a = 1}", "a.toml:2: seeds: expected a text, a number"},
      {"title = 'empty'", "networks: expected some"},
      {"networks = 'a'\n[table.t]\ncolumns = ['sates']",
       "a.toml:2: table.t: columns: expected names among"},
      {"networks = 'a'\n[figure.f]\nkind = 'pie'",
       "a.toml:3: kind: expected cactus, agreement, size, scatter or refuted, found 'pie'"},
      {"networks = 'a'\n[table.t]\nsummary = 'oracle'\nwords = 3",
       "a.toml:2: table.t: expected one of columns, summary, refutes, errors and words, found more "
       "than one"},
      {"networks = 'a'\n[figure.f]\nkind = 'scatter'", "a.toml:2: figure.f: expected x and y"},
      {"networks = 'a'\n[figure.f]\nexperiment = 'e'", "experiment: expected one of the study"},
      {"networks = 'a'\n[figure.'a b']\n", "expected a name of letters, digits, - and _"},
      {"[[experiment]]\nnetworks = 'a'", "a.toml:1: name: expected a name for each experiment"},
      {"networks = 'a'\n[[experiment]]\nname = 'x'\n[[experiment]]\nname = 'x'",
       "a.toml:4: name: expected different names, found 'x' twice"},
      {"networks = 'a'\n[train]\nfolder = 'f'", "a.toml:2: train: names: expected some"},
      {"networks = 'a'\n[slurm]\nqueue = 'x'", "a.toml:3: expected a key"}};
  for (const auto& [text, message] : refused) {
    const std::string found = refusal(text);
    BOOST_TEST(found.find(message) != std::string::npos, text << " gave: " << found);
    BOOST_TEST(found.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_network_file_is_not_the_readers_business) {
  BOOST_TEST(refusal("networks = 'no/such/file.onnx'").empty());
}

BOOST_AUTO_TEST_CASE(every_key_is_explained_and_can_be_read) {
  std::size_t of_experiments = 0;
  for (const StudyKey& key : study_keys()) {
    BOOST_TEST(!key.help.empty(), key.name);
    BOOST_TEST(!key.value.empty(), key.name);
    of_experiments += key.section == "experiment" ? 1 : 0;
  }
  // Every option of an extraction but those that a study varies, and those of networks.
  BOOST_TEST(of_experiments >= ExtractionOptions::table().size() + NetworkOptions::table().size());
}

BOOST_AUTO_TEST_CASE(a_job_gets_more_than_its_extraction_may_take) {
  const Study study = parsed("networks = 'a'\ntime-limit = '10s'\nmemory-limit = '1GiB'");
  const ExtractionOptions& options = study.experiments.front().options.extraction;
  BOOST_TEST(job_time(study, options).count() == 620);
  BOOST_TEST(job_memory(study, options) == std::uint64_t{2} << 30U);
  const Study other = parsed("networks = 'a'\n[job]\ntime = '5s'\nmemory = '7MiB'");
  BOOST_TEST(job_time(other, options).count() == 5);
  BOOST_TEST(job_memory(other, options) == std::uint64_t{7} << 20U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
