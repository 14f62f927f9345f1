#include "rnnalf/partition/svm_split.hpp"

#include <libsvm/svm.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/base/random.hpp"

namespace rnnalf {
namespace {

std::vector<svm_node> nodes(std::span<const double> state) {
  std::vector<svm_node> row;
  for (std::size_t d = 0; d < state.size(); ++d) row.push_back({static_cast<int>(d + 1), state[d]});
  row.push_back({-1, 0});
  return row;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(svm_split)

// libsvm with its own RBF kernel and its own prediction, on the same points. Below and above the
// size up to which the Gram matrix is ours.
BOOST_AUTO_TEST_CASE(decides_as_libsvm_itself_does) {
  Random random(5);
  for (const std::size_t count : {2U, 9U, 60U, 400U, 1500U}) {
    const std::size_t size = 1 + random.below(30);
    const double gamma = 1 / static_cast<double>(size);
    std::vector<double> values;
    for (std::size_t i = 0; i < size * (count + 200); ++i) values.push_back(2 * random.unit() - 1);
    const ConstRStates all{values.data(), size, count + 200};
    const ConstRStates others{values.data() + size, size, count - 1};
    const Budget no_limit;
    const auto split = SvmSplit::train(all.col(0), others, 1e4, gamma, no_limit);
    BOOST_TEST_REQUIRE(split.has_value());

    std::vector<std::vector<svm_node>> rows;
    std::vector<svm_node*> pointers;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(nodes(all.col(i)));
    for (auto& row : rows) pointers.push_back(row.data());
    std::vector<double> labels(count, -1);
    labels[0] = 1;
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = gamma;
    parameter.C = 1e4;
    parameter.eps = 1e-3;
    parameter.cache_size = 100;
    parameter.shrinking = 1;
    const svm_problem problem{static_cast<int>(count), labels.data(), pointers.data()};
    svm_model* model = svm_train(&problem, &parameter);
    BOOST_TEST(split->support_size() == static_cast<std::size_t>(model->l));
    std::vector<double> decisions(count + 200);
    split->decide(all, decisions);
    for (std::size_t i = 0; i < count + 200; ++i) {
      double expected = 0;
      const auto row = nodes(all.col(i));
      svm_predict_values(model, row.data(), &expected);
      BOOST_TEST(std::abs(decisions[i] - expected) <= 1e-6 * (1 + std::abs(expected)),
                 count << " points, column " << i << ": expected " << expected << ", found "
                       << decisions[i]);
    }
    svm_free_and_destroy_model(&model);
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
