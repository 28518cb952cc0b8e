"""`python -m linkmask` is `linkmask`."""

from linkmask.cli import main

main()
