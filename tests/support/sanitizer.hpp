#pragma once

// RNNALF_UNDER_ASAN: the address sanitizer is at work, which takes memory of its own, reserves
// terabytes, and keeps for a while what was given back.
#if defined(__SANITIZE_ADDRESS__)
#define RNNALF_UNDER_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RNNALF_UNDER_ASAN
#endif
#endif
