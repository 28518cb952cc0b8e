"""Command `serve`: masks over HTTP, in linkmask's own form and in Presidio's."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

import click

from linkmask.cli.options import (
    ANY,
    FOLDER,
    KEY,
    SETTINGS_OPTIONS,
    WORKERS,
    options,
    settings_of,
)
from linkmask.cli.output import say
from linkmask.errors import MissingExtra, UsageError


@click.command(epilog="\b\nExample: linkmask serve --run masked.run --port 5002")
@click.option("--run", type=FOLDER, help="Run whose plan says what is masked [none].")
@click.option("--host", default="127.0.0.1", help="Address to listen at [127.0.0.1].")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5002,
    help="Port; 0 means any free one [5002].",
)
@click.option(
    "--token-file",
    type=ANY,
    help="File with access tokens, one a line; the variable LINKMASK_SERVE_TOKEN adds one.",
)
@click.option("--originals", is_flag=True, help="Let /v1/unmask and /v1/explain return originals.")
@click.option(
    "--all-types", is_flag=True, help="Let /analyze report types that Presidio has no name for."
)
@click.option(
    "--images", is_flag=True, help="Let pictures in prompts through; they can't be masked."
)
@WORKERS
@click.option(
    "--max-body", type=click.IntRange(1), default=2_000_000, help="Largest body in bytes [2000000]."
)
@click.option(
    "--max-texts",
    type=click.IntRange(1),
    default=500,
    help="Largest number of texts in a request [500].",
)
@click.option(
    "--max-waiting",
    type=click.IntRange(1),
    default=8,
    help="Largest number of requests under way or waiting, in each process [8].",
)
@click.option(
    "--seconds", type=click.FloatRange(1), default=30.0, help="Longest time of a request [30]."
)
@click.option("--style", help="Style of masks if no --run is given [pseudonym].")
@KEY
@options(SETTINGS_OPTIONS)
@click.option("--quiet", is_flag=True, help="Print errors only, and no line for each request.")
def serve(
    run: Path | None,
    host: str,
    port: int,
    token_file: Path | None,
    originals: bool,
    all_types: bool,
    images: bool,
    workers: int | None,
    max_body: int,
    max_texts: int,
    max_waiting: int,
    seconds: float,
    quiet: bool,
    **given: Any,
) -> None:
    """Mask, unmask and explain over HTTP, also for clients of Presidio, LiteLLM and NeMo.

    With --run, texts are masked like the corpus of the run. Without it, no risk is computed, and
    the types in the settings floor and generalize are masked.
    """
    others = [name for name, value in given.items() if value and name != "key_file"]
    if run and others:
        raise UsageError("with --run the settings of the run count: leave out all others")
    given["style"] = given["style"] or "pseudonym"
    if not quiet:
        say("Loading the workers …")
    try:
        from linkmask.serve.running import Options, serve
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise MissingExtra("serve needs two packages: pip install 'linkmask[serve]'") from None
    from linkmask.serve.access import read_tokens
    from linkmask.serve.service import RequestLimits

    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(message)s")
    logging.getLogger("linkmask.serve").setLevel(logging.ERROR if quiet else logging.INFO)
    tokens = read_tokens(token_file, os.environ.get("LINKMASK_SERVE_TOKEN", ""))
    chosen = Options(
        run=run,
        settings=settings_of(given),
        host=host,
        port=port,
        tokens=tuple(tokens),
        originals=originals,
        all_types=all_types,
        images=images,
        processes=workers,
        waiting=max_waiting,
        limits=RequestLimits(max_body, max_texts, seconds),
    )
    serve(chosen, lambda service: say(f"Serving at {service.address}; Ctrl-C stops it."))
