"""What the functions of the language give, as phrases with blanks.

Of each two, the second is for a call in which a function says what is taken of each member (of `round`: how many
decimals). `{of}` and so on are the arguments in words, `{members}` names what a member is called, `{holds}` is what
must hold of it, `{each}` what is taken of it. Where a phrase is empty, the call reads best as it is written.
"""

from collections.abc import Mapping

NOUNS: Mapping[str, tuple[str, ...]] = {
    "abs": ("the distance of {x} from 0",) * 2,
    "all": ("whether all of {of} hold", "whether for every {member} {holds}"),
    "any": ("whether one of {of} holds", "whether there is {a_member} for which {holds}"),
    "count": ("the number of {of}", "the number of {members} for which {holds}"),
    "credit": ("the credit for {x}, full at {full} and none at {zero}",) * 2,
    "distinct": ("the different values of {of}",) * 2,
    "filter": ("", "those {members} for which {holds}"),
    "first": ("the first of {of}",) * 2,
    "first_of_each": ("", "{of}, but of those with the same {each} only the first"),
    "flatten": ("the members of the members of {of}",) * 2,
    "key_of_least": ("", "the key in {of} with the least {each}"),
    "keys": ("the keys of {of}",) * 2,
    "last": ("the last of {of}",) * 2,
    "last_of_each": ("", "{of}, but of those with the same {each} only the last"),
    "lookup": ("", "the only one of {of} whose {each} is {key}"),
    "malformed": ("the number of malformed {of}",) * 2,
    "map": ("", "{each} for each {member}"),
    "max": ("the greatest of {of}",) * 2,
    "mean": ("the mean of {of}", "the mean over {of} of {each}"),
    "median": ("the median of {of}",) * 2,
    "min": ("the least of {of}",) * 2,
    "only": ("the only one of {of}", "the only {member} for which {holds}"),
    "percentile": ("the {q}th percentile of {of}",) * 2,
    "repeat": ("{of}, {times} times over",) * 2,
    "round": ("{x}, rounded to a whole number", "{x}, rounded to {digits} decimals"),
    "ceil": ("{x}, rounded up",) * 2,
    "floor": ("{x}, rounded down",) * 2,
    "share": ("the share of {of} that hold", "the share of {members} for which {holds}"),
    "skip": ("all but the first {n} of {of}",) * 2,
    "sort": ("{of} in order", "{of} in order of {each}"),
    "sqrt": ("the square root of {x}",) * 2,
    "string": ("{of} as text",) * 2,
    "sum": ("the sum of {of}",) * 2,
    "take": ("the first {n} of {of}",) * 2,
    "values": ("the values of {of}",) * 2,
}
CLAUSES: Mapping[str, tuple[str, ...]] = {
    "all": ("all of {of} hold", "for every {member} {holds}"),
    "any": ("one of {of} holds", "there is {a_member} for which {holds}"),
}
