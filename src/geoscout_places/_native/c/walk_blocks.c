/* The tape to text and blocks, as geoscout_places/parse/blocks.py does it. */

#include <Python.h>

#include "walk.h"

static void add_block(struct page_walk *walk, struct slice text, size_t linked) {
    size_t length = count_characters(text.data, text.length);
    int is_first = block_count(walk) == 0;
    if (!is_first) append_byte(&walk->text, '\n');
    struct text_block block = {
        .start = is_first ? 0 : walk->end + 1,
        .start_byte = walk->text.length,
        .end_byte = walk->text.length + text.length,
        .linked = walk->is_sure ? -1 : (ptrdiff_t)linked,
        .part = walk->part,
    };
    block.end = walk->end = block.start + length;
    append(&walk->text, text.data, text.length);
    append(&walk->blocks, &block, sizeof block);
}

/* Whether a letter, digit or underscore stands there, as `\w` sees it. */
static int is_word_at(const uint8_t *at, const uint8_t *end) {
    if (at >= end) return 0;
    uint32_t byte = *at;
    if (byte < 0x80) return byte == '_' || Py_UNICODE_ISALNUM(byte);
    size_t more = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    if ((size_t)(end - at) <= more) return 0;
    uint32_t character = byte & (0x3F >> more);
    for (size_t i = 1; i <= more; i++) character = character << 6 | (at[i] & 0x3F);
    return character <= 0x10FFFF && Py_UNICODE_ISALNUM(character);
}

/* Put a space for the first seam that two words meet at, and nothing for the others. */
static void resolve_seams(struct buffer *chunk) {
    uint8_t *data = chunk->data;
    size_t length = chunk->length, at = 0, kept = 0;
    while (at < length) {
        if (data[at] != MARK) {
            data[kept++] = data[at++];
            continue;
        }
        size_t end = at, seams = 0, breaks = 0;
        for (; end + 1 < length && data[end] == MARK; end += 2) {
            seams += data[end + 1] == SEAM;
            breaks += data[end + 1] == BREAK;
        }
        if (end == at) end = length;    /* half a mark, which no walk leaves */
        int glued = seams > 0 && breaks == 0 && kept > 0 &&
                    is_word_at(character_before(data, data + kept), data + kept) &&
                    is_word_at(data + end, data + length);
        for (; at + 1 < end; at += 2) {
            if (data[at + 1] != SEAM) {
                data[kept++] = MARK;
                data[kept++] = data[at + 1];
            } else if (glued) {
                data[kept++] = ' ';
                glued = 0;
            }
        }
        at = end;
    }
    chunk->length = kept;
}

static size_t find(const struct buffer *in, size_t from, const char *what, size_t length) {
    while (from + length <= in->length) {
        const uint8_t *found = memchr(in->data + from, what[0], in->length - from - length + 1);
        if (found == NULL) break;
        if (memcmp(found, what, length) == 0) return (size_t)(found - in->data);
        from = (size_t)(found - in->data) + 1;
    }
    return SIZE_MAX;
}

/* Replace in place, from the left; what is put in is not longer. Tells whether there was any. */
static int replace(struct buffer *in, const char *what, const char *by) {
    size_t length = strlen(what), new_length = strlen(by), kept = 0, at = 0;
    size_t found = find(in, 0, what, length);
    if (found == SIZE_MAX) return 0;
    while (found != SIZE_MAX) {
        memmove(in->data + kept, in->data + at, found - at);
        kept += found - at;
        memcpy(in->data + kept, by, new_length);
        kept += new_length;
        at = found + length;
        found = find(in, at, what, length);
    }
    memmove(in->data + kept, in->data + at, in->length - at);
    in->length = kept + (in->length - at);
    return 1;
}

#define M_BREAK "\2\3"
#define M_SEAM "\2\4"
#define M_OPEN "\2\5"
#define M_CLOSE "\2\6"

static int has(const struct buffer *in, const char *what) {
    return find(in, 0, what, strlen(what)) != SIZE_MAX;
}

