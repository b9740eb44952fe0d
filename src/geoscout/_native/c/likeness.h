#ifndef GEOSCOUT_LIKENESS_H
#define GEOSCOUT_LIKENESS_H

#include <stddef.h>
#include <stdint.h>

/* The simhash of a text of at least eight bytes into *result; -1 when memory is lacking. */
int simhash(const uint8_t *data, size_t length, uint64_t *result);

#endif
