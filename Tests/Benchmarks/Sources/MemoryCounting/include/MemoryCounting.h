#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this platform can count allocations: only with glibc, whose allocator can also be called by another name.
bool can_count_allocations(void);

/// Switches the counting of every thread's allocations on or off. It is off while times are measured.
void count_allocations(bool on);

/// The allocations counted since the process began.
int64_t counted_allocations(void);

/// The bytes that are allocated and not freed, the allocator's own headers included.
size_t bytes_in_use(void);
