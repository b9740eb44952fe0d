#ifndef GEOSCOUT_PLAIN_H
#define GEOSCOUT_PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* What geoscout_places.parse.limits allows. */
struct page_limits {
    size_t most_bytes, most_tags, most_roots, most_tag_bytes, most_reopened;
};

/* How a page is written that needs neither decoding nor changes. */
enum plainness { NOT_PLAIN = 0, PLAIN_ASCII = 1, PLAIN_UTF8 = 2, SURE_UTF8 = 3 };

/* `tags` is set to the number of "<" of a page that is plain. */
enum plainness plainness_of(const uint8_t *page, size_t length, const struct page_limits *limits,
                            size_t *tags);

#endif
