// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Read before every file of Verilator: what its runtime would print is kept for the caller.
#pragma once

extern "C" __attribute__((format(printf, 1, 2))) int heddle_twin_print(const char* format, ...);

#define VL_PRINTF heddle_twin_print
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_FINISH