/* What is between two borders with single spaces, newlines for line breaks, and no seams. */
static void straighten(struct page_walk *walk, struct slice text) {
    struct buffer *chunk = &walk->scratch;
    chunk->length = 0;
    append_words(chunk, text);
    if (chunk->failed) return;
    if (has(chunk, M_SEAM)) resolve_seams(chunk);
    if (has(chunk, M_OPEN " ") || has(chunk, " " M_CLOSE)) {
        replace(chunk, M_OPEN " ", " " M_OPEN);
        replace(chunk, " " M_CLOSE, M_CLOSE " ");
        replace(chunk, " " M_OPEN M_CLOSE " ", " " M_OPEN M_CLOSE);
        while (replace(chunk, "  ", " ")) continue;
    }
    if (has(chunk, M_BREAK)) {
        replace(chunk, " " M_BREAK, M_BREAK);
        replace(chunk, M_BREAK " ", M_BREAK);
        replace(chunk, M_OPEN M_BREAK, M_BREAK M_OPEN);
        replace(chunk, M_BREAK M_CLOSE, M_CLOSE M_BREAK);
        replace(chunk, M_BREAK M_BREAK, "\1");
        replace(chunk, M_BREAK, "\n");
    }
}

/* Where the next block would begin. */
static size_t next_start(const struct page_walk *walk) {
    return block_count(walk) ? walk->text.length + 1 : 0;
}

static void open_span(struct page_walk *walk, size_t offset, ptrdiff_t block) {
    walk->in_link = 1;
    if (walk->notes_read >= note_count(walk)) return;
    struct link_note *note = note_at(walk, walk->notes_read);
    note->start = offset;
    note->first_block = block;
}

static void close_span(struct page_walk *walk, size_t offset, ptrdiff_t block) {
    walk->in_link = 0;
    if (walk->notes_read >= note_count(walk)) return;
    struct link_note *note = note_at(walk, walk->notes_read++);
    note->end = offset;
    note->last_block = block;
}

/* Read a block that is one link, as most entries of lists and menus are. */
static void read_lone_link(struct page_walk *walk, struct slice inner) {
    struct buffer *words = &walk->scratch;
    words->length = 0;
    append_words(words, inner);
    struct slice text = {words->data, words->length};
    if (text.length) add_block(walk, text, count_characters(text.data, text.length));
    ptrdiff_t block = text.length ? (ptrdiff_t)block_count(walk) - 1 : -1;
    size_t end = text.length ? walk->text.length : next_start(walk);
    open_span(walk, end - text.length, block);
    close_span(walk, end, block);
}

/* The line without the marks of links. */
static struct slice without_marks(struct buffer *plain, struct slice line) {
    plain->length = 0;
    for (size_t at = 0; at < line.length;) {
        const uint8_t *mark = memchr(line.data + at, MARK, line.length - at);
        size_t end = mark ? (size_t)(mark - line.data) : line.length;
        append(plain, line.data + at, end - at);
        at = mark ? end + 2 : end;
    }
    struct slice whole = {plain->data, plain->length};
    return whole;
}

/* Read a block with the marks of links in it. A mark in the white space at the edges would lie
   outside the block and is moved to its edge. */
static void read_marked(struct page_walk *walk, struct slice line) {
    struct slice whole = without_marks(&walk->plain, line);
    struct slice text = whole.length ? stripped(whole) : whole;
    ptrdiff_t lead = whole.length ? text.data - whole.data : 0, passed = 0;
    size_t first = next_start(walk), opened = 0, linked = 0;
    ptrdiff_t block = text.length ? (ptrdiff_t)block_count(walk) : -1;
    const uint8_t *mark = line.length ? memchr(line.data, MARK, line.length) : NULL;
    while (mark != NULL && mark + 1 < line.data + line.length) {
        ptrdiff_t at = mark - line.data - passed - lead;
        size_t inside = at < 0 ? 0 : (size_t)at > text.length ? text.length : (size_t)at;
        if (mark[1] == OPEN) {
            open_span(walk, first + inside, block);
            opened = inside;
        } else {
            close_span(walk, first + inside, block);
            if (inside > opened) linked += count_characters(text.data + opened, inside - opened);
        }
        passed += 2;
        mark += 2;
        mark = memchr(mark, MARK, (size_t)(line.data + line.length - mark));
    }
    if (!text.length) return;
    if (walk->in_link) linked += count_characters(text.data + opened, text.length - opened);
    add_block(walk, text, linked);
}

