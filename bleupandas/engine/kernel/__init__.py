"""The parts of the compiled engine; compiled.pyx begins with a map of them."""
