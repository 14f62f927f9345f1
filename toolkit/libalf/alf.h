#pragma once

/// libalf's interface, implemented anew: one header for all of it but the learners.
///
/// The macro tells this implementation from upstream libalf, which defines none. Never mix the two
/// in one program: they define the same names.
#define LIBALF_TOOLKIT 1

#include <libalf/alphabet.h>
#include <libalf/answer.h>
#include <libalf/basic_string.h>
#include <libalf/conjecture.h>
#include <libalf/knowledgebase.h>
#include <libalf/learning_algorithm.h>
#include <libalf/logger.h>
#include <libalf/normalizer.h>
#include <libalf/serialize.h>
#include <libalf/statistics.h>

namespace libalf {

/// Name and version of this implementation, for people; never parse it.
const char* libalf_version();

}  // namespace libalf
