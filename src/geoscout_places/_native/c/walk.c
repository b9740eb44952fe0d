#include "walk.h"

enum leave { LEAVE_NOTHING, LEAVE_BORDER, LEAVE_SCOPE, LEAVE_LINK };
enum mode { SHOWN, LINES, HIDDEN };    /* how text is taken */
enum { ELEMENT_NODE = 1 };             /* of lxb_dom_node_type_t, as in the DOM standard */

/* The attributes that mean something; without a value, they are empty. */
struct attributes {
    struct slice href, src, alt, title, rel, role, id, class_names, style, name, property,
        http_equiv, itemprop, content, type;
    uint8_t is_hidden, is_open, items, is_marked;
};

static int same(const uint8_t *data, size_t length, const char *word) {
    return strlen(word) == length && memcmp(data, word, length) == 0;
}

/* Whether a text has a word in it, in capitals or not. The word is in small letters. */
static int holds(struct slice text, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++) {
        size_t k = 0;
        while (k < length) {
            uint8_t byte = text.data[i + k];
            if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
            if (byte != (uint8_t)word[k]) break;
            k++;
        }
        if (k == length) return 1;
    }
    return 0;
}

/* Where the value of an attribute goes; NULL for one that means nothing. */
static struct slice *place_of(struct attributes *to, const uint8_t *name, size_t length) {
    switch (length) {
    case 2: return same(name, length, "id") ? &to->id : NULL;
    case 3: return same(name, length, "src") ? &to->src : same(name, length, "alt") ? &to->alt
                 : same(name, length, "rel") ? &to->rel : NULL;
    case 4: return same(name, length, "href") ? &to->href : same(name, length, "role") ? &to->role
                 : same(name, length, "name") ? &to->name : same(name, length, "type") ? &to->type
                 : NULL;
    case 5: return same(name, length, "class") ? &to->class_names
                 : same(name, length, "style") ? &to->style
                 : same(name, length, "title") ? &to->title : NULL;
    case 7: return same(name, length, "content") ? &to->content : NULL;
    case 8: return same(name, length, "property") ? &to->property
                 : same(name, length, "itemprop") ? &to->itemprop : NULL;
    case 10: return same(name, length, "http-equiv") ? &to->http_equiv : NULL;
    default: return NULL;
    }
}

static void read_attributes(const struct lexbor *lexbor, void *node, struct attributes *to) {
    memset(to, 0, sizeof *to);
    for (void *one = lexbor->first_attribute(node); one; one = lexbor->next_attribute(one)) {
        size_t length = 0;
        const uint8_t *name = lexbor->attribute_name(one, &length);
        if (name == NULL) continue;
        to->is_hidden |= same(name, length, "hidden");
        to->is_open |= same(name, length, "open");
        if (same(name, length, "itemscope")) to->items |= HAS_MICRODATA;
        if (same(name, length, "typeof")) to->items |= HAS_RDFA;
        struct slice *place = place_of(to, name, length);
        if (place == NULL) continue;
        to->is_marked |= place == &to->itemprop || place == &to->property;
        place->length = 0;
        place->data = lexbor->attribute_value(one, &place->length);
        if (place->data == NULL) place->length = 0;
    }
}

static int is_card_name(struct slice name) {
    switch (name.length) {
    case 3: return holds(name, "adr") || holds(name, "geo");
    case 5: return holds(name, "vcard") || holds(name, "h-adr") || holds(name, "h-geo");
    case 6: return holds(name, "h-card");
    default: return 0;
    }
}

/* Whether one of the names of classes is that of a card, in capitals or not. */
static int is_card(struct slice class_names) {
    const uint8_t *at = class_names.data, *end = class_names.data + class_names.length;
    for (; at < end; at++) {
        const uint8_t *start = at;
        while (at < end && *at > ' ') at++;
        struct slice one = {start, (size_t)(at - start)};
        if (is_card_name(one)) return 1;
    }
    return 0;
}

static int starts(const uint8_t *at, const uint8_t *end, const char *word) {
    for (; *word; word++, at++)
        if (at == end || (*at >= 'A' && *at <= 'Z' ? *at | 0x20 : *at) != (uint8_t)*word) return 0;
    return 1;
}

