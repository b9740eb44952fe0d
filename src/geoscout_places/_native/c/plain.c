#include "plain.h"

#include <string.h>

/* Bytes above ASCII in the first 100,000 that rule out chance, as in charset.py. */
enum { SAMPLE = 100000, SURE_SEQUENCES = 2 };

enum { IS_CONTROL = 1, IS_HIGH = 2 };

/* Which kinds of bytes there are. Without branches, so that the compiler takes many at a time. */
static int kinds_of(const uint8_t *page, size_t length) {
    uint8_t control = 0, high = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = page[i];
        control |= (byte < 0x20) & (byte != '\t') & (byte != '\n') & (byte != '\r');
        high |= byte;
    }
    return (control ? IS_CONTROL : 0) | (high & 0x80 ? IS_HIGH : 0);
}

/* The length of the UTF-8 sequence that begins here; 0 for none that the standard allows. */
static size_t sequence_length(const uint8_t *at, const uint8_t *end) {
    size_t left = (size_t)(end - at);
    uint8_t lead = at[0];
    if (lead < 0xC2 || lead > 0xF4 || left < 2) return 0;
    uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < least || at[1] > most) return 0;
    size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (left < length) return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    return length;
}

/* Whether all is UTF-8, and how many sequences begin in the sample. */
static int is_utf8(const uint8_t *page, size_t length, size_t *sampled) {
    const uint8_t *at = page, *end = page + length;
    *sampled = 0;
    while (at < end) {
        uint64_t eight;
        while (end - at >= 8 && (memcpy(&eight, at, 8), !(eight & UINT64_C(0x8080808080808080))))
            at += 8;
        while (at < end && *at < 0x80) at++;
        if (at == end) break;
        size_t size = sequence_length(at, end);
        if (!size) return 0;
        *sampled += at - page < SAMPLE;
        at += size;
    }
    return 1;
}

/* Whether a reference such as "&#14;" stands for one of the marks of blocks.py. `at` is after "&#". */
static int names_mark(const uint8_t *at, const uint8_t *end) {
    unsigned base = 10, value = 0;
    if (at < end && (*at | 0x20) == 'x') {
        base = 16;
        at++;
    }
    for (; at < end && value < 0x100; at++) {
        unsigned digit = *at - '0';
        if (digit > 9) {
            digit = (*at | 0x20) - 'a' + 10;
            if (base == 10 || digit < 10 || digit > 15) break;
        }
        value = value * base + digit;
    }
    return value == 1 || value == 2 || (value >= 14 && value <= 20);
}

static int has_mark_reference(const uint8_t *page, size_t length) {
    const uint8_t *end = page + length, *at = page;
    while ((at = memchr(at, '&', (size_t)(end - at))) != NULL) {
        at++;
        if (at < end && *at == '#' && names_mark(at + 1, end)) return 1;
        if (at == end) break;
    }
    return 0;
}

static int starts(const uint8_t *at, size_t left, const char *name, size_t length) {
    if (left < length) return 0;
    for (size_t i = 0; i < length; i++)
        if ((at[i] | 0x20) != name[i]) return 0;
    return 1;
}

/* A name ends where no letter, digit or hyphen follows. Other bytes are few and may be space. */
static int ends_name(const uint8_t *at, size_t left, size_t length) {
    uint8_t next = left > length ? at[length] : 'x';
    uint8_t letter = next | 0x20;
    return !((letter >= 'a' && letter <= 'z') || (next >= '0' && next <= '9') || next == '-');
}

/* Whether a tag opens an element that the standard opens again in later blocks. */
static int is_formatting(const uint8_t *at, size_t left) {
    static const struct { char first; uint8_t length; char name[8]; } NAMES[] = {
        {'b', 1, "b"}, {'b', 3, "big"}, {'c', 4, "code"}, {'e', 2, "em"}, {'f', 4, "font"},
        {'i', 1, "i"}, {'n', 4, "nobr"}, {'s', 1, "s"}, {'s', 5, "small"}, {'s', 6, "strike"},
        {'s', 6, "strong"}, {'t', 2, "tt"}, {'u', 1, "u"},
    };
    char first = (char)(at[0] | 0x20);
    if (strchr("adhlmop", first)) return 0;    /* most tags: a, div, li, p */
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (NAMES[i].first == first && ends_name(at, left, NAMES[i].length) &&
            starts(at, left, NAMES[i].name, NAMES[i].length))
            return 1;
    return 0;
}

/* Whether the tags are few, shallow and short enough to be parsed as they are. */
static int has_harmless_tags(const uint8_t *page, size_t length, const struct page_limits *limits,
                             size_t *count) {
    const uint8_t *end = page + length, *at = memchr(page, '<', length);
    size_t tags = 0, roots = 0, formatting = 0;
    while (at != NULL) {
        const uint8_t *name = at + 1;
        size_t left = (size_t)(end - name);
        const uint8_t *next = left ? memchr(name, '<', left) : NULL;
        size_t gap = next ? (size_t)(next - name) : left;
        uint8_t letter = left ? *name | 0x20 : 0;
        if (++tags > limits->most_tags) return 0;
        if (letter >= 'a' && letter <= 'z') {
            if (gap > limits->most_tag_bytes &&
                !memchr(name, '>', limits->most_tag_bytes))
                return 0;
            roots += starts(name, left, "html", 4) || starts(name, left, "body", 4);
            formatting += is_formatting(name, left);
        }
        at = next;
    }
    *count = tags;
    return roots <= limits->most_roots &&
           (tags * tags <= limits->most_reopened || tags * formatting <= limits->most_reopened);
}

enum plainness plainness_of(const uint8_t *page, size_t length, const struct page_limits *limits,
                            size_t *tags) {
    if (length > limits->most_bytes) return NOT_PLAIN;
    if (!length) return PLAIN_ASCII;
    int kinds = kinds_of(page, length);
    size_t sequences = 0;
    if (kinds & IS_CONTROL) return NOT_PLAIN;
    if (kinds & IS_HIGH && !is_utf8(page, length, &sequences)) return NOT_PLAIN;
    if (has_mark_reference(page, length) || !has_harmless_tags(page, length, limits, tags))
        return NOT_PLAIN;
    if (!(kinds & IS_HIGH)) return PLAIN_ASCII;
    return sequences >= SURE_SEQUENCES ? SURE_UTF8 : PLAIN_UTF8;
}
