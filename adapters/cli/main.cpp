#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"

int main(int count, char** values) {
  rnnalf::cli::claim_standard_descriptors();
  return rnnalf::cli::run_program(
      std::vector<std::string>(values + (count > 0 ? 1 : 0), values + count));
}
