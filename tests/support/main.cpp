// main() of every test program.
#define BOOST_TEST_MODULE rnnalf
#include <boost/test/unit_test.hpp>
