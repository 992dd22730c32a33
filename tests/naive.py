"""BLEU as Papineni et al. 2002 define it, as obvious and as slow as can be: the oracle of the other tests."""

import math
import random
from collections.abc import Sequence

Tokens = Sequence[str]


def grams(tokens: Tokens, order: int) -> list[tuple[str, ...]]:
    """Every n-gram of one order, where it begins."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def occurrences(ngram: tuple[str, ...], tokens: Tokens) -> int:
    return sum(1 for other in grams(tokens, len(ngram)) if other == ngram)


def distinct(tokens: Tokens, order: int) -> list[tuple[str, ...]]:
    """Distinct n-grams of one order, by first occurrence."""
    found: list[tuple[str, ...]] = []
    for ngram in grams(tokens, order):
        if ngram not in found:
            found.append(ngram)
    return found


def closest_length(hypothesis: Tokens, references: Sequence[Tokens]) -> int:
    """The reference length closest to the hypothesis', ties to the shorter."""
    best = len(references[0])
    for reference in references:
        distance = abs(len(reference) - len(hypothesis))
        best_distance = abs(best - len(hypothesis))
        if distance < best_distance or (distance == best_distance and len(reference) < best):
            best = len(reference)
    return best


def ngrams(
    hypothesis: Tokens, references: Sequence[Tokens], max_order: int
) -> list[tuple[int, tuple[str, ...], int, int, int, int]]:
    """(order, n-gram, count, max_reference_count, clipped_count, first_position), by order, then first occurrence."""
    rows = []
    for order in range(1, max_order + 1):
        for ngram in distinct(hypothesis, order):
            count = occurrences(ngram, hypothesis)
            most = max(occurrences(ngram, reference) for reference in references)
            rows.append((order, ngram, count, most, min(count, most), grams(hypothesis, order).index(ngram)))
    return rows


def reference_ngrams(
    hypothesis: Tokens, references: Sequence[Tokens], max_order: int
) -> list[tuple[int, tuple[str, ...], int, int, int, int, int, int]]:
    """(order, n-gram, count, max_reference_count, clipped_count, missing, reference, first_position).

    By order, then first occurrence, walking the references in their order; `reference` is the first one that reaches
    the maximum, and `first_position` the first position of the n-gram in that one.
    """
    rows = []
    for order in range(1, max_order + 1):
        seen: list[tuple[str, ...]] = []
        for walked in references:
            for ngram in distinct(walked, order):
                if ngram in seen:
                    continue
                seen.append(ngram)
                count = occurrences(ngram, hypothesis)
                counts = [occurrences(ngram, reference) for reference in references]
                most = max(counts)
                which = counts.index(most)
                first = grams(references[which], order).index(ngram)
                rows.append((order, ngram, count, most, min(count, most), max(0, most - count), which, first))
    return rows


