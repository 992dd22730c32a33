"""What is odd about each distinct token."""

import unicodedata

from bleupandas.auditing.characters import has_inner_space, is_sentence
from bleupandas.auditing.token_variants import strip_punctuation


class Vocabulary:
    """The odd ones among all distinct tokens; each token is examined once, however often it occurs.

    Attributes
    ----------
    ampersands, spaced, sentences : set of str
        Tokens with an "&", with white space, and whole sentences of scripts without spaces.
    unicode_forms, lowercase, unpunctuated : dict of str to str
        By token, its form in NFKC, without case and without punctuation, where that differs from the token.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self.ampersands: set[str] = set()
        self.spaced: set[str] = set()
        self.sentences: set[str] = set()
        self.unicode_forms: dict[str, str] = {}
        self.lowercase: dict[str, str] = {}
        self.unpunctuated: dict[str, str] = {}

    def update(self, tokens: set[str]) -> None:
        """Examine the tokens that are new."""
        for token in tokens.difference(self._known):
            lowercase = token.casefold()
            if lowercase != token:
                self.lowercase[token] = lowercase
            if not token.isalnum():
                self._examine_marks(token)
            if not token.isascii():
                self._examine_characters(token)
        self._known |= tokens

    def _examine_marks(self, token: str) -> None:
        """Examine a token that has more than letters and digits."""
        bare = strip_punctuation(token)
        if bare != token:
            self.unpunctuated[token] = bare
        if "&" in token:
            self.ampersands.add(token)
        if has_inner_space(token):
            self.spaced.add(token)

    def _examine_characters(self, token: str) -> None:
        """Examine a token beyond ASCII."""
        normal = unicodedata.normalize("NFKC", token)
        if normal != token:
            self.unicode_forms[token] = normal
        if is_sentence(token):
            self.sentences.add(token)
