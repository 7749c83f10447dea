#include "MemoryInUse.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <malloc.h>

size_t bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

#elif defined(__APPLE__)

#include <malloc/malloc.h>

size_t bytes_in_use(void) {
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
}

#else

size_t bytes_in_use(void) { return 0; }

#endif

#if defined(__linux__)

#include <stdio.h>
#include <unistd.h>

size_t resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long size = 0, resident = 0;
    if (file == NULL) return 0;
    if (fscanf(file, "%lu %lu", &size, &resident) != 2) resident = 0;
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

#elif defined(__APPLE__)

#include <mach/mach.h>

size_t resident_bytes(void) {
    mach_task_basic_info_data_t info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    kern_return_t result = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
    return result == KERN_SUCCESS ? info.resident_size : 0;
}

#else

size_t resident_bytes(void) { return 0; }

#endif