def matched_starts(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> list[int]:
    """Where the matched n-grams of one order start: of an n-gram's occurrences the first clipped_count."""
    starts = []
    for start, ngram in enumerate(grams(hypothesis, order)):
        before = occurrences(ngram, hypothesis[: start + order - 1])
        if before < max(occurrences(ngram, reference) for reference in references):
            starts.append(start)
    return starts


def shared_starts(reference: Tokens, hypothesis: Tokens, order: int) -> list[int]:
    """Where the n-grams of one order start that the hypothesis has too."""
    return [start for start, ngram in enumerate(grams(reference, order)) if ngram in grams(hypothesis, order)]


def longest_over(starts: Sequence[Sequence[int]], length: int) -> list[int]:
    """For each token the largest order of an n-gram that covers it; `starts` by order."""
    return [
        max([0, *(n for n, begins in enumerate(starts, 1) for start in begins if start <= token < start + n)])
        for token in range(length)
    ]


def coverage(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """By hypothesis token the longest matched n-gram over it, 0 for none."""
    starts = [matched_starts(hypothesis, references, order) for order in range(1, max_order + 1)]
    return longest_over(starts, len(hypothesis))


def reference_coverage(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[list[int]]:
    """By token of each reference the longest n-gram over it that the hypothesis has too."""
    orders = range(1, max_order + 1)
    return [longest_over([shared_starts(r, hypothesis, n) for n in orders], len(r)) for r in references]


def components(
    hypothesis: Tokens, references: Sequence[Tokens], max_order: int
) -> tuple[int, int, list[int], list[int]]:
    """(candidate_length, reference_length, matches, totals)."""
    matches, totals = [0] * max_order, [0] * max_order
    for order, _ngram, count, _most, clipped, _first in ngrams(hypothesis, references, max_order):
        matches[order - 1] += clipped
        totals[order - 1] += count
    return len(hypothesis), closest_length(hypothesis, references), matches, totals


def filled(matches: list[float], totals: list[int], ratio: float) -> list[float]:
    """Smoothing 3 and 4: the first unmatched order counts `ratio`, the second `ratio` squared, and so on."""
    counts, value = list(matches), 1.0
    for order, total in enumerate(totals):
        if total > 0 and matches[order] == 0:
            value *= ratio
            counts[order] = value
    return counts


def averaged(counts: list[float], extra: float) -> list[float]:
    """Smoothing 5: the mean of the averaged count one order lower, of this order's and of the next one's."""
    before, averages = counts[0] + 1, []
    for this, following in zip(counts, [*counts[1:], extra], strict=True):
        before = (before + this + following) / 3
        averages.append(before)
    return averages


def precisions(c: int, matches: Sequence[int], totals: Sequence[int], max_order: int, method: str) -> list[float]:
    """Chen and Cherry's precisions; NaN where an order has no n-grams. `matches` holds order N + 1 as well."""
    m, t = [float(count) for count in matches[:max_order]], list(totals[:max_order])
    orders = range(max_order)
    if method == "method1":
        m = [0.1 if count == 0 else count for count in m]
    if method == "method2":
        m, t = [m[0], *(count + 1 for count in m[1:])], [t[0], *(count + 1 for count in t[1:])]
    if method == "method3":
        m = filled(m, t, 1 / 2)
    if method in ("method4", "method7") and c > 0:
        m = filled(m, t, math.log(c) / 5)
    if method in ("method5", "method7"):
        m = averaged(m, matches[max_order])
    p = [m[n] / t[n] if t[n] else math.nan for n in orders]
    if method == "method6":
        for n in orders[2:]:
            prior = p[n - 1] ** 2 / p[n - 2] if p[n - 2] else 0.0
            p[n] = min(1.0, (m[n] + 5 * prior) / (t[n] + 5)) if t[n] else math.nan
    if method in ("method4", "method5", "method7"):
        p = [value if math.isnan(value) else min(1.0, value) for value in p]
    return p


def bleu(
    hypothesis: Tokens,
    references: Sequence[Tokens],
    max_order: int = 4,
    method: str = "method0",
    effective_order: bool = False,
) -> float:
    """BLEU of one segment with uniform weights."""
    c, r, matches, totals = components(hypothesis, references, max_order + 1)
    if matches[0] == 0:
        return 0.0
    p = precisions(c, matches, totals, max_order, method)
    if effective_order:
        p = [value for value in p if not math.isnan(value)]
    if any(math.isnan(value) or value == 0 for value in p):
        return 0.0
    if matches[: len(p)] == totals[: len(p)]:
        p = [1.0] * len(p)
    penalty = 1.0 if c > r else math.exp(1 - r / c)
    return penalty * math.exp(sum(math.log(value) for value in p) / len(p))


def random_segments(seed: int, number: int, empty_references: bool = True) -> list[tuple[list[str], list[list[str]]]]:
    """Segments of a four-word language, 0 to 14 tokens and 1 to 5 references: (hypothesis, references)."""
    generator = random.Random(seed)

    def tokens(shortest: int, longest: int) -> list[str]:
        return generator.choices("abcd", k=generator.randint(shortest, longest))

    segments = []
    for _ in range(number):
        longest = generator.choice([1, 2, 3, 5, 9, 14])
        hypothesis = tokens(0, longest)
        references = [tokens(0 if empty_references else 1, longest) for _ in range(generator.randint(1, 4))]
        if generator.random() < 0.2:
            references.append([*hypothesis, *tokens(1, 2)])
        segments.append((hypothesis, references))
    return segments
