"""python -m bleupandas: the command line."""

from bleupandas.contracts.command_line import main

if __name__ == "__main__":
    main()
