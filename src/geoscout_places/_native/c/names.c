#include "names.h"

#include <string.h>

#define NAMES_END 0x8000u
#define NAMES_SYMBOL 0x7fffu
#define FEW 8
#define BEGINS 1
#define BY_STARTS 2
#define START_LETTERS 4

static inline uint32_t letter(const names_text *text, ptrdiff_t index) {
    if (text->kind == 1) return ((const uint8_t *)text->data)[index];
    if (text->kind == 2) return ((const uint16_t *)text->data)[index];
    return ((const uint32_t *)text->data)[index];
}

static inline uint32_t symbol(const names_trie *trie, uint32_t code) {
    return (ptrdiff_t)code < trie->codes ? trie->symbols[code] : 0;
}

/* The child of a node for a symbol; 0 for none. The file may be damaged: no index leaves it. */
static inline uint32_t child(const names_trie *trie, uint32_t node, uint32_t wanted) {
    uint32_t low = trie->first[node], high = trie->first[node + 1];
    if (wanted == 0 || low > high || (ptrdiff_t)high > trie->nodes) return 0;
    while (high - low > FEW) {
        uint32_t middle = low + (high - low) / 2;
        if ((trie->labels[middle] & NAMES_SYMBOL) <= wanted)
            low = middle;
        else
            high = middle;
    }
    for (; low < high; low++)
        if ((trie->labels[low] & NAMES_SYMBOL) == wanted) return low;
    return 0;
}

static inline uint32_t next_hash(uint32_t hash, uint32_t wanted) { return hash * 0x9e3779b1u + wanted; }

static inline uint32_t slot(uint32_t hash) { return (hash * 0x85ebca6bu) >> 17; }

/* Marks the first letters of all names below a node; 0 when one of them is too short for that. */
static int mark_starts(names_trie *trie, uint32_t node, uint32_t hash, int depth) {
    if (depth == START_LETTERS) {
        trie->starts[slot(hash) >> 3] |= 1u << (slot(hash) & 7);
        return 1;
    }
    if (trie->labels[node] & NAMES_END) return 0;
    uint32_t low = trie->first[node], high = trie->first[node + 1];
    if (low > high || (ptrdiff_t)high > trie->nodes) return 0;
    for (; low < high; low++) {
        uint32_t own = trie->labels[low] & NAMES_SYMBOL;
        if (!mark_starts(trie, low, next_hash(hash, own), depth + 1)) return 0;
    }
    return 1;
}

void names_prepare(names_trie *trie) {
    if (!trie->nodes) return;
    for (uint32_t one = trie->first[0]; one < trie->first[1] && (ptrdiff_t)one < trie->nodes; one++)
        trie->roots[trie->labels[one] & NAMES_SYMBOL] = one;
    for (uint32_t one = 0; one < 128; one++) {
        uint32_t own = symbol(trie, one) & NAMES_SYMBOL, node = own ? trie->roots[own] : 0;
        int is_small = one >= 'a' && one <= 'z';
        if (!node) continue;
        trie->begins[one] = BEGINS;
        if (is_small && mark_starts(trie, node, next_hash(0, own), 1)) trie->begins[one] = BY_STARTS;
        for (uint32_t other = 0; other < 128; other++) {
            uint32_t pair = one * 128 + other;
            trie->pairs[pair] = child(trie, node, symbol(trie, other));
            if (trie->pairs[pair]) trie->small_pairs[pair >> 3] |= 1u << (pair & 7);
        }
    }
}

static inline int may_start(const names_trie *trie, const names_text *text, ptrdiff_t position) {
    uint32_t hash = 0, other;
    if (text->length - position < START_LETTERS) return 0;
    other = letter(text, position + 1);
    if (other < 128) { /* the first is ASCII, too */
        uint32_t pair = letter(text, position) * 128 + other;
        if (!(trie->small_pairs[pair >> 3] >> (pair & 7) & 1)) return 0;
    }
    for (int n = 0; n < START_LETTERS; n++)
        hash = next_hash(hash, symbol(trie, letter(text, position + n)));
    return trie->starts[slot(hash) >> 3] >> (slot(hash) & 7) & 1;
}

