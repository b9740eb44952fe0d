#include "terms.h"

#include <stdlib.h>
#include <string.h>

/* Remainders of all bytes for the polynomial of zlib, four bits at a time. */
static const uint32_t REMAINDERS[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

uint32_t checksum(const uint8_t *data, size_t length, uint32_t start) {
    uint32_t sum = ~start;
    for (size_t i = 0; i < length; i++) {
        sum ^= data[i];
        sum = sum >> 4 ^ REMAINDERS[sum & 15];
        sum = sum >> 4 ^ REMAINDERS[sum & 15];
    }
    return ~sum;
}

static int is_blank(uint8_t byte) {
    return byte == ' ' || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}

/* The small letter or digit that a byte is; 0 for any other. */
static uint8_t letter_of(uint8_t byte) {
    if (byte >= 'A' && byte <= 'Z') return byte + ('a' - 'A');
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ? byte : 0;
}

int next_word(struct words *words, int by_letters) {
    size_t i = words->position;
    const uint8_t *text = words->text;
    words->letters = 0;
    while (i < words->length && (by_letters ? !letter_of(text[i]) : is_blank(text[i]))) i++;
    if (i == words->length) return 0;
    for (; i < words->length; i++) {
        uint8_t letter = letter_of(text[i]);
        if (by_letters ? !letter : is_blank(text[i])) break;
        if (letter && words->letters < LONGEST_WORD) words->word[words->letters++] = (char)letter;
    }
    words->position = i;
    return 1;
}

static int is_small(const uint8_t *word, size_t length, const uint64_t *small, size_t count) {
    uint64_t packed = 0;
    if (length > sizeof packed) return 0;
    for (size_t i = 0; i < length; i++) packed |= (uint64_t)word[i] << 8 * i;
    for (size_t i = 0; i < count; i++)
        if (small[i] == packed) return 1;
    return 0;
}

void raise_words(uint8_t *text, size_t length, const uint64_t *small, size_t count) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 'a' || text[i] > 'z' || (i && letter_of(text[i - 1]))) continue;
        size_t end = i + 1;
        while (end < length && (letter_of(text[end]) || text[end] == '_')) end++;
        if (!is_small(text + i, end - i, small, count)) text[i] -= 'a' - 'A';
    }
}

static int compare(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static void sort_few(uint32_t *numbers, size_t count) {
    for (size_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        size_t place = i;
        for (; place && numbers[place - 1] > number; place--) numbers[place] = numbers[place - 1];
        numbers[place] = number;
    }
}

size_t sort_unique(uint32_t *numbers, size_t count) {
    size_t kept = 0;
    if (count <= 48)
        sort_few(numbers, count);
    else
        qsort(numbers, count, sizeof *numbers, compare);
    for (size_t i = 0; i < count; i++)
        if (numbers[i] && (kept == 0 || numbers[kept - 1] != numbers[i])) numbers[kept++] = numbers[i];
    return kept;
}

size_t folder_length(const uint8_t *url, size_t length) {
    const uint8_t *query = memchr(url, '?', length);
    size_t end = query ? (size_t)(query - url) : length;
    while (end && url[end - 1] != '/') end--;
    return end ? end - 1 : 0;
}
