/* The words before and after a link, as geoscout_places/parse/links.py cuts them out. */

#include "walk.h"

enum { WINDOW_TOKENS = 25, REACH = 400 /* characters */, LONGEST_REFERENCE = 8192 };

struct tokens {
    struct slice found[WINDOW_TOKENS + 1];    /* in the order in which they were found */
    size_t count;
};

/* In the text of a page all white space is one of these. */
static int is_gap(uint8_t byte) { return byte == ' ' || byte == '\n'; }

static void add_token(struct tokens *tokens, const uint8_t *start, const uint8_t *end) {
    tokens->found[tokens->count].data = start;
    tokens->found[tokens->count++].length = (size_t)(end - start);
}

/* How many are kept: all, but not one beyond the window, nor one that the reach may have cut. */
static size_t kept(const struct tokens *tokens, int is_cut) {
    if (tokens->count > WINDOW_TOKENS) return WINDOW_TOKENS;
    return is_cut && tokens->count > 1 ? tokens->count - 1 : tokens->count;
}

void append_before(struct page_walk *walk, const struct link_note *note, struct buffer *words) {
    if (note->first_block < 0 || (size_t)note->first_block >= block_count(walk)) return;
    const uint8_t *border = walk->text.data + block_at(walk, (size_t)note->first_block)->start_byte;
    const uint8_t *text_end = walk->text.data + walk->text.length;
    const uint8_t *end = walk->text.data + note->start;
    if (end > text_end) end = text_end;
    const uint8_t *reach = end;
    struct tokens tokens = {.count = 0};
    for (size_t i = 0; i < REACH && reach > border; i++) reach = character_before(border, reach);
    while (tokens.count <= WINDOW_TOKENS) {
        while (end > reach && is_gap(end[-1])) end--;
        if (end <= reach) break;
        const uint8_t *last = end;
        while (end > reach && !is_gap(end[-1])) end--;
        add_token(&tokens, end, last);
    }
    size_t count = kept(&tokens, reach > border);
    for (size_t i = count; i-- > 0;) {
        append(words, tokens.found[i].data, tokens.found[i].length);
        if (i) append_byte(words, ' ');
    }
}

void append_after(struct page_walk *walk, const struct link_note *note, struct buffer *words) {
    if (note->last_block < 0 || (size_t)note->last_block >= block_count(walk)) return;
    const uint8_t *border = walk->text.data + block_at(walk, (size_t)note->last_block)->end_byte;
    const uint8_t *at = walk->text.data + note->end, *reach = at;
    struct tokens tokens = {.count = 0};
    for (size_t i = 0; i < REACH && reach < border; i++)
        do reach++; while (reach < border && (*reach & 0xC0) == 0x80);
    while (tokens.count <= WINDOW_TOKENS) {
        while (at < reach && is_gap(*at)) at++;
        if (at >= reach) break;
        const uint8_t *start = at;
        while (at < reach && !is_gap(*at)) at++;
        add_token(&tokens, start, at);
    }
    size_t count = kept(&tokens, reach < border);
    for (size_t i = 0; i < count; i++) {
        if (i) append_byte(words, ' ');
        append(words, tokens.found[i].data, tokens.found[i].length);
    }
}

/* How a reference is resolved that is told by its first characters and has no dots to follow.
   A subset of what `ReferenceResolver` of geoscout_places/parse/links.py does at once. */
enum place place_of_reference(struct slice reference) {
    const uint8_t *data = reference.data;
    size_t length = reference.length;
    int has_colon = 0, has_dot_slash = 0, has_slash_dot = 0;
    if (length == 0 || length > LONGEST_REFERENCE) return ELSEWHERE;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = data[i];
        if (byte <= ' ' || byte > '~' || byte == '\\') return ELSEWHERE;
        has_colon |= byte == ':';
        if (i == 0) continue;
        has_dot_slash |= byte == '/' && data[i - 1] == '.';
        has_slash_dot |= byte == '.' && data[i - 1] == '/';
    }
    if ((length >= 7 && memcmp(data, "http://", 7) == 0) ||
        (length >= 8 && memcmp(data, "https://", 8) == 0))
        return has_slash_dot ? ELSEWHERE : ABSOLUTE;
    if (has_dot_slash || has_slash_dot) return ELSEWHERE;
    if (data[0] == '/') return length > 1 && data[1] == '/' ? ELSEWHERE : AT_ROOT;
    return has_colon || data[0] == '?' || data[0] == '#' ? ELSEWHERE : IN_DIRECTORY;
}
