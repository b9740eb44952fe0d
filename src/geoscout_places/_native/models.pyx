"""The scores and the learning of geoscout.strategy.hybrid, over the arrays of its parts."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc

cdef extern from "models.h" nogil:
    enum:
        GROUPS
        MOST_NUMBERS
        HEAD_BYTES

    struct c_model "model":
        float *weights
        float *used
        double *numbers
        double *numbers_used
        const double *learned

    struct c_scorer "scorer":
        c_model likely
        c_model leads
        uint32_t slots_mask
        uint32_t *owners
        uint32_t groups_mask
        float *outcomes
        double *all
        const uint32_t *hosts
        const uint32_t *domains
        const uint32_t *domain_owners
        const float *responses
        uint32_t domains_mask
        int numbers
        uint8_t is_left_out[32]
        double step
        double future
        double halved_after
        double log_most

    double score_of(const c_scorer *, const uint8_t *, size_t, const double *)
    void numbers_of(const c_scorer *, const uint8_t *, const double *, double *)
    int has_domain(const c_scorer *, const uint8_t *)
    void move_model(
        const c_scorer *, const c_model *, const uint8_t *, size_t, const double *, double, float *
    )
    double likelihood_of(const c_scorer *, const uint8_t *, size_t, const double *)
    double expectation_of(const c_scorer *, const uint8_t *, size_t, const double *)
    void count_outcome(const c_scorer *, const uint8_t *, double)

cdef class Scorer:
    """Scores links and learns from them; links are packed features.

    It keeps pointers into the arrays that it was made of, and the arrays themselves alive.
    """

    cdef c_scorer _scorer
    cdef object _arrays

    def __init__(self, likely, leads, histories, domains, int numbers, left_out, rules):
        """Tables of the parts, and how many numbers a link has."""
        if not GROUPS <= numbers <= MOST_NUMBERS:
            raise ValueError("there are too many signals")
        self._arrays = [likely, leads, histories, domains]
        self._scorer.numbers = numbers
        self._scorer.slots_mask = _mask_of(len(likely[0]))
        self._fill(&self._scorer.likely, likely)
        self._fill(&self._scorer.leads, leads)
        self._fill_histories(*histories)
        self._fill_domains(*domains)
        for n in left_out:
            if not 0 <= n < self._scorer.numbers:
                raise ValueError("there is no such number")
            self._scorer.is_left_out[n] = 1
        (
            self._scorer.step,
            self._scorer.future,
            self._scorer.halved_after,
            self._scorer.log_most,
        ) = rules

    cdef int _fill(self, c_model *model, tables) except -1:
        cdef float[::1] weights = tables[0], used = tables[1]
        cdef double[::1] numbers = tables[2], numbers_used = tables[3], learned = tables[4]
        cdef int count = self._scorer.numbers + 1
        if not weights.shape[0] == used.shape[0] == self._scorer.slots_mask + 1:
            raise ValueError("tables of different sizes")
        if not numbers.shape[0] == numbers_used.shape[0] == learned.shape[0] == count:
            raise ValueError("a model has a weight for each number, and a bias")
        model.weights, model.used = &weights[0], &used[0]
        model.numbers, model.numbers_used = &numbers[0], &numbers_used[0]
        model.learned = &learned[0]
        return 0

    def _fill_histories(self, uint32_t[::1] owners, float[:, ::1] outcomes, double[::1] all):
        self._scorer.groups_mask = _mask_of(owners.shape[0])
        if outcomes.shape[0] != owners.shape[0] or outcomes.shape[1] != 2 or all.shape[0] != 2:
            raise ValueError("tables of different sizes")
        self._scorer.owners = &owners[0]
        self._scorer.outcomes = &outcomes[0, 0]
        self._scorer.all = &all[0]

    def _fill_domains(
        self, uint32_t[::1] hosts, uint32_t[::1] domains, uint32_t[::1] owners,
        float[:, ::1] responses
    ):
        cdef Py_ssize_t size = hosts.shape[0]
        self._scorer.domains_mask = _mask_of(size)
        if not size == domains.shape[0] == owners.shape[0] == responses.shape[0]:
            raise ValueError("tables of different sizes")
        if responses.shape[1] != 3:
            raise ValueError("a domain has three counts")
        self._scorer.hosts = &hosts[0]
        self._scorer.domains = &domains[0]
        self._scorer.domain_owners = &owners[0]
        self._scorer.responses = &responses[0, 0]

    def score(self, list links not None, const double[:, ::1] given not None, double[::1] scores not None):
        """Write the score of each link into `scores`; it has a row of further numbers."""
        cdef Py_ssize_t n, count = len(links)
        cdef bytes link
        if not count == scores.shape[0]:
            raise ValueError("a score for each link")
        for n in range(count):
            link = links[n]
            scores[n] = score_of(&self._scorer, _start(link), _terms(link), self._row(given, n))

    cdef const double *_row(self, const double[:, ::1] given, Py_ssize_t n) except NULL:
        if n >= given.shape[0] or given.shape[1] != self._scorer.numbers - GROUPS:
            raise ValueError("a value for each number of a link")
        return &given[n, 0]

    def unknown_hosts(self, list links not None):
        """The positions of the links whose hosts have no known domain."""
        cdef Py_ssize_t n
        found = []
        for n in range(len(links)):
            link = links[n]
            _terms(link)
            if not has_domain(&self._scorer, _start(link)):
                found.append(n)
        return found

    def numbers(self, bytes link not None, const double[:, ::1] given not None, double[::1] numbers not None):
        """Write what is known of a link by now into `numbers`."""
        _terms(link)
        self._check_numbers(numbers)
        numbers_of(&self._scorer, _start(link), self._row(given, 0), &numbers[0])

    def learn(self, bytes link not None, const double[::1] numbers not None, double success):
        """Teach the first model what became of a link, and count it for its groups."""
        cdef size_t terms = _terms(link)
        self._check_numbers(numbers)
        likely = likelihood_of(&self._scorer, _start(link), terms, &numbers[0])
        self._move(&self._scorer.likely, link, &numbers[0], success - likely)
        count_outcome(&self._scorer, _start(link), success)

    def begin(self, bytes link not None, const double[::1] numbers not None):
        """Show the second model a link of which nothing has come yet."""
        cdef size_t terms = _terms(link)
        self._check_numbers(numbers)
        expected = expectation_of(&self._scorer, _start(link), terms, &numbers[0])
        self._move(&self._scorer.leads, link, &numbers[0], -expected)

    def credit(self, bytes link not None, const double[::1] numbers not None, double count):
        """Tell the second model that something came of a link that it was shown."""
        _terms(link)
        self._check_numbers(numbers)
        self._move(&self._scorer.leads, link, &numbers[0], count)

    cdef _move(self, const c_model *model, bytes link, const double *numbers, double error):
        cdef size_t terms = _terms(link)
        cdef float *scratch = <float *>malloc((2 * terms + 1) * sizeof(float))
        if scratch == NULL:
            raise MemoryError
        move_model(&self._scorer, model, _start(link), terms, numbers, error, scratch)
        free(scratch)

    cdef int _check_numbers(self, const double[::1] numbers) except -1:
        if numbers.shape[0] != self._scorer.numbers:
            raise ValueError("a value for each number of a link")
        return 0


cdef const uint8_t *_start(bytes link):
    return <const uint8_t *>PyBytes_AS_STRING(link)


cdef size_t _terms(bytes link) except? 0:
    """How many terms a link has; refuses bytes that are too few."""
    if link is None or PyBytes_GET_SIZE(link) < HEAD_BYTES:
        raise ValueError("these are not the features of a link")
    return (PyBytes_GET_SIZE(link) - HEAD_BYTES) // 4


cdef uint32_t _mask_of(Py_ssize_t size) except? 0:
    if size <= 0 or size & (size - 1) or size > 1 << 31:
        raise ValueError("a table has a power of two of places")
    return <uint32_t>(size - 1)
