#ifndef GEOSCOUT_TEXT_BUFFER_H
#define GEOSCOUT_TEXT_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that belong to somebody else. */
struct slice {
    const uint8_t *data;
    size_t length;
};

/* Bytes that grow. When there is no memory, `failed` is set and all later calls do nothing. */
struct buffer {
    uint8_t *data;
    size_t length, room;
    int failed;
};

static inline int make_room(struct buffer *buffer, size_t more) {
    if (buffer->failed) return 0;
    if (buffer->room - buffer->length >= more) return 1;
    size_t room = buffer->room < 256 ? 256 : buffer->room * 2;
    while (room - buffer->length < more && room < SIZE_MAX / 2) room *= 2;
    uint8_t *data = room - buffer->length < more ? NULL : realloc(buffer->data, room);
    if (data == NULL) {
        buffer->failed = 1;
        return 0;
    }
    buffer->data = data;
    buffer->room = room;
    return 1;
}

static inline void append(struct buffer *buffer, const void *data, size_t length) {
    if (length == 0 || !make_room(buffer, length)) return;
    memcpy(buffer->data + buffer->length, data, length);
    buffer->length += length;
}

static inline void append_byte(struct buffer *buffer, uint8_t byte) { append(buffer, &byte, 1); }

/* The number of characters in UTF-8. */
static inline size_t count_characters(const uint8_t *data, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += (data[i] & 0xC0) != 0x80;
    return count;
}

/* The length of the white space that begins here, as `str.isspace` sees it; 0 for none. */
static inline size_t space_at(const uint8_t *at, const uint8_t *end) {
    uint8_t byte = *at;
    if (byte <= 0x20) return (byte >= 9 && byte <= 13) || byte >= 28;
    if (byte == 0xC2) return end - at > 1 && (at[1] == 0x85 || at[1] == 0xA0) ? 2 : 0;
    if (byte < 0xE1 || byte > 0xE3 || end - at < 3) return 0;
    if (byte == 0xE1) return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
    if (byte == 0xE3) return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
    if (at[1] == 0x81) return at[2] == 0x9F ? 3 : 0;
    if (at[1] != 0x80) return 0;
    return at[2] <= 0x8A || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF ? 3 : 0;
}

/* Where the character begins that ends here; `at` is after `start`. */
static inline const uint8_t *character_before(const uint8_t *start, const uint8_t *at) {
    at--;
    while (at > start && (*at & 0xC0) == 0x80) at--;
    return at;
}

/* The text without the white space at its edges. */
static inline struct slice stripped(struct slice text) {
    const uint8_t *start = text.data, *end = text.data + text.length;
    size_t size;
    while (start < end && (size = space_at(start, end)) != 0) start += size;
    while (end > start) {
        const uint8_t *last = character_before(start, end);
        if (!space_at(last, end)) break;
        end = last;
    }
    struct slice inner = {start, (size_t)(end - start)};
    return inner;
}

/* Append the words of a text with single spaces between them. */
static inline void append_words(struct buffer *buffer, struct slice text) {
    const uint8_t *at = text.data, *end = text.data + text.length;
    size_t begun = buffer->length;
    if (!make_room(buffer, text.length + 1)) return;
    while (at < end) {
        size_t size = space_at(at, end);
        if (size) {
            at += size;
            continue;
        }
        const uint8_t *word = at;
        while (at < end && (*at > 0x20 && *at < 0xC2 ? 1 : !space_at(at, end))) at++;
        if (buffer->length > begun) append_byte(buffer, ' ');
        append(buffer, word, (size_t)(at - word));
    }
}

#endif
