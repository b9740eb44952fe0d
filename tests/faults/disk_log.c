/* Writes down, in order, what a process does to the files below one folder.
 *
 * Loaded with LD_PRELOAD. DISK_LOG names the log, DISK_LOG_BELOW the folder. Each entry is a head
 * and then the two names and the bytes; tests/faults/disk_model.py reads them. A lock is held over
 * the call and its entry, so that the order in the log is the one in which things happened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

struct head {
    char kind;
    char unused[7];
    uint64_t name_size, other_size, offset, data_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;

static int is_below(const char *name) {
    static const char *below;
    if (!below) below = getenv("DISK_LOG_BELOW");
    if (!below) return 0;
    size_t length = strlen(below);
    return !strncmp(name, below, length) && (name[length] == '/' || !name[length]);
}

/* The name of an open file, if it is one of ours. */
static int name_of(int file, char *name) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, name, PATH_MAX - 1);
    if (size <= 0) return 0;
    name[size] = 0;
    return is_below(name);
}

/* The whole of a name that is seen from an open folder, or from the working directory. */
static int whole_name(int folder, const char *name, char *whole) {
    if (name[0] == '/') snprintf(whole, PATH_MAX, "%s", name);
    else {
        char here[PATH_MAX];
        if (folder != AT_FDCWD) {
            if (!name_of(folder, here)) return 0;
        } else if (!getcwd(here, sizeof here)) return 0;
        if (snprintf(whole, PATH_MAX, "%s/%s", here, name) >= PATH_MAX) return 0;
    }
    return is_below(whole);
}

static void note(char kind, const char *name, const char *other, uint64_t offset,
                 const void *data, size_t size) {
    int kept = errno;
    if (log_file < 0)
        log_file = open(getenv("DISK_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct head head = {kind, {0}, strlen(name), strlen(other), offset, size};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)name, head.name_size},
                            {(void *)other, head.other_size}, {(void *)data, size}};
    size_t all = sizeof head + head.name_size + head.other_size + size;
    if (writev(log_file, parts, 4) != (ssize_t)all) abort();
    errno = kept;
}

static int do_open(int (*call)(int, const char *, int, mode_t), int folder, const char *name,
                   int flags, mode_t mode) {
    char whole[PATH_MAX];
    if (!(flags & (O_CREAT | O_TRUNC)) || !whole_name(folder, name, whole))
        return call(folder, name, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = access(whole, F_OK) != 0;
    int file = call(folder, name, flags, mode);
    if (file >= 0 && is_new) note('c', whole, "", 0, "", 0);
    else if (file >= 0 && flags & O_TRUNC) note('t', whole, "", 0, "", 0);
    pthread_mutex_unlock(&lock);
    return file;
}

static int real_openat(int folder, const char *name, int flags, mode_t mode) {
    REAL(int, "openat64", int, const char *, int, ...);
    return real(folder, name, flags, mode);
}

#define MODE_OF(flags, mode) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *name, int flags, ...) {
    MODE_OF(flags, mode) return do_open(real_openat, AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
    MODE_OF(flags, mode) return do_open(real_openat, AT_FDCWD, name, flags, mode);
}
int openat(int folder, const char *name, int flags, ...) {
    MODE_OF(flags, mode) return do_open(real_openat, folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
    MODE_OF(flags, mode) return do_open(real_openat, folder, name, flags, mode);
}

ssize_t write(int file, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char name[PATH_MAX];
    if (!name_of(file, name)) return real(file, data, size);
    pthread_mutex_lock(&lock);
    ssize_t written = real(file, data, size);
    if (written > 0) note('w', name, "", lseek(file, 0, SEEK_CUR) - written, data, written);
    pthread_mutex_unlock(&lock);
    return written;
}

static ssize_t do_pwrite(int file, const void *data, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    char name[PATH_MAX];
    if (!name_of(file, name)) return real(file, data, size, offset);
    pthread_mutex_lock(&lock);
    ssize_t written = real(file, data, size, offset);
    if (written > 0) note('w', name, "", offset, data, written);
    pthread_mutex_unlock(&lock);
    return written;
}
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    return do_pwrite(file, data, size, offset);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
    return do_pwrite(file, data, size, offset);
}

static int do_truncate(int file, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    char name[PATH_MAX];
    if (!name_of(file, name)) return real(file, size);
    pthread_mutex_lock(&lock);
    int result = real(file, size);
    if (!result) note('t', name, "", size, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int ftruncate(int file, off_t size) { return do_truncate(file, size); }
int ftruncate64(int file, off64_t size) { return do_truncate(file, size); }

static int do_sync(const char *call, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
    char name[PATH_MAX];
    if (!name_of(file, name)) return real(file);
    pthread_mutex_lock(&lock);
    int result = real(file);
    if (!result) note('s', name, "", 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int fsync(int file) { return do_sync("fsync", file); }
int fdatasync(int file) { return do_sync("fdatasync", file); }

static int do_rename(int from_folder, const char *from, int to_folder, const char *to) {
    REAL(int, "renameat", int, const char *, int, const char *);
    char old[PATH_MAX], new[PATH_MAX];
    int is_ours = whole_name(from_folder, from, old) & whole_name(to_folder, to, new);
    pthread_mutex_lock(&lock);
    int result = real(from_folder, from, to_folder, to);
    if (!result && is_ours) note('r', old, new, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int rename(const char *from, const char *to) { return do_rename(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return do_rename(from_folder, from, to_folder, to);
}

static int do_unlink(int folder, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    char whole[PATH_MAX];
    int is_ours = whole_name(folder, name, whole);
    pthread_mutex_lock(&lock);
    int result = real(folder, name, flags);
    if (!result && is_ours) note('u', whole, "", 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int unlink(const char *name) { return do_unlink(AT_FDCWD, name, 0); }
int unlinkat(int folder, const char *name, int flags) { return do_unlink(folder, name, flags); }

static int do_mkdir(int folder, const char *name, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    char whole[PATH_MAX];
    int is_ours = whole_name(folder, name, whole);
    pthread_mutex_lock(&lock);
    int result = real(folder, name, mode);
    if (!result && is_ours) note('m', whole, "", 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}
int mkdir(const char *name, mode_t mode) { return do_mkdir(AT_FDCWD, name, mode); }
int mkdirat(int folder, const char *name, mode_t mode) { return do_mkdir(folder, name, mode); }
