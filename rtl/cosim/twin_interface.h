// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What the shared library of a verilated twin offers. `in` and `out` are the values of its ports, a word each,
/// in the order of the generated twin_ports.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_TWIN_VERSION 1u

extern "C" {

/// HEDDLE_TWIN_VERSION of what was built.
unsigned heddle_twin_version(void);
unsigned heddle_twin_inputs(void);
unsigned heddle_twin_outputs(void);

/// After a clock edge under reset. nullptr without memory.
void* heddle_twin_create(void);
void heddle_twin_destroy(void* twin);

/// The outputs of the present cycle with these inputs; no clock edge.
void heddle_twin_look(void* twin, const uint64_t* in, uint64_t* out);
/// The clock edge that ends the cycle, with the inputs of the last look.
void heddle_twin_edge(void* twin);

/// What an assertion has said since the last call; nullptr: nothing.
const char* heddle_twin_failure(void* twin);

/// The state, into `to` if it has `bytes`; returns its size.
size_t heddle_twin_save(void* twin, uint8_t* to, size_t bytes);
void heddle_twin_restore(void* twin, const uint8_t* from, size_t bytes);

/// Waves of each look and edge until the end is called: cycle k of the caller lasts from 10 k to 10 k + 10 ns,
/// and its edge is in the middle. 0 when the file can't be opened.
int heddle_twin_waves_begin(void* twin, const char* path);
void heddle_twin_waves_cycle(void* twin, uint64_t cycle);
void heddle_twin_waves_end(void* twin);

}
