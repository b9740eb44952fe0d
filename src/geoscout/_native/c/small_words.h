/* Counts the words of a text that a small table has, such as "und" and "the". */
#ifndef GEOSCOUT_SMALL_WORDS_H
#define GEOSCOUT_SMALL_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* The characters of a text: 1, 2 or 4 bytes each, as Python keeps them. */
typedef struct {
    const void *data;
    ptrdiff_t length;
    int kind;
} small_text;

/* A hash table of words. `counts` and `seen` belong to one scan: all counts are 0 between scans. */
typedef struct {
    uint32_t words, mask; /* the number of words; the slots less one, a power of two */
    uint32_t *letters;    /* of all words, one after the other */
    uint32_t *ends;       /* where each word ends in `letters`; the first begins at 0 */
    uint32_t *hashes;     /* by word */
    uint32_t *slots;      /* a word plus one; 0 for an empty slot */
    uint32_t *counts;     /* by word */
    uint32_t *seen;       /* the words that were found, in the order of their first place */
    uint32_t found;       /* how many there are in `seen` */
    ptrdiff_t longest;    /* letters of a word */
} small_words;

/* Fills in `hashes`, `slots` and `longest`; the slots are 0 and more than the words. */
void small_prepare(small_words *table);

/* Counts the words between two positions of a text, 0 <= start <= end <= length. Words are divided
   by white space, as by str.split. */
void small_count(small_words *table, const small_text *text, ptrdiff_t start, ptrdiff_t end);

/* Forgets what was counted. */
void small_forget(small_words *table);

#endif
