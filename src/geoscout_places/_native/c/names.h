/* Finds names in texts by a trie that is mapped from a file. */
#ifndef GEOSCOUT_NAMES_H
#define GEOSCOUT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define NAMES_PAIRS (128 * 128)
#define NAMES_SYMBOLS 0x8000
#define NAMES_STARTS 0x8000

/* The characters of a text: 1, 2 or 4 bytes each, as Python keeps them. */
typedef struct {
    const void *data;
    ptrdiff_t length;
    int kind;
} names_text;

/* The nodes of a trie, level by level, so that the children of a node lie side by side in the order
   of their symbols. Node 0 is the root. */
typedef struct {
    const uint16_t *symbols; /* by code point; 0 for a character that no name has */
    ptrdiff_t codes;         /* how many code points have a symbol or 0 */
    const uint16_t *labels;  /* the symbol that leads to a node; NAMES_END where a name ends */
    const uint32_t *first;   /* the first child of each node, and the end of the last one's */
    const uint32_t *values;  /* the number of the name that ends at a node */
    ptrdiff_t nodes;
    uint32_t pairs[NAMES_PAIRS]; /* the node that two characters of ASCII lead to; 0 for none */
    uint32_t roots[NAMES_SYMBOLS]; /* the node that the symbol of a first letter leads to */
    /* Names in lower case are few, but their first letters are in every word. So these are asked
       for by their first four letters: a bit for each hash, 1 where some of them has it. */
    uint8_t starts[NAMES_STARTS / 8];
    uint8_t small_pairs[NAMES_PAIRS / 8]; /* a bit for two characters: whether `pairs` has them */
    uint8_t begins[128]; /* BEGINS where a name begins with a character of ASCII, or BY_STARTS */
} names_trie;

typedef struct {
    ptrdiff_t start, end;
    uint32_t number;
} names_hit;

/* Fills in the tables from `pairs` on; the other fields are there, and the rest is 0. */
void names_prepare(names_trie *trie);

/* The first name at or behind a position, of those that begin there the longest; 0 for none. */
int names_next(const names_trie *trie, const names_text *text, ptrdiff_t position, names_hit *hit);

/* The records of geoscout_places.gazetteer.arrays.layout: their bytes. */
#define NAMES_PLACE 53
#define NAMES_BEARER 13

/* The places that bear each name, as the mapped file has them. */
typedef struct {
    const uint32_t *first; /* by the number of a name, its first bearer, and where the last end */
    ptrdiff_t names;       /* numbers in `first` */
    const uint8_t *bearer_records;
    ptrdiff_t bearers;
    const uint8_t *place_records;
    const uint32_t *parents; /* by place, the number of what contains it plus 1; 0 for none */
    ptrdiff_t places;
} names_bearing;

typedef struct {
    double score, latitude, longitude;
    int64_t id, population;
    uint32_t place; /* its number */
    uint16_t country, feature; /* their numbers in the list of terms */
    uint8_t role, kind;
} names_bearer;

/* Where the bearers of a name begin and end; 0 where the table has none. */
int names_span(const names_bearing *table, uint32_t name, uint32_t *low, uint32_t *high);

/* Reads one of the bearers in such a span; 0 where it is no place. */
int names_read_bearer(const names_bearing *table, uint32_t bearer, names_bearer *found);

#define NAMES_MOST_ABOVE 24

/* A place that a name may mean, as `belief` wants it: see senses.Option and senses.Whereabouts. */
typedef struct {
    double base, prior;
    int64_t id, region, first_square, second_square;
    int64_t above[NAMES_MOST_ABOVE]; /* ids of what contains it, narrow to broad */
    int32_t levels;                  /* how many there are */
    uint32_t place;
    uint16_t country;
    uint8_t kind;
} names_sense;

/* Reads the bearers of a name, the likeliest first; how many there are, `most` at the most. */
int names_bearers(const names_bearing *table, uint32_t name, names_bearer *found, int most);

/* Whether any bearer of a name is of a kind. */
int names_has_kind(const names_bearing *table, uint32_t name, uint8_t kind);

/* The places around a place, from its parent on; -1 where there are more than `most`. */
int names_lineage(const names_bearing *table, uint32_t place, uint32_t *above, int most);

int64_t names_id(const names_bearing *table, uint32_t place);
uint8_t names_kind(const names_bearing *table, uint32_t place);

#endif
