#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this platform can count: it can with glibc, whose allocator can be called by another name.
bool can_count_allocations(void);

/// Counts, from now on, every allocation of every thread, or none. Times are taken without.
void count_allocations(bool on);

/// The allocations counted since the process began.
int64_t counted_allocations(void);

/// The bytes that are allocated and not freed, the allocator's own headers included.
size_t bytes_in_use(void);
