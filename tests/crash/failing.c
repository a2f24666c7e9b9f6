/* The nth write or sync of a database's file fails, from when the test says so. Loaded before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1; /* how many succeed until one fails; never where negative */
static int with = EIO;
static int lasting = 0; /* whether all after it fail as well */
static long failed = 0;

void newel_fail(long after, int error, int on) { left = after; with = error; lasting = on; failed = 0; }
long newel_failed(void) { return failed; }

static int ours(int file) {
    char link[64], name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return strstr(name, ".db") != NULL && strstr(name, "-shm") == NULL;
}

static int fails(int file) {
    if (left < 0 || !ours(file)) return 0;
    if (left > 0) { left--; return 0; }
    if (!lasting) left = -1;
    failed++;
    errno = with;
    return 1;
}

#define WRITE(NAME, OFFSET) \
    ssize_t NAME(int file, const void *data, size_t size, OFFSET at) { \
        static ssize_t (*real)(int, const void *, size_t, OFFSET); \
        if (!real) real = dlsym(RTLD_NEXT, #NAME); \
        if (!fails(file)) return real(file, data, size, at); \
        if (with == ENOSPC && size > 1) real(file, data, size / 2, at); /* a full disk takes what still fits */ \
        errno = with; \
        return -1; \
    }
#define SYNC(NAME) \
    int NAME(int file) { \
        static int (*real)(int); \
        if (!real) real = dlsym(RTLD_NEXT, #NAME); \
        return fails(file) ? -1 : real(file); \
    }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)
SYNC(fsync)
SYNC(fdatasync)
