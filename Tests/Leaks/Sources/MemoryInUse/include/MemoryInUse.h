#pragma once
#include <stddef.h>

/// The bytes that are allocated and not freed; 0 where the platform does not tell.
size_t bytes_in_use(void);

/// The memory of this process that is in RAM; 0 where the platform does not tell.
size_t resident_bytes(void);