/* Whether a reference may lead to a map: it has one of the hints of structured/maps.py. */
static int hints_at_map(struct slice reference) {
    const uint8_t *end = reference.data + reference.length;
    for (const uint8_t *at = reference.data; at < end; at++) {
        switch (*at | 0x20) {
        case 'g': if (starts(at, end, "geo:")) return 1; break;
        case 'm': if (starts(at, end, "maps")) return 1; break;
        case 'o':
            if (starts(at, end, "openstreetmap") || starts(at, end, "osm.org")) return 1;
            break;
        case 'w': if (starts(at, end, "waze.com")) return 1; break;
        case 'h': if (starts(at, end, "here.com")) return 1; break;
        default: break;
        }
    }
    return 0;
}

/* Which kinds of structured data may begin here; the dialects look again, and exactly. */
static void note_items(struct page_walk *walk, void *node, const struct attributes *of) {
    walk->items |= of->items;
    if (of->is_marked || of->items) append(&walk->marked, &node, sizeof node);
    if (of->type.length && holds(of->type, "ld+json")) walk->items |= HAS_JSON;
    if (of->class_names.length && !(walk->items & HAS_CARD) && is_card(of->class_names))
        walk->items |= HAS_CARD;
    if (of->src.length && holds(of->src, "staticmap")) walk->items |= HAS_PICTURE;
}

/* The same for all that is inside an element that a reader does not see. */
static void note_items_inside(struct page_walk *walk, void *top) {
    const struct lexbor *lexbor = walk->lexbor;
    void *node = top;
    struct attributes of;
    for (;;) {
        if (lexbor->type(node) == ELEMENT_NODE) {
            read_attributes(lexbor, node, &of);
            note_items(walk, node, &of);
        }
        void *child = lexbor->first_child(node), *next = NULL;
        if (child) {
            node = child;
            continue;
        }
        while (node != top && (next = lexbor->next(node)) == NULL) node = lexbor->parent(node);
        if (node == top) return;
        node = next;
    }
}

static int ask(struct page_walk *walk, int question, size_t tag, struct slice a, struct slice b,
               struct slice c) {
    struct slice about[3] = {a, b, c};
    int answer = walk->ask(walk->who, question, tag, about);
    if (answer >= 0) return answer;
    walk->failed = 1;
    return 0;
}

/* Marks on the tape. `joins` tells whether an element may have to be set apart from what is before
   it: not at a border, nor after white space. */
static void mark_border(struct page_walk *walk) {
    append_byte(&walk->tape, BORDER);
    walk->joins = 0;
}

static void mark(struct page_walk *walk, uint8_t which) {
    uint8_t both[2] = {MARK, which};
    append(&walk->tape, both, 2);
    walk->joins = 1;
}

static void mark_part(struct page_walk *walk) {
    uint8_t both[2] = {BORDER, walk->elements->part_marks[walk->scope]};
    append(&walk->tape, both, 2);
    walk->joins = 1;
}

/* How many bytes of a text go that no reader sees, and must not be taken for marks. */
static size_t invisible_at(const uint8_t *at, const uint8_t *end) {
    uint8_t byte = *at;
    if (byte == 0x7F || byte < 3 || (byte >= FIRST_PART && byte <= 20)) return 1;
    if (byte == 0xC2) return end - at > 1 && at[1] == 0xAD ? 2 : 0;
    if (end - at < 3) return 0;
    if (byte == 0xEF) return at[1] == 0xBB && at[2] == 0xBF ? 3 : 0;
    if (byte != 0xE2) return 0;
    return (at[1] == 0x80 && at[2] == 0x8B) || (at[1] == 0x81 && at[2] == 0xA0) ? 3 : 0;
}

static int may_be_special(uint8_t byte) {
    return byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xEF;
}

static void append_visible(struct page_walk *walk, struct slice text) {
    const uint8_t *at = text.data, *end = text.data + text.length, *kept = at;
    while (at < end) {
        if (!may_be_special(*at)) {
            at++;
            continue;
        }
        int is_line = walk->mode == LINES && *at == '\n';
        size_t size = is_line ? 1 : invisible_at(at, end);
        if (!size) {
            at++;
            continue;
        }
        append(&walk->tape, kept, (size_t)(at - kept));
        if (is_line) mark(walk, BREAK);
        at += size;
        kept = at;
    }
    append(&walk->tape, kept, (size_t)(end - kept));
}

static void take_text(struct page_walk *walk, struct slice text) {
    if (walk->mode == HIDDEN) {
        if (walk->note < 0) return;
        append(&walk->unseen, text.data, text.length);
        note_at(walk, (size_t)walk->note)->unseen_length += text.length;
        return;
    }
    append_visible(walk, text);
    walk->joins = 0;
    if (text.length) {
        const uint8_t *end = text.data + text.length;
        const uint8_t *last = character_before(text.data, end);
        walk->joins = !space_at(last, end) || (walk->mode == LINES && *last == '\n');
    }
}

