#ifndef GEOSCOUT_TERMS_H
#define GEOSCOUT_TERMS_H

#include <stddef.h>
#include <stdint.h>

enum { LONGEST_WORD = 40 };

/* Where the next word is looked for in an ASCII text, and the word: lower case, letters and digits
   only, its first LONGEST_WORD ones. */
struct words {
    const uint8_t *text;
    size_t length, position;
    char word[LONGEST_WORD];
    int letters;
};

/* The checksum of zlib, going on from that of what stands before. */
uint32_t checksum(const uint8_t *data, size_t length, uint32_t start);

/* Find the next word, between blanks or, if `by_letters`, between anything but letters and digits.
   0 when there is none; a word of a text between blanks may have no letters. */
int next_word(struct words *words, int by_letters);

/* Give every word of an ASCII text a capital, but for `count` small words of up to eight letters, each
   as a number with its first letter in the lowest byte. */
void raise_words(uint8_t *text, size_t length, const uint64_t *small, size_t count);

/* Sort numbers and leave each once, without 0; gives how many are left. */
size_t sort_unique(uint32_t *numbers, size_t count);

/* The length of a URL up to its last slash before the query; 0 where there is none. */
size_t folder_length(const uint8_t *url, size_t length);

#endif
