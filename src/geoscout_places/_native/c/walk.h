#ifndef GEOSCOUT_WALK_H
#define GEOSCOUT_WALK_H

#include "text_buffer.h"

/* The marks of geoscout_places/parse/blocks.py. */
enum { BORDER = 1, MARK = 2, BREAK = 3, SEAM = 4, OPEN = 5, CLOSE = 6, FIRST_PART = 14 };

/* The public functions of lexbor, found by their names. A node, an attribute and a document are
   only handed to them, never looked into. */
struct lexbor {
    void *(*first_child)(void *node);
    void *(*next)(void *node);
    void *(*prev)(void *node);
    void *(*parent)(void *node);
    uintptr_t (*tag_id)(void *node);
    int (*type)(void *node);
    uint8_t *(*text_content)(void *node, size_t *length);
    void *(*destroy_text)(void *document, uint8_t *text);
    void *(*first_attribute)(void *element);
    void *(*next_attribute)(void *attribute);
    const uint8_t *(*attribute_name)(const void *attribute, size_t *length);
    const uint8_t *(*attribute_value)(void *attribute, size_t *length);
    const uint8_t *(*element_name)(void *element, size_t *length);
};

/* What is done with an element. The order is that of `_ACTIONS` in geoscout_places/parse/compiled.py. */
enum action {
    INLINE, TEXT, UNSEEN, BLOCK, CONTAINER, PREFORMATTED, LINE_BREAK, APART, LINK, AREA, FRAME,
    IMAGE, TITLE, META, HEAD_LINK, BASE,
};

/* Kinds of structured data: bits that geoscout_places/parse/structured/ knows. */
enum {
    HAS_JSON = 1, HAS_MICRODATA = 2, HAS_RDFA = 4, HAS_CARD = 8, HAS_PICTURE = 16, HAS_MAP = 32,
};

/* Runs of links that are menus, as geoscout_places/parse/blocks.py finds them. */
struct menus {
    double dense_share, index_share;
    size_t long_block, shortest_run;
    uint8_t main, navigation;    /* numbers of parts */
};

/* Questions that Python answers; the answers are remembered by who is asked. */
enum question { WHICH_TRAIT, IS_STYLED_AWAY, HAS_TARGET };

/* An answer, or -1 when there is none because of an error. */
typedef int (*ask_function)(void *who, int question, size_t tag, const struct slice about[3]);

/* What the walk has to know, in tables by the number of an element. A scope is twice the number of
   its part, plus one where that is sure; a trait is one more than such a scope, or 0. */
struct elements {
    size_t count;                /* of known elements; higher numbers are inline */
    const uint8_t *actions;      /* an `action` each */
    const uint8_t *traits;       /* of an element without role, id and class */
    struct slice *names;
    const uint8_t *inside;       /* the scope in a scope: [outer * scopes + trait - 1] */
    size_t scopes;
    const uint8_t *part_marks;   /* of each scope */
    uint8_t is_apart[1024];      /* whether style sheets set the element apart */
    uintptr_t dialog;
    size_t most_links, deepest_path, longest_name;
};

/* What was copied from a tree, which may be gone: a piece of `kept`. */
struct kept {
    size_t start, length;
};

struct link_note {
    struct kept reference, title, rel;
    size_t path, path_length;                 /* in `paths` */
    size_t unseen, unseen_length;             /* in `unseen` */
    size_t alternative, alternative_length;   /* in `alternatives` */
    size_t start, end;                        /* in `text` */
    ptrdiff_t first_block, last_block;        /* where it begins and ends; -1 in no block */
    uint8_t scope, is_refresh;
};

struct text_block {
    size_t start, end;              /* in characters */
    size_t start_byte, end_byte;
    ptrdiff_t linked;               /* characters in links; -1 in what the page calls main */
    uint8_t part;
};

struct head_pair {
    struct kept first, second;
};

/* An element that the walk is in. */
struct frame {
    void *node;
    uint8_t leave, hides, shown, saved_scope, saved_mode;
};

/* One page: what is read of it, and where the walk stands. */
struct page_walk {
    const struct lexbor *lexbor;
    const struct elements *elements;
    ask_function ask;
    void *who;
    void *document;
    int failed;    /* an answer or the memory was missing */

    struct buffer tape, text, kept, paths, unseen, alternatives, title, scratch, plain;
    struct buffer notes, blocks, metas, canonicals;   /* of the structs above */
    struct buffer marked;    /* addresses of the elements with attributes of microdata and RDFa */
    struct kept base;
    uint8_t items;    /* kinds that there may be */

    struct buffer frames, names, name_starts;
    ptrdiff_t note;      /* the open link; -1 for none */
    uint8_t scope, mode, joins;

    size_t notes_read, end;    /* of the tape: links closed so far; characters so far */
    uint8_t part, is_sure, in_link;
};

/* Read a tree; those of the pieces of a page are read one after the other. */
void walk_tree(struct page_walk *walk, void *root);
void read_tape(struct page_walk *walk);
void mark_menus(struct page_walk *walk, const struct menus *menus);
void append_before(struct page_walk *walk, const struct link_note *note, struct buffer *words);
void append_after(struct page_walk *walk, const struct link_note *note, struct buffer *words);
/* Where a reference leads from; ELSEWHERE when Python has to tell. */
enum place { ELSEWHERE, ABSOLUTE, AT_ROOT, IN_DIRECTORY };
enum place place_of_reference(struct slice reference);
void free_walk(struct page_walk *walk);

static inline size_t note_count(const struct page_walk *walk) {
    return walk->notes.length / sizeof(struct link_note);
}

static inline struct link_note *note_at(struct page_walk *walk, size_t index) {
    return (struct link_note *)walk->notes.data + index;
}

static inline size_t block_count(const struct page_walk *walk) {
    return walk->blocks.length / sizeof(struct text_block);
}

static inline struct text_block *block_at(struct page_walk *walk, size_t index) {
    return (struct text_block *)walk->blocks.data + index;
}

#endif