static void read_text(struct page_walk *walk, void *node) {
    struct slice text = {NULL, 0};
    uint8_t *data = walk->lexbor->text_content(node, &text.length);
    if (data == NULL) text.length = 0;
    text.data = data;
    take_text(walk, text);
    if (data) walk->lexbor->destroy_text(walk->document, data);
}

/* The path: names of elements, each with "/" after it. */
static void enter_path(struct page_walk *walk, void *node, size_t tag) {
    const struct elements *known = walk->elements;
    size_t start = walk->names.length;
    struct slice name = {NULL, 0};
    if (tag < known->count) name = known->names[tag];
    if (!name.length) {
        name.data = walk->lexbor->element_name(node, &name.length);
        if (name.data == NULL) name.length = 0;
    }
    if (name.length > known->longest_name) {
        size_t characters = 0, i = 0;
        for (; i < name.length; i++)
            if ((name.data[i] & 0xC0) != 0x80 && ++characters > known->longest_name) break;
        name.length = i;
    }
    append(&walk->name_starts, &start, sizeof start);
    append(&walk->names, name.data, name.length);
    append_byte(&walk->names, '/');
}

static void leave_path(struct page_walk *walk) {
    if (walk->name_starts.length < sizeof(size_t)) return;
    walk->name_starts.length -= sizeof(size_t);
    memcpy(&walk->names.length, walk->name_starts.data + walk->name_starts.length, sizeof(size_t));
}

/* The path of a new link; that of the link before it where it is the same. */
static void keep_path(struct page_walk *walk, struct link_note *note) {
    size_t depth = walk->name_starts.length / sizeof(size_t), start = 0;
    if (depth > walk->elements->deepest_path) {
        size_t above = depth - walk->elements->deepest_path;
        memcpy(&start, walk->name_starts.data + above * sizeof(size_t), sizeof(size_t));
    }
    const uint8_t *path = walk->names.data + start;
    note->path_length = walk->names.length > start ? walk->names.length - start - 1 : 0;
    if (note_count(walk)) {
        const struct link_note *last = note_at(walk, note_count(walk) - 1);
        note->path = last->path;
        if (last->path_length == note->path_length &&
            memcmp(walk->paths.data + last->path, path, note->path_length) == 0)
            return;
    }
    note->path = walk->paths.length;
    append(&walk->paths, path, note->path_length);
}

static struct kept keep(struct page_walk *walk, struct slice text) {
    struct kept kept = {walk->kept.length, text.length};
    append(&walk->kept, text.data, text.length);
    return kept;
}

/* Where a link leads, and what its element says of it. */
struct link_source {
    struct slice reference, title, rel;
    uint8_t is_refresh;
};

static void close_link(struct page_walk *walk) {
    if (walk->note < 0) return;
    walk->note = -1;
    mark(walk, CLOSE);
}

static void open_link(struct page_walk *walk, const struct link_source *source) {
    close_link(walk);
    if (note_count(walk) >= walk->elements->most_links) return;
    if (!(walk->items & HAS_MAP) && hints_at_map(source->reference)) walk->items |= HAS_MAP;
    struct link_note note = {
        .reference = keep(walk, source->reference),
        .title = keep(walk, source->title),
        .rel = keep(walk, source->rel),
        .unseen = walk->unseen.length,
        .alternative = walk->alternatives.length,
        .first_block = -1,
        .last_block = -1,
        .scope = walk->scope,
        .is_refresh = source->is_refresh,
    };
    keep_path(walk, &note);
    append(&walk->notes, &note, sizeof note);
    if (walk->notes.failed || walk->paths.failed) return;
    walk->note = (ptrdiff_t)note_count(walk) - 1;
    mark(walk, OPEN);
}

static void add_alternative(struct page_walk *walk, struct slice text) {
    if (walk->note < 0 || !text.length) return;
    append_byte(&walk->alternatives, ' ');
    append(&walk->alternatives, text.data, text.length);
    note_at(walk, (size_t)walk->note)->alternative_length += text.length + 1;
}

/* A link that is one element without a text of its own. */
static void add_link(struct page_walk *walk, void *node, size_t tag,
                     const struct link_source *source, struct slice alternative) {
    enter_path(walk, node, tag);
    open_link(walk, source);
    add_alternative(walk, alternative);
    close_link(walk);
    leave_path(walk);
}

