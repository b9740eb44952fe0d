/* Finds names in texts by a trie that is mapped from a file. */
#ifndef GEOSCOUT_TRIE_H
#define GEOSCOUT_TRIE_H

#include <stddef.h>
#include <stdint.h>

#define TRIE_PAIRS (128 * 128)
#define TRIE_SYMBOLS 0x8000
#define TRIE_STARTS 0x8000

/* The characters of a text: 1, 2 or 4 bytes each, as Python keeps them. */
typedef struct {
    const void *data;
    ptrdiff_t length;
    int kind;
} trie_text;

/* The nodes of a trie, level by level, so that the children of a node lie side by side in the order
   of their symbols. Node 0 is the root. */
typedef struct {
    const uint16_t *symbols; /* by code point; 0 for a character that no name has */
    ptrdiff_t codes;         /* how many code points have a symbol or 0 */
    const uint16_t *labels;  /* the symbol that leads to a node; TRIE_END where a name ends */
    const uint32_t *first;   /* the first child of each node, and the end of the last one's */
    const uint32_t *values;  /* the number of the name that ends at a node */
    ptrdiff_t nodes;
    uint32_t pairs[TRIE_PAIRS]; /* the node that two characters of ASCII lead to; 0 for none */
    uint32_t roots[TRIE_SYMBOLS]; /* the node that the symbol of a first letter leads to */
    /* Names in lower case are few, but their first letters are in every word. So these are asked
       for by their first four letters: a bit for each hash, 1 where some of them has it. */
    uint8_t starts[TRIE_STARTS / 8];
    uint8_t small_pairs[TRIE_PAIRS / 8]; /* a bit for two characters: whether `pairs` has them */
    uint8_t begins[128]; /* BEGINS where a name begins with a character of ASCII, or BY_STARTS */
} trie_nodes;

typedef struct {
    ptrdiff_t start, end;
    uint32_t number;
} trie_hit;

/* Fills in the tables from `pairs` on; the other fields are there, and the rest is 0. */
void trie_prepare(trie_nodes *trie);

/* The first name at or behind a position, of those that begin there the longest; 0 for none. */
int trie_next(const trie_nodes *trie, const trie_text *text, ptrdiff_t position, trie_hit *hit);

#endif
