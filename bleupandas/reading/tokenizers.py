"""Tokenizers: functions from a text to its tokens, by name or of the caller."""

import functools
from collections.abc import Callable
from typing import TypeAlias

from bleupandas.common import refuse_choice, short_repr

Split: TypeAlias = Callable[[str], list[str]]
Tokenizer: TypeAlias = str | Split

REMEMBERED_TEXTS = 2**14  # references come again with every system
REMEMBERED_LENGTH = 500  # characters; longer texts are not kept, so that documents do not fill the memory
EXTRAS = {"ja-mecab": "sacrebleu[ja]", "ko-mecab": "sacrebleu[ko]"}


def make_split(tokenizer: object, lowercase: bool) -> Split:
    """Return the function from a text to its tokens."""
    if isinstance(tokenizer, str):
        split = remember(str.split if tokenizer == "whitespace" else sacrebleu_split(tokenizer))
    elif callable(tokenizer):
        split = tokenizer
    else:
        raise TypeError(
            "tokenizer is a name, such as '13a', or a function from a text to a list of str, not "
            f"{short_repr(tokenizer)}"
        )
    return (lambda text: split(text.lower())) if lowercase else split


def remember(split: Split) -> Split:
    """Return `split` with a memory for short texts and for tokens, which are kept once; it ends with the call."""
    kept: dict[str, str] = {}

    def shared(text: str) -> list[str]:
        tokens = split(text)
        return list(map(kept.setdefault, tokens, tokens))

    remembered = functools.lru_cache(maxsize=REMEMBERED_TEXTS)(shared)
    return lambda text: remembered(text) if len(text) <= REMEMBERED_LENGTH else shared(text)


def sacrebleu_split(name: str) -> Split:
    """Return sacreBLEU's tokenizer of this name as a function from a text to a list."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

    if name not in BLEU.TOKENIZERS:
        refuse_choice("tokenizer, if not a function,", name, [*BLEU.TOKENIZERS, "whitespace"])
    try:
        # "spm" is an old name of "flores101" that sacreBLEU still knows, with a warning
        tokenizer = BLEU(tokenize="flores101" if name == "spm" else name).tokenizer
    except (Exception, SystemExit) as error:  # a failed download may end in sys.exit
        raise unavailable_error(name, error) from None

    def uncached(part: Callable[[str], str]) -> Callable[[str], str]:
        # Each class keeps 65,536 texts of any length until the process ends: take the method under the cache.
        plain = getattr(type(part).__call__, "__wrapped__", None)
        return part if plain is None else functools.partial(plain, part)

    for attribute, part in list(vars(tokenizer).items()):
        if isinstance(part, BaseTokenizer):
            setattr(tokenizer, attribute, uncached(part))
    join = uncached(tokenizer)
    return lambda text: join(text.rstrip()).split()


def unavailable_error(name: str, error: BaseException) -> Exception:
    """Return the error for a tokenizer that sacreBLEU could not make."""
    if name in EXTRAS:
        return ImportError(
            f"tokenizer {name!r} needs MeCab and its dictionary, which are not installed, or not in the versions that "
            f'sacreBLEU needs; install them: pip install "{EXTRAS[name]}"'
        )
    if isinstance(error, ImportError):
        return ImportError(f"tokenizer {name!r} needs sentencepiece, which is not installed: pip install sentencepiece")
    from sacrebleu.utils import SACREBLEU_DIR

    return RuntimeError(
        f"tokenizer {name!r} needs a model that sacreBLEU downloads once into {SACREBLEU_DIR}/models, and that failed "
        f"({type(error).__name__}: {' '.join(str(error).split())}); delete a broken model there and try again with a "
        "network connection, or copy that folder from a computer where it works"
    )
