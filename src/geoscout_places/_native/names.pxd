"""What other kernels use of `names`."""


cdef class Facts:
    cdef public object sort, features, noun
    cdef public double score
    cdef public bint is_code, is_demonym
    cdef public object source  # the maker and the number of its options; None for others
    cdef object meanings


cdef class Span:
    cdef public Py_ssize_t start, end
    cdef public object name, facts, before, after, line, case, areas, ids
    cdef public long flags
    cdef public double score, floor
