#include "small_words.h"

static inline uint32_t letter(const void *data, int kind, ptrdiff_t index) {
    if (kind == 1) return ((const uint8_t *)data)[index];
    if (kind == 2) return ((const uint16_t *)data)[index];
    return ((const uint32_t *)data)[index];
}

static inline int is_space(uint32_t code) {
    if (code <= 32) return code == 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
    if (code < 0x1680) return code == 0x85 || code == 0xa0;
    return code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
           code == 0x202f || code == 0x205f || code == 0x3000;
}

static inline uint32_t next_hash(uint32_t hash, uint32_t code) { return (hash ^ code) * 0x9e3779b1u; }

static inline uint32_t slot_of(uint32_t hash, uint32_t mask) { return (hash ^ hash >> 15) & mask; }

void small_prepare(small_words *table) {
    uint32_t start = 0;
    table->longest = 0;
    for (uint32_t word = 0; word < table->words; word++) {
        uint32_t end = table->ends[word], hash = 0;
        for (uint32_t at = start; at < end; at++) hash = next_hash(hash, table->letters[at]);
        if ((ptrdiff_t)(end - start) > table->longest) table->longest = end - start;
        uint32_t slot = slot_of(hash, table->mask);
        while (table->slots[slot]) slot = (slot + 1) & table->mask;
        table->hashes[word] = hash;
        table->slots[slot] = word + 1;
        start = end;
    }
}

static inline int is_word(
    const small_words *table, uint32_t word, const void *data, int kind, ptrdiff_t start, ptrdiff_t end
) {
    uint32_t first = word ? table->ends[word - 1] : 0;
    if ((ptrdiff_t)(table->ends[word] - first) != end - start) return 0;
    for (ptrdiff_t at = start; at < end; at++)
        if (table->letters[first + (at - start)] != letter(data, kind, at)) return 0;
    return 1;
}

static inline void look_up(
    small_words *table, uint32_t hash, const void *data, int kind, ptrdiff_t start, ptrdiff_t end
) {
    for (uint32_t slot = slot_of(hash, table->mask); table->slots[slot]; slot = (slot + 1) & table->mask) {
        uint32_t word = table->slots[slot] - 1;
        if (table->hashes[word] == hash && is_word(table, word, data, kind, start, end)) {
            if (!table->counts[word]++) table->seen[table->found++] = word;
            return;
        }
    }
}

/* Inlined for each kind, so that the loop asks for it only once. */
static inline void count(small_words *table, const void *data, int kind, ptrdiff_t start, ptrdiff_t end) {
    while (start < end) {
        ptrdiff_t first = start;
        uint32_t hash = 0;
        for (; start < end; start++) {
            uint32_t code = letter(data, kind, start);
            if (is_space(code)) break;
            hash = next_hash(hash, code);
        }
        if (start > first && start - first <= table->longest) look_up(table, hash, data, kind, first, start);
        start++;
    }
}

void small_count(small_words *table, const small_text *text, ptrdiff_t start, ptrdiff_t end) {
    if (text->kind == 1)
        count(table, text->data, 1, start, end);
    else if (text->kind == 2)
        count(table, text->data, 2, start, end);
    else
        count(table, text->data, 4, start, end);
}

void small_forget(small_words *table) {
    for (uint32_t n = 0; n < table->found; n++) table->counts[table->seen[n]] = 0;
    table->found = 0;
}
