// bench_tamper NETWORK AUTOMATON CERTIFICATE COUNT [--alphabet L] [--cell C] [--lines FILE]
//
// Changes a valid certificate in COUNT ways that break an obligation, and counts what
// rnnalf-check's check accepts all the same: it must be none. --lines writes the tampered
// certificates, one a line, for bench/tamper.py, which asks the Python checker. Kinds of changes:
//   hash        one digit of the network's hash
//   weight      one bit of one weight of the network (not in --lines)
//   automaton   one transition or one accepting state, in the certificate and in the automaton that
//   it is checked with,
//               so that the language changes: the theorem would be false
//   property    of a certificate of a property, in the place of that: never to always
//   leaf        a leaf to a set of another state
//   tree        an entry left out or added
//   bound       a bound of a set moved past an R-state that a word really brings there, followed
//   through the trees
//   order       lower and upper bound exchanged
//   shape       an ellipsoid made so small that such an R-state is outside
//   flat        one number of the diagonal of an ellipsoid's shape made 0
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "check/check.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace {

using namespace rnnalf;
using Json = nlohmann::json;

/// R-states that words bring into sets: of every set some, by following the trees.
std::map<std::size_t, std::vector<std::vector<double>>> arrivals(const NetworkSpec& network,
                                                                 const Json& file, Random& random) {
  const auto acceptor = make_acceptor(
      network, file["arithmetic"] == "float32" ? Precision::Float : Precision::Double);
  const std::size_t letters = network.symbol_count(), size = acceptor->state_size();
  std::map<std::size_t, std::vector<std::vector<double>>> found;
  if (!file["words"].empty() || file.contains("property")) return found;  // not all symbols
  for (int word = 0; word < 60; ++word) {
    std::vector<double> state = acceptor->initial_state(), next(size);
    const Json* tree = &file["start"];
    std::size_t at = 0;  // the entry of letter 0 where the walk is
    for (int t = 0; t < 60; ++t) {
      const std::size_t letter = random.below(letters);
      const auto symbol = static_cast<Symbol>(letter);
      acceptor->step({state.data(), size, 1}, {&symbol, 1}, {next.data(), size, 1});
      state.swap(next);
      // Skip the letters before: each an entry, with everything below it if it is a descent.
      std::size_t todo = letter;
      while (todo > 0) {
        if ((*tree)[at] == -1) todo += letters;
        --todo;
        ++at;
      }
      const Json& entry = (*tree)[at++];
      if (entry == -1) continue;
      const auto set = entry.get<std::size_t>();
      auto& seen = found[set];
      if (seen.size() < 20) seen.push_back(state);
      tree = &file["sets"][set]["tree"];
      at = 0;
    }
  }
  return found;
}

std::string hexadecimal(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

double real(const Json& number) {
  return std::strtod(number.get<std::string>().c_str(), nullptr);
}

/// How far out in an ellipsoid an R-state is: 1 on its boundary. By substitution, row by row.
double reach(const Json& ellipsoid, const std::vector<double>& r) {
  std::vector<double> e;
  double squares = 0;
  auto shape = ellipsoid["shape"].begin();
  for (std::size_t i = 0; i < r.size(); ++i) {
    double rest = r[i] - real(ellipsoid["middle"][i]);
    for (const double before : e) rest -= real(*shape++) * before;
    e.push_back(rest / real(*shape++));
    squares += e.back() * e.back();
  }
  return std::sqrt(squares);
}

}  // namespace

