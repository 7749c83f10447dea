#pragma once
#include <stddef.h>

/// The bytes that are allocated and not freed; 0 on a platform that does not provide this.
size_t bytes_in_use(void);

/// The resident memory of this process; 0 on a platform that does not provide this.
size_t resident_bytes(void);
