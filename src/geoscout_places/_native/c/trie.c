#include "trie.h"

#include <string.h>

#define TRIE_END 0x8000u
#define TRIE_SYMBOL 0x7fffu
#define FEW 8
#define BEGINS 1
#define BY_STARTS 2
#define START_LETTERS 4

static inline uint32_t letter(const trie_text *text, ptrdiff_t index) {
    if (text->kind == 1) return ((const uint8_t *)text->data)[index];
    if (text->kind == 2) return ((const uint16_t *)text->data)[index];
    return ((const uint32_t *)text->data)[index];
}

static inline uint32_t symbol(const trie_nodes *trie, uint32_t code) {
    return (ptrdiff_t)code < trie->codes ? trie->symbols[code] : 0;
}

/* The child of a node for a symbol; 0 for none. The file may be damaged: no index leaves it. */
static inline uint32_t child(const trie_nodes *trie, uint32_t node, uint32_t wanted) {
    uint32_t low = trie->first[node], high = trie->first[node + 1];
    if (wanted == 0 || low > high || (ptrdiff_t)high > trie->nodes) return 0;
    while (high - low > FEW) {
        uint32_t middle = low + (high - low) / 2;
        if ((trie->labels[middle] & TRIE_SYMBOL) <= wanted)
            low = middle;
        else
            high = middle;
    }
    for (; low < high; low++)
        if ((trie->labels[low] & TRIE_SYMBOL) == wanted) return low;
    return 0;
}

static inline uint32_t next_hash(uint32_t hash, uint32_t wanted) { return hash * 0x9e3779b1u + wanted; }

static inline uint32_t slot(uint32_t hash) { return (hash * 0x85ebca6bu) >> 17; }

/* Marks the first letters of all names below a node; 0 when one of them is too short for that. */
static int mark_starts(trie_nodes *trie, uint32_t node, uint32_t hash, int depth) {
    if (depth == START_LETTERS) {
        trie->starts[slot(hash) >> 3] |= 1u << (slot(hash) & 7);
        return 1;
    }
    if (trie->labels[node] & TRIE_END) return 0;
    uint32_t low = trie->first[node], high = trie->first[node + 1];
    if (low > high || (ptrdiff_t)high > trie->nodes) return 0;
    for (; low < high; low++) {
        uint32_t own = trie->labels[low] & TRIE_SYMBOL;
        if (!mark_starts(trie, low, next_hash(hash, own), depth + 1)) return 0;
    }
    return 1;
}

void trie_prepare(trie_nodes *trie) {
    if (!trie->nodes) return;
    for (uint32_t one = trie->first[0]; one < trie->first[1] && (ptrdiff_t)one < trie->nodes; one++)
        trie->roots[trie->labels[one] & TRIE_SYMBOL] = one;
    for (uint32_t one = 0; one < 128; one++) {
        uint32_t own = symbol(trie, one) & TRIE_SYMBOL, node = own ? trie->roots[own] : 0;
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

static inline int may_start(const trie_nodes *trie, const trie_text *text, ptrdiff_t position) {
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
static int longest(const trie_nodes *trie, const trie_text *text, ptrdiff_t start, trie_hit *hit) {
    ptrdiff_t position = start;
    uint32_t node = 0, found = 0, one = letter(text, start);
    if (one < 128 && start + 1 < text->length) {
        uint32_t other = letter(text, start + 1);
        if (other < 128) { /* no name has one letter */
            node = trie->pairs[one * 128 + other];
            if (!node) return 0;
            position = start + 2;
            if (trie->labels[node] & TRIE_END) {
                found = node;
                hit->end = position;
            }
        }
    }
    while (position < text->length) {
        uint32_t own = symbol(trie, letter(text, position)) & TRIE_SYMBOL;
        node = position == start ? trie->roots[own] : child(trie, node, own);
        if (!node) break;
        position++;
        if (trie->labels[node] & TRIE_END) {
            found = node;
            hit->end = position;
        }
    }
    if (!found) return 0;
    hit->start = start;
    hit->number = trie->values[found];
    return 1;
}

int trie_next(const trie_nodes *trie, const trie_text *text, ptrdiff_t position, trie_hit *hit) {
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