int main(int count, char** values) {
  std::vector<std::string> operands;
  std::map<std::string, std::string> options;
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    if (word.rfind("--", 0) == 0 && i + 1 < count) {
      options[word] = values[++i];
    } else {
      operands.push_back(word);
    }
  }
  if (operands.size() != 4) return std::fputs("usage: see bench/tamper.cpp\n", stderr), 2;
  ReadOptions read;
  if (options.contains("--alphabet")) read.alphabet = Alphabet::parse(options["--alphabet"]);
  if (options.contains("--cell")) read.cell = options["--cell"];
  const NetworkSpec network = load_network(operands[0], read).spec;
  const Dfa dfa = over_alphabet(read_dfa_file(operands[1]), network.alphabet);
  const Json file = Json::parse(read_file(operands[2], std::size_t(1) << 30U));
  (void)check::check(network, dfa, file.dump());
  std::ofstream lines(options.contains("--lines") ? options["--lines"] : "/dev/null");

  Random random(1);
  const auto landed = arrivals(network, file, random);
  std::map<std::string, std::pair<std::size_t, std::size_t>> tally;  // tried, accepted
  const std::size_t states = file["dfa"]["transitions"].size(), letters = network.symbol_count();
  const std::size_t sets = file["sets"].size();
  const std::size_t wanted = std::stoul(operands[3]);
  for (std::size_t tried = 0, attempts = 0; tried < wanted && attempts < 20 * wanted; ++attempts) {
    Json changed = file;
    NetworkSpec other_network = network;
    Dfa other_dfa = dfa;
    std::string kind;
    Json& set = changed["sets"][random.below(sets)];
    switch (random.below(7)) {
      case 0: {
        kind = "hash";
        auto& hash = changed["network"].get_ref<std::string&>();
        char& digit = hash[random.below(hash.size())];
        digit = digit == '0' ? '1' : '0';
        break;
      }
      case 1: {
        kind = "weight";
        LayerStack stack = stack_of(other_network.step).value();
        RecurrentLayer& layer = stack.layers[random.below(stack.layers.size())];
        std::vector<double>& weights = layer.recurrent_weights.values;
        double& weight = weights[random.below(weights.size())];
        const float flipped = std::bit_cast<float>(
            std::bit_cast<std::uint32_t>(static_cast<float>(weight)) ^ 1U << random.below(23));
        if (std::abs(flipped) < 0x1p-126F) continue;
        weight = flipped;
        other_network.step = graph_of(stack);
        break;
      }
      case 2: {
        if (file.contains("property")) {  // of another automaton it may hold, too
          kind = "property";
          changed["property"] = file["property"] == "never" ? "always" : "never";
          break;
        }
        kind = "automaton";
        Dfa mutant = minimise(dfa);
        const std::size_t q = random.below(states);
        if (random.below(2) == 0) {
          changed["dfa"]["accepting"][q] = !changed["dfa"]["accepting"][q].get<bool>();
        } else {
          changed["dfa"]["transitions"][q][random.below(letters)] = random.below(states);
        }
        mutant = Dfa(letters, states);
        mutant.set_initial(static_cast<LState>(changed["dfa"]["initial"].get<std::uint32_t>()));
        for (std::size_t p = 0; p < states; ++p) {
          mutant.set_accepting(static_cast<LState>(p), changed["dfa"]["accepting"][p].get<bool>());
          for (std::size_t a = 0; a < letters; ++a) {
            mutant.set_next(
                static_cast<LState>(p), static_cast<Symbol>(a),
                static_cast<LState>(changed["dfa"]["transitions"][p][a].get<std::uint32_t>()));
          }
        }
        const auto word = separating_word(mutant, dfa);
        if (!word || word->empty()) continue;  // the same language, or one the claim may leave out
        other_dfa = mutant;
        break;
      }
      case 3: {
        kind = "leaf";
        Json& tree = set["tree"];
        if (tree.empty()) continue;
        Json& entry = tree[random.below(tree.size())];
        const std::size_t other = random.below(sets);
        if (entry == -1) continue;
        const Json& before = file["sets"][entry.get<std::size_t>()];
        if (file["sets"][other]["state"] == before["state"] &&
            file["sets"][other]["monitor"] == before["monitor"]) {
          continue;
        }
        entry = other;
        break;
      }
      case 4: {
        kind = "tree";
        Json& tree = random.below(10) == 0 ? changed["start"] : set["tree"];
        if (tree.empty()) continue;
        const std::size_t at = random.below(tree.size());
        if (random.below(2) == 0) {
          tree.erase(at);
        } else {
          tree.insert(tree.begin() + static_cast<std::ptrdiff_t>(at), random.below(sets));
        }
        break;
      }
      case 5: {
        if (landed.empty()) continue;
        auto one = landed.begin();
        std::advance(one, random.below(landed.size()));
        Json& box = changed["sets"][one->first];
        const std::vector<double>& r = one->second[random.below(one->second.size())];
        if (box.contains("shape")) {
          kind = "shape";
          const double factor = 0.999 * reach(box, r);
          for (Json& number : box["shape"]) number = hexadecimal(factor * real(number));
          break;
        }
        kind = "bound";
        const std::size_t i = random.below(r.size());
        const bool low = random.below(2) == 0;
        const double high_now = real(box["high"][i]), low_now = real(box["low"][i]);
        const double past = low ? std::nextafter(r[i], 10.0) : std::nextafter(r[i], -10.0);
        if (past > high_now || past < low_now) continue;
        box[low ? "low" : "high"][i] = hexadecimal(past);
        break;
      }
      default: {
        if (set.contains("shape")) {
          kind = "flat";
          const std::size_t row = random.below(set["middle"].size());
          set["shape"][row * (row + 1) / 2 + row] = hexadecimal(0);
          break;
        }
        kind = "order";
        const std::size_t i = random.below(set["low"].size());
        if (set["low"][i] == set["high"][i]) continue;
        std::swap(set["low"][i], set["high"][i]);
      }
    }
    ++tried;
    auto& [made, accepted] = tally[kind];
    ++made;
    const std::string text = changed.dump();
    if (kind != "weight") lines << kind << '\t' << text << '\n';
    try {
      (void)check::check(other_network, other_dfa, text);
      ++accepted;
    } catch (const check::Refused&) {
    }
  }
  std::size_t made = 0, accepted = 0;
  for (const auto& [kind, one] : tally) {
    std::printf("%s %zu, ", kind.c_str(), one.first);
    made += one.first;
    accepted += one.second;
  }
  std::printf("in all %zu tampered, %zu accepted\n", made, accepted);
  return accepted == 0 ? 0 : 1;
}
