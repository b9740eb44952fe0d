/* The lower limit: the same site with nothing but sockets, memmem and a hash table.
 *
 *     cc -O2 -o floor floor.c && ./floor seeds.txt
 *
 * One connection to each host, all kept open; href="..." is looked for in the bytes as they came;
 * a reference that starts with "/" belongs to the host. No HTML, no other forms of URLs, no robots,
 * no errors: what is left is what the kernel, the copying and the looking take.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOSTS = 256, SLOTS = 1 << 20, LONGEST = 512, BUFFER = 1 << 20 };

typedef struct { char origin[64]; int socket; } Host;
typedef struct { int host; char *path; } Wanted;

static Host hosts[HOSTS];
static int host_count;
static Wanted queue[SLOTS];
static int queued, taken;
static uint64_t seen[SLOTS];
static char buffer[BUFFER];

static void fail(const char *what) { perror(what); exit(1); }

static int host_of(const char *origin, size_t length) {
    for (int i = 0; i < host_count; i++)
        if (!hosts[i].origin[length] && !memcmp(hosts[i].origin, origin, length)) return i;
    if (host_count == HOSTS || length >= sizeof hosts[0].origin) exit(1);
    Host *host = &hosts[host_count];
    memcpy(host->origin, origin, length);
    struct sockaddr_in address = {.sin_family = AF_INET};
    char name[64];
    int port;
    if (sscanf(host->origin, "http://%63[^:]:%d", name, &port) != 2) exit(1);
    address.sin_port = htons((uint16_t)port);
    inet_pton(AF_INET, name, &address.sin_addr);
    host->socket = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(host->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(host->socket, (void *)&address, sizeof address)) fail("connect");
    return host_count++;
}

/* Remember a URL by its fingerprint; queue it when it is new. */
static void want(int host, const char *path, size_t length) {
    uint64_t print = 14695981039346656037ull ^ (uint64_t)host;
    for (size_t i = 0; i < length; i++) print = (print ^ (unsigned char)path[i]) * 1099511628211ull;
    size_t slot = (size_t)(print % SLOTS);
    for (; seen[slot]; slot = (slot + 1) % SLOTS)
        if (seen[slot] == print) return;
    seen[slot] = print;
    queue[queued++] = (Wanted){host, strndup(path, length)};
}

static void want_url(const char *url, size_t length) {
    const char *path = memchr(url + 7, '/', length - 7);
    if (path) want(host_of(url, (size_t)(path - url)), path, length - (size_t)(path - url));
}

static size_t fetch(const Wanted *wanted) {
    char request[LONGEST + 128];
    int socket = hosts[wanted->host].socket;
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n",
                          wanted->path, hosts[wanted->host].origin + 7);
    if (write(socket, request, (size_t)length) != length) fail("write");
    size_t have = 0, need = 0;
    while (!need || have < need) {
        ssize_t got = read(socket, buffer + have, BUFFER - have);
        if (got <= 0) fail("read");
        have += (size_t)got;
        char *end = need ? NULL : memmem(buffer, have, "\r\n\r\n", 4);
        if (end) {
            char *size = memmem(buffer, (size_t)(end - buffer), "Content-Length: ", 16);
            need = (size_t)(end + 4 - buffer) + (size_t)atoi(size + 16);
        }
    }
    return have;
}

static void scan(int host, size_t length) {
    char *at = buffer, *end = buffer + length;
    while ((at = memmem(at, (size_t)(end - at), "href=\"", 6))) {
        char *start = at + 6;
        at = memchr(start, '"', (size_t)(end - start));
        if (!at) return;
        if (*start == '/') want(host, start, (size_t)(at - start));
        else if (at - start > 7 && !memcmp(start, "http://", 7)) want_url(start, (size_t)(at - start));
    }
}

int main(int count, char **arguments) {
    FILE *seeds = count > 1 ? fopen(arguments[1], "r") : NULL;
    if (!seeds) fail("seeds");
    char url[LONGEST];
    while (fscanf(seeds, "%511s", url) == 1) want_url(url, strlen(url));
    for (; taken < queued; taken++) scan(queue[taken].host, fetch(&queue[taken]));
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    printf("{\"pages\": %d, \"known\": %d, \"cpu\": %f, \"wall\": 0}\n", taken, queued, cpu);
    return 0;
}