static void read_reference(struct page_walk *walk, void *node, size_t tag, struct slice reference,
                           const struct attributes *of) {
    struct link_source source = {.reference = reference, .title = of->title, .rel = of->rel};
    if (reference.length) add_link(walk, node, tag, &source, of->alt);
}

static void read_title(struct page_walk *walk, void *node) {
    struct slice text = {NULL, 0};
    if (walk->title.length) return;
    uint8_t *data = walk->lexbor->text_content(node, &text.length);
    if (data == NULL) return;
    text.data = data;
    append_words(&walk->title, text);
    walk->lexbor->destroy_text(walk->document, data);
}

static void read_meta(struct page_walk *walk, void *node, size_t tag, const struct attributes *of) {
    const struct slice none = {NULL, 0};
    struct slice name = of->name.length         ? of->name
                        : of->property.length   ? of->property
                        : of->http_equiv.length ? of->http_equiv
                                                : of->itemprop;
    if (name.length) {
        struct head_pair pair = {keep(walk, name), keep(walk, of->content)};
        append(&walk->metas, &pair, sizeof pair);
    }
    if (of->http_equiv.length != strlen("refresh") || !holds(of->http_equiv, "refresh")) return;
    if (!ask(walk, HAS_TARGET, tag, of->content, none, none)) return;
    struct link_source source = {.reference = of->content, .is_refresh = 1};
    add_link(walk, node, tag, &source, none);
}

static void read_head_link(struct page_walk *walk, const struct attributes *of) {
    if (!of->href.length || !holds(of->rel, "canonical")) return;
    struct head_pair pair = {keep(walk, of->href), keep(walk, of->rel)};
    append(&walk->canonicals, &pair, sizeof pair);
}

/* "<span>Main St 1</span><span>Springfield</span>" is two things. */
static void set_apart(struct page_walk *walk, void *node) {
    if (!walk->joins) return;
    void *before = walk->lexbor->prev(node);
    if (before == NULL) return;
    uintptr_t tag = walk->lexbor->tag_id(before);
    if (tag < sizeof walk->elements->is_apart && walk->elements->is_apart[tag]) mark(walk, SEAM);
}

static void enter_scope(struct page_walk *walk, struct frame *frame, uint8_t scope) {
    frame->leave = LEAVE_SCOPE;
    frame->saved_scope = walk->scope;
    frame->saved_mode = walk->mode;
    walk->scope = scope;
    mark_part(walk);
}

static void enter_border(struct page_walk *walk, struct frame *frame) {
    frame->leave = LEAVE_BORDER;
    mark_border(walk);
}

static void enter_container(struct page_walk *walk, struct frame *frame, size_t tag,
                            const struct attributes *of) {
    const struct elements *known = walk->elements;
    int trait = known->traits[tag];
    if (of->role.length || of->id.length || of->class_names.length)
        trait = ask(walk, WHICH_TRAIT, tag, of->role, of->id, of->class_names);
    if (trait == 0 || (size_t)trait > known->scopes) {
        enter_border(walk, frame);
        return;
    }
    enter_scope(walk, frame, known->inside[walk->scope * known->scopes + (size_t)trait - 1]);
}

static void enter_link(struct page_walk *walk, struct frame *frame, const struct attributes *of) {
    struct link_source source = {.reference = of->href, .title = of->title, .rel = of->rel};
    if (!of->href.length) return;
    open_link(walk, &source);
    frame->leave = LEAVE_LINK;
}

/* Read an element without a text of its own; 0 when it is another one. */
static int read_childless(struct page_walk *walk, void *node, size_t tag, int action,
                          const struct attributes *of) {
    switch (action) {
    case LINE_BREAK: mark(walk, BREAK); return 1;
    case AREA: read_reference(walk, node, tag, of->href, of); return 1;
    case FRAME: read_reference(walk, node, tag, of->src, of); return 1;
    case IMAGE: add_alternative(walk, of->alt); return 1;
    case TITLE: read_title(walk, node); return 1;
    case META: read_meta(walk, node, tag, of); return 1;
    case HEAD_LINK: read_head_link(walk, of); return 1;
    case BASE: if (!walk->base.length) walk->base = keep(walk, of->href); return 1;
    default: return 0;
    }
}

static int is_hiding(struct page_walk *walk, size_t tag, const struct attributes *of) {
    const struct slice none = {NULL, 0};
    if (of->is_hidden || (tag == walk->elements->dialog && !of->is_open)) return 1;
    if (!of->style.length || !(holds(of->style, "none") || holds(of->style, "hidden"))) return 0;
    return ask(walk, IS_STYLED_AWAY, 0, of->style, none, none);
}

