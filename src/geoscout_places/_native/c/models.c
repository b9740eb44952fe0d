/* Every sum is taken in the order of geoscout/strategy/hybrid, so that both give the same bits. */
#include "models.h"

#include <math.h>
#include <string.h>

static const int WITHIN[GROUPS] = {-1, 0, -1, 2}; /* the group that each is a part of */
static const double PRIOR_RESPONSES = 3.0, PRIOR_RELEVANT = 1.0, TRUSTED_AFTER = 3.0;
static const double LOWEST_RATE = -10.0, STEEPEST = 30.0;

static uint32_t number_at(const uint8_t *link, size_t position) {
    uint32_t number;
    memcpy(&number, link + 4 * position, sizeof number);
    return number;
}

static uint32_t slot_at(const struct scorer *scorer, const uint8_t *link, size_t term) {
    uint32_t number = number_at(link + HEAD_BYTES, term);
    return (number ^ number >> 14) & scorer->slots_mask;
}

static double clipped(double value, double least, double most) {
    return value < least ? least : value > most ? most : value;
}

static double log_odds(double share) { return log(share / (1.0 - share)); }

static const float *outcomes_of(const struct scorer *scorer, uint32_t group) {
    static const float NONE[2] = {0.0f, 0.0f};
    uint32_t place = group & scorer->groups_mask;
    return scorer->owners[place] == group ? scorer->outcomes + 2 * (size_t)place : NONE;
}

/* What each group adds to what the group around it says, in log odds. */
static void add_evidence(const struct scorer *scorer, const uint8_t *link, double *result) {
    double shares[GROUPS], odds[GROUPS];
    double all = scorer->all[1] / scorer->all[0], found = scorer->all[1] - PRIOR_RELEVANT;
    double trust = found / (found + TRUSTED_AFTER), odds_of_all = log_odds(all);
    for (int group = 0; group < GROUPS; group++) {
        const float *counts = outcomes_of(scorer, number_at(link, group));
        int within = WITHIN[group];
        double expected = within < 0 ? all : shares[within];
        double before = within < 0 ? odds_of_all : odds[within];
        shares[group] = (counts[1] + PRIOR_RESPONSES * expected) / (counts[0] + PRIOR_RESPONSES);
        odds[group] = log_odds(shares[group]);
        result[group] = (odds[group] - before) * trust;
    }
}

void numbers_of(const struct scorer *scorer, const uint8_t *link, const double *given,
                double *result) {
    add_evidence(scorer, link, result);
    for (int number = GROUPS; number < scorer->numbers; number++)
        result[number] = given[number - GROUPS];
    for (int number = 0; number < scorer->numbers; number++)
        if (scorer->is_left_out[number]) result[number] = 0.0;
}

static double root_of(size_t terms) { return sqrt(terms ? (double)terms : 1.0); }

static double sum_of(const struct scorer *scorer, const struct model *model, const uint8_t *link,
                     size_t terms, const double *numbers) {
    double sum = 0.0;
    for (size_t term = 0; term < terms; term++) sum += model->weights[slot_at(scorer, link, term)];
    sum /= root_of(terms);
    for (int number = 0; number < scorer->numbers; number++)
        sum += numbers[number] * model->numbers[number];
    return sum + model->numbers[scorer->numbers];
}

double likelihood_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                     const double *numbers) {
    double sum = sum_of(scorer, &scorer->likely, link, terms, numbers);
    return 1.0 / (1.0 + exp(-clipped(sum, -STEEPEST, STEEPEST)));
}

double expectation_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                      const double *numbers) {
    double sum = sum_of(scorer, &scorer->leads, link, terms, numbers);
    return exp(clipped(sum, LOWEST_RATE, scorer->log_most));
}

int has_domain(const struct scorer *scorer, const uint8_t *link) {
    uint32_t host = number_at(link, 0);
    return scorer->hosts[host & scorer->domains_mask] == host;
}

/* What is left of the worth of the domain of a link's host. */
static double worth_of(const struct scorer *scorer, const uint8_t *link) {
    uint32_t mask = scorer->domains_mask;
    if (scorer->halved_after == 0.0) return 1.0;
    uint32_t domain = has_domain(scorer, link) ? scorer->domains[number_at(link, 0) & mask] : 0;
    if (scorer->domain_owners[domain & mask] != domain) return 1.0;
    const float *counts = scorer->responses + 3 * (size_t)(domain & mask);
    double news = counts[0], nothing = counts[1], repeats = counts[2];
    double bored = nothing / (scorer->halved_after * (1.0 + 2.0 * news));
    double trapped = 1.0 + 2.0 * repeats / (scorer->halved_after * (1.0 + news));
    return 1.0 / ((1.0 + bored) * (trapped * trapped));
}

double score_of(const struct scorer *scorer, const uint8_t *link, size_t terms,
                const double *given) {
    double numbers[MOST_NUMBERS];
    numbers_of(scorer, link, given, numbers);
    double score = likelihood_of(scorer, link, terms, numbers);
    if (scorer->future != 0.0)
        score += scorer->future * log1p(expectation_of(scorer, link, terms, numbers));
    return score * worth_of(scorer, link);
}

/* Two terms may share a slot: both steps begin where it was, as in an assignment of arrays. */
static void move_terms(const struct scorer *scorer, const struct model *model,
                       const uint8_t *link, size_t terms, double slope, float *scratch) {
    float square = (float)(slope * slope), rise = (float)(scorer->step * slope);
    float *used = scratch, *weights = scratch + terms;
    for (size_t term = 0; term < terms; term++) {
        uint32_t slot = slot_at(scorer, link, term);
        used[term] = model->used[slot] + square;
        weights[term] = model->weights[slot] + rise / sqrtf(used[term]);
    }
    for (size_t term = 0; term < terms; term++) {
        uint32_t slot = slot_at(scorer, link, term);
        model->used[slot] = used[term];
        model->weights[slot] = weights[term];
    }
}

void move_model(const struct scorer *scorer, const struct model *model, const uint8_t *link,
                size_t terms, const double *numbers, double error, float *scratch) {
    move_terms(scorer, model, link, terms, error / root_of(terms), scratch);
    for (int number = 0; number <= scorer->numbers; number++) {
        double value = number < scorer->numbers ? numbers[number] : 1.0;
        double slope = value * (error * model->learned[number]);
        model->numbers_used[number] += slope * slope;
        model->numbers[number] += 0.5 * scorer->step * slope / sqrt(model->numbers_used[number]);
    }
}

void count_outcome(const struct scorer *scorer, const uint8_t *link, double success) {
    float counts[GROUPS][2];
    for (int group = 0; group < GROUPS; group++) {
        const float *before = outcomes_of(scorer, number_at(link, group));
        counts[group][0] = (float)(before[0] + 1.0);
        counts[group][1] = (float)(before[1] + success);
    }
    for (int group = 0; group < GROUPS; group++) {
        uint32_t number = number_at(link, group), place = number & scorer->groups_mask;
        scorer->owners[place] = number;
        memcpy(scorer->outcomes + 2 * (size_t)place, counts[group], sizeof counts[group]);
    }
    scorer->all[0] += 1.0;
    scorer->all[1] += success;
}
