#ifndef GEOSCOUT_MODELS_H
#define GEOSCOUT_MODELS_H

#include <stddef.h>
#include <stdint.h>

/* A link has GROUPS histories and further numbers that are given, MOST_NUMBERS in all. */
enum { GROUPS = 4, MOST_NUMBERS = 32, HEAD_BYTES = 4 * (GROUPS + 1) };

/* A linear model: weights of terms by slot, of numbers by position, the bias last. */
struct model {
    float *weights, *used;
    double *numbers, *numbers_used;
    const double *learned; /* 0 for a number whose weight is held */
};

/* Everything that the score of a link depends on; `c` of geoscout/strategy/hybrid. Every table of
   2^n places has the mask 2^n - 1. */
struct scorer {
    struct model likely, leads;
    uint32_t slots_mask;
    /* Outcomes by group: whose they are, responses and relevant ones, and both of all groups. */
    uint32_t *owners, groups_mask;
    float *outcomes;
    double *all;
    /* Hosts with their domains, domains with their responses. */
    const uint32_t *hosts, *domains, *domain_owners;
    const float *responses;
    uint32_t domains_mask;
    int numbers; /* of a link, with the histories */
    uint8_t is_left_out[MOST_NUMBERS];
    double step, future, halved_after;
    double log_most; /* the logarithm of the most that `leads` expects */
};

/* Packed features of a link: the numbers of its groups, its strongest cue, then
   `terms` numbers of terms, all of them 32 bits in the order of the machine. */
double score_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                const double *given);

/* What is known of a link by now: its histories and what is given. */
void numbers_of(const struct scorer *scorer, const uint8_t *link, const double *given,
                double *result);

/* Whether the domain of a link's host is known. */
int has_domain(const struct scorer *scorer, const uint8_t *link);

/* Take a step by an error; `scratch` has room for 2 * `terms`. */
void move_model(const struct scorer *scorer, const struct model *model, const uint8_t *link,
                size_t terms, const double *numbers, double error, float *scratch);

/* What the models expect of a link: a probability, and a count. */
double likelihood_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                     const double *numbers);
double expectation_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                      const double *numbers);

/* Count an outcome for each group of a link. */
void count_outcome(const struct scorer *scorer, const uint8_t *link, double success);

#endif