/* The longest name that begins at a position. */
static int longest(const names_trie *trie, const names_text *text, ptrdiff_t start, names_hit *hit) {
    ptrdiff_t position = start;
    uint32_t node = 0, found = 0, one = letter(text, start);
    if (one < 128 && start + 1 < text->length) {
        uint32_t other = letter(text, start + 1);
        if (other < 128) { /* no name has one letter */
            node = trie->pairs[one * 128 + other];
            if (!node) return 0;
            position = start + 2;
            if (trie->labels[node] & NAMES_END) {
                found = node;
                hit->end = position;
            }
        }
    }
    while (position < text->length) {
        uint32_t own = symbol(trie, letter(text, position)) & NAMES_SYMBOL;
        node = position == start ? trie->roots[own] : child(trie, node, own);
        if (!node) break;
        position++;
        if (trie->labels[node] & NAMES_END) {
            found = node;
            hit->end = position;
        }
    }
    if (!found) return 0;
    hit->start = start;
    hit->number = trie->values[found];
    return 1;
}

int names_next(const names_trie *trie, const names_text *text, ptrdiff_t position, names_hit *hit) {
    if (!trie->nodes || position < 0) return 0;
    for (; position < text->length; position++) {
        uint32_t code = letter(text, position);
        if (code < 128) {
            if (!trie->begins[code]) continue;
            if (trie->begins[code] == BY_STARTS && !may_start(trie, text, position)) continue;
        }
        if (longest(trie, text, position, hit)) return 1;
    }
    return 0;
}

static inline uint64_t number(const uint8_t *data, int bytes) {
    uint64_t found = 0;
    for (int n = bytes - 1; n >= 0; n--) found = found << 8 | data[n];
    return found;
}

static inline double real(const uint8_t *data) {
    uint64_t bits = number(data, 8);
    double found;
    memcpy(&found, &bits, sizeof found);
    return found;
}

int names_span(const names_bearing *table, uint32_t name, uint32_t *low, uint32_t *high) {
    if (name + (ptrdiff_t)1 >= table->names) return 0;
    *low = table->first[name], *high = table->first[name + 1];
    return *low <= *high && (ptrdiff_t)*high <= table->bearers;
}

int names_read_bearer(const names_bearing *table, uint32_t bearer, names_bearer *found) {
    const uint8_t *record = table->bearer_records + bearer * (ptrdiff_t)NAMES_BEARER;
    found->score = real(record);
    found->place = (uint32_t)number(record + 8, 4);
    found->role = record[12];
    if ((ptrdiff_t)found->place >= table->places) return 0;
    record = table->place_records + found->place * (ptrdiff_t)NAMES_PLACE;
    found->id = (int64_t)number(record, 8);
    found->latitude = real(record + 8);
    found->longitude = real(record + 16);
    found->population = (int64_t)number(record + 24, 8);
    found->country = (uint16_t)number(record + 46, 2);
    found->feature = (uint16_t)number(record + 50, 2);
    found->kind = record[52];
    return 1;
}

int names_bearers(const names_bearing *table, uint32_t name, names_bearer *found, int most) {
    uint32_t low, high;
    if (!names_span(table, name, &low, &high)) return 0;
    int count = high - low < (uint32_t)most ? (int)(high - low) : most;
    for (int n = 0; n < count; n++)
        if (!names_read_bearer(table, low + n, found + n)) return 0;
    return count;
}

int names_has_kind(const names_bearing *table, uint32_t name, uint8_t kind) {
    uint32_t low, high;
    if (!names_span(table, name, &low, &high)) return 0;
    for (; low < high; low++) {
        const uint8_t *record = table->bearer_records + low * (ptrdiff_t)NAMES_BEARER;
        uint32_t place = (uint32_t)number(record + 8, 4);
        if ((ptrdiff_t)place < table->places && names_kind(table, place) == kind) return 1;
    }
    return 0;
}

int names_lineage(const names_bearing *table, uint32_t place, uint32_t *above, int most) {
    int count = 0;
    for (uint32_t parent = table->parents[place]; parent; parent = table->parents[parent - 1]) {
        if ((ptrdiff_t)parent > table->places) return -1;
        for (int n = 0; n < count; n++)
            if (above[n] == parent - 1) return count; /* imported files may have circles */
        if (count == most) return -1;
        above[count++] = parent - 1;
    }
    return count;
}

int64_t names_id(const names_bearing *table, uint32_t place) {
    return (int64_t)number(table->place_records + place * (ptrdiff_t)NAMES_PLACE, 8);
}

uint8_t names_kind(const names_bearing *table, uint32_t place) {
    return table->place_records[place * (ptrdiff_t)NAMES_PLACE + 52];
}