static int is_lone_link(struct slice chunk) {
    if (chunk.length < 4 || memcmp(chunk.data, M_OPEN, 2) != 0) return 0;
    if (memcmp(chunk.data + chunk.length - 2, M_CLOSE, 2) != 0) return 0;
    return memchr(chunk.data + 2, MARK, chunk.length - 4) == NULL;
}

static void read_lines(struct page_walk *walk) {
    size_t at = 0;
    for (;;) {
        struct slice line = {walk->scratch.data + at, walk->scratch.length - at};
        const uint8_t *border = line.length ? memchr(line.data, BORDER, line.length) : NULL;
        if (border) line.length = (size_t)(border - line.data);
        read_marked(walk, line);
        if (border == NULL) return;
        at += line.length + 1;
    }
}

static void read_chunk(struct page_walk *walk, struct slice chunk) {
    const struct elements *known = walk->elements;
    if (chunk.data[0] >= FIRST_PART && chunk.data[0] <= FIRST_PART + known->scopes / 2) {
        size_t number = (size_t)(chunk.data[0] - FIRST_PART);
        walk->is_sure = number == known->scopes / 2;    /* the mark after those of the parts */
        walk->part = walk->is_sure ? 0 : (uint8_t)number;
        chunk.data++;
        chunk.length--;
    }
    if (!chunk.length) return;
    if (memchr(chunk.data, MARK, chunk.length) == NULL) {
        walk->scratch.length = 0;
        append_words(&walk->scratch, chunk);
        struct slice text = {walk->scratch.data, walk->scratch.length};
        size_t linked = walk->in_link ? count_characters(text.data, text.length) : 0;
        if (text.length) add_block(walk, text, linked);
        return;
    }
    chunk = stripped(chunk);
    if (is_lone_link(chunk)) {
        struct slice inner = {chunk.data + 2, chunk.length - 4};
        read_lone_link(walk, inner);
        return;
    }
    straighten(walk, chunk);
    read_lines(walk);
}

void read_tape(struct page_walk *walk) {
    const uint8_t *at = walk->tape.data, *end = at + walk->tape.length;
    while (at < end) {
        const uint8_t *border = memchr(at, BORDER, (size_t)(end - at));
        struct slice chunk = {at, (size_t)((border ? border : end) - at)};
        if (chunk.length) read_chunk(walk, chunk);
        if (border == NULL) break;
        at = border + 1;
    }
    walk->failed |= walk->text.failed || walk->blocks.failed || walk->scratch.failed ||
                    walk->plain.failed;
}

static int is_dense(const struct text_block *block, const struct menus *menus) {
    size_t length = block->end - block->start;
    return block->linked > 0 && block->part == menus->main && length <= menus->long_block &&
           (double)block->linked >= menus->dense_share * (double)length;
}

static void mark_run(struct page_walk *walk, size_t start, size_t end, const struct menus *menus) {
    if (end - start < menus->shortest_run) return;
    for (; start < end; start++) block_at(walk, start)->part = menus->navigation;
}

void mark_menus(struct page_walk *walk, const struct menus *menus) {
    size_t count = block_count(walk), number = 0, dense = 0, main = 0, start = 0;
    for (size_t i = 0; i < count; i++) {
        const struct text_block *block = block_at(walk, i);
        size_t length = block->end - block->start;
        if (block->part == menus->main) main += length;
        if (!is_dense(block, menus)) continue;
        dense += length;
        number++;
    }
    if (number < menus->shortest_run || (double)dense > menus->index_share * (double)main) return;
    for (size_t i = 0; i < count; i++)
        if (!is_dense(block_at(walk, i), menus)) {
            mark_run(walk, start, i, menus);
            start = i + 1;
        }
    mark_run(walk, start, count, menus);
}
