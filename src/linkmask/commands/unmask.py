"""Restores masks from the vault."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from linkmask import corpus
from linkmask.commands.folders import release_at
from linkmask.commands.verify import plan_of_release, released_documents
from linkmask.errors import OutputError, RunError, UsageError
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Masked
from linkmask.redact import REVERSIBLE
from linkmask.redact.run_key import key_of_run
from linkmask.redact.vault import Vault
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, exchange


def unmask_files(
    masked: Path,
    out: Path,
    run_folder: Path | None = None,
    *,
    key_file: str | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> int:
    """Write the originals of what was replaced reversibly; return how many documents.

    Raises:
        RunError: there is no vault, the key is another one, or a text was changed since.
        OutputError: an original can't be written back; nothing was written.
    """
    masked, folder = release_at(masked, run_folder)
    overwrite = exchange.complete(out, alone=True) is not None or overwrite
    with Run.open(folder) as run:
        _check_place(run, masked, out, overwrite)
        plan = plan_of_release(masked)
        released = stored_release.released_by(run, plan)
        settings = stored_plan.settings_of(run, released)
        ours = released["documents"].keys() | corpus.unchanged_files(out)
        corpus.check_replaceable(out, ours)
        if not regulation.styles(settings) & REVERSIBLE:
            undoable = ", ".join(sorted(REVERSIBLE))
            raise RunError(
                f"{masked} was written in a style that can't be undone; these can be: {undoable}"
            )
        key, path = key_of_run(run, settings, key_file), run.vault_of(plan)
        vault = Vault(path, key, run.sealed(path))

        def restored() -> Iterator[Masked]:
            for number, document in enumerate(released_documents(masked, released, settings), 1):
                yield vault.restored(document)
                progress("unmask", number, None)

        with _private_and_whole():
            done = corpus.write(
                masked / "documents", out, restored(), settings, overwrite=overwrite, ours=ours
            )
        return done.documents


@contextmanager
def _private_and_whole() -> Iterator[None]:
    """Write files for their owner alone.

    Raises:
        OutputError: an original can't be written; nothing was written.
    """
    private = os.umask(0o077)
    try:
        yield
    except corpus.Unwritable as broken:
        reason = next(iter([*broken.files.values(), *broken.documents.values()]))
        raise OutputError(
            f"nothing was written, because an original can't be written: {reason}"
        ) from None
    finally:
        os.umask(private)


def _check_place(run: Run, masked: Path, out: Path, overwrite: bool) -> None:
    """Refuse to write originals over the input, the run or the masked documents."""
    corpus.check_out(masked / "documents", out, overwrite)
    place = out.resolve()
    taken = {kept.resolve() for kept in (run.source, run.path, masked)}
    if place in taken or place.is_relative_to(run.path.resolve()):
        raise UsageError(f"{out} is not a place for originals: give another folder")
