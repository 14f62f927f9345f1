#include <string>
#include <vector>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"

int main(int count, char** values) {
  rnnalf::cli::claim_standard_descriptors();
  rnnalf::cli::clean_up_on_signals();
  return rnnalf::cli::run_program(
      std::vector<std::string>(values + (count > 0 ? 1 : 0), values + count));
}