static void enter(struct page_walk *walk, struct frame *frame, size_t tag, int action,
                  const struct attributes *of) {
    void *node = frame->node;
    if (action == APART || action == LINK) set_apart(walk, node);
    enter_path(walk, node, tag);
    switch (action) {
    case BLOCK: enter_border(walk, frame); break;
    case CONTAINER: enter_container(walk, frame, tag, of); break;
    case PREFORMATTED:
        enter_scope(walk, frame, walk->scope);
        if (walk->mode == SHOWN) walk->mode = LINES;
        break;
    case LINK: enter_link(walk, frame, of); break;
    default: break;
    }
    if (is_hiding(walk, tag, of)) {
        frame->hides = 1;
        frame->shown = walk->mode;
        walk->mode = HIDDEN;
    }
}

static void leave(struct page_walk *walk, const struct frame *frame) {
    leave_path(walk);
    if (frame->hides) {
        walk->mode = frame->shown;
        if (frame->leave == LEAVE_NOTHING) walk->joins = 0;    /* no seam after what is hidden */
    }
    switch (frame->leave) {
    case LEAVE_BORDER: mark_border(walk); break;
    case LEAVE_SCOPE:
        walk->scope = frame->saved_scope;
        walk->mode = frame->saved_mode;
        mark_part(walk);
        break;
    case LEAVE_LINK: close_link(walk); break;
    default: break;
    }
}

static int has_failed(const struct page_walk *walk) {
    return walk->failed || walk->tape.failed || walk->kept.failed || walk->frames.failed || walk->names.failed ||
           walk->name_starts.failed || walk->notes.failed || walk->paths.failed ||
           walk->unseen.failed || walk->alternatives.failed || walk->title.failed ||
           walk->metas.failed || walk->canonicals.failed || walk->marked.failed;
}

/* Read a node; gives the one that comes next inside it, or NULL. */
static void *read_node(struct page_walk *walk, void *node) {
    const struct lexbor *lexbor = walk->lexbor;
    uintptr_t tag = lexbor->tag_id(node);
    int action = tag < walk->elements->count ? walk->elements->actions[tag] : INLINE;
    struct attributes of;
    struct frame frame = {.node = node};
    if (action == TEXT) {
        read_text(walk, node);
        return NULL;
    }
    if (action == UNSEEN) {
        note_items_inside(walk, node);
        return NULL;
    }
    if (lexbor->type(node) != ELEMENT_NODE) return NULL;
    read_attributes(lexbor, node, &of);
    note_items(walk, node, &of);
    if (read_childless(walk, node, tag, action, &of)) {
        if (lexbor->first_child(node)) note_items_inside(walk, node);
        return NULL;
    }
    enter(walk, &frame, tag, action, &of);
    append(&walk->frames, &frame, sizeof frame);
    return lexbor->first_child(node);
}

void walk_tree(struct page_walk *walk, void *root) {
    const struct lexbor *lexbor = walk->lexbor;
    void *node = lexbor->first_child(root);
    struct attributes of;
    walk->document = lexbor->parent(root);
    walk->note = -1;
    read_attributes(lexbor, root, &of);
    note_items(walk, root, &of);
    while (node != NULL) {
        size_t depth = walk->frames.length;
        void *next = read_node(walk, node);
        if (has_failed(walk)) {
            walk->failed = 1;
            return;
        }
        if (walk->frames.length > depth && next == NULL) {
            walk->frames.length -= sizeof(struct frame);
            leave(walk, (struct frame *)(walk->frames.data + walk->frames.length));
        }
        if (next == NULL) next = lexbor->next(node);
        while (next == NULL && walk->frames.length) {
            walk->frames.length -= sizeof(struct frame);
            const struct frame *frame = (struct frame *)(walk->frames.data + walk->frames.length);
            next = lexbor->next(frame->node);
            leave(walk, frame);
        }
        node = next;
    }
    walk->failed = has_failed(walk);
}

void free_walk(struct page_walk *walk) {
    struct buffer *all[] = {
        &walk->tape, &walk->text, &walk->kept, &walk->paths, &walk->unseen, &walk->alternatives, &walk->title,
        &walk->scratch, &walk->plain, &walk->notes, &walk->blocks, &walk->metas, &walk->canonicals,
        &walk->frames, &walk->names, &walk->name_starts, &walk->marked,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->data);
}
