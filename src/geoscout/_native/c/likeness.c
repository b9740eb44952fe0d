#include "likeness.h"

#include <stdlib.h>
#include <string.h>

/* The finaliser of splitmix64. */
static uint64_t mixed(uint64_t value) {
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

/* Eight bytes as a little-endian number, on every machine. */
static uint64_t run_at(const uint8_t *data) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) value = value << 8 | data[i];
    return value;
}

/* Whether a feature is new to a table of `mask + 1` places that is never more than half full.
   Features are multiples of eight, so 1 marks a free place. */
static int is_new(uint64_t *table, size_t mask, uint64_t feature) {
    size_t place = (size_t)(feature >> 20) & mask;
    while (table[place] != 1) {
        if (table[place] == feature) return 0;
        place = (place + 1) & mask;
    }
    table[place] = feature;
    return 1;
}

/* An eighth of all runs are features, unless a page was made to have more. */
static size_t count_features(const uint8_t *data, size_t runs) {
    size_t count = 0;
    for (size_t i = 0; i < runs; i++) count += (mixed(run_at(data + i)) & 7) == 0;
    return count;
}

/* Votes for the 64 bits. `lanes[k]` counts bit k of each of the eight bytes, one count a byte, so
   it has to be emptied before it has counted 256. */
struct votes {
    uint64_t lanes[8];
    uint32_t counts[64];
    uint32_t features;
};

static void empty_lanes(struct votes *votes) {
    for (int bit = 0; bit < 64; bit++)
        votes->counts[bit] += votes->lanes[bit % 8] >> (bit / 8 * 8) & 0xFF;
    memset(votes->lanes, 0, sizeof votes->lanes);
}

static void vote(struct votes *votes, uint64_t feature) {
    for (int k = 0; k < 8; k++) votes->lanes[k] += feature >> k & UINT64_C(0x0101010101010101);
    if (++votes->features % 255 == 0) empty_lanes(votes);
}

/* The lowest byte comes first, as the form in numpy reads it: crawls keep these bits. */
static uint64_t majority(const struct votes *votes) {
    uint64_t bits = 0;
    for (int bit = 0; bit < 64; bit++)
        if (2 * (uint64_t)votes->counts[bit] > votes->features)
            bits |= UINT64_C(1) << (56 - bit / 8 * 8 + bit % 8);
    return bits;
}

int simhash(const uint8_t *data, size_t length, uint64_t *result) {
    size_t runs = length - 7, places = 16, most = 2 * count_features(data, runs);
    while (places < most) places *= 2;
    uint64_t *table = malloc(places * sizeof *table);
    if (table == NULL) return -1;
    for (size_t i = 0; i < places; i++) table[i] = 1;

    struct votes votes = {0};
    for (size_t i = 0; i < runs; i++) {
        uint64_t feature = mixed(run_at(data + i));
        if ((feature & 7) == 0 && is_new(table, places - 1, feature)) vote(&votes, feature);
    }
    free(table);
    empty_lanes(&votes);
    *result = majority(&votes);
    return 0;
}
