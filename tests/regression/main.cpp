// Where Boost.Test puts main; the tests are in the files beside it.
#include <boost/test/unit_test.hpp>
