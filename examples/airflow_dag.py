"""A DAG for Airflow: every night the corpus is masked anew, checked, and only then indexed.

The exit statuses of linkmask (docs/automation.md) decide: what another try can't mend fails the
task at once, and what it can is tried again. Logs hold no value of a document.
"""

import subprocess
from datetime import datetime, timedelta

try:  # Airflow 3
    from airflow.sdk import dag, task
    from airflow.sdk.exceptions import AirflowException, AirflowFailException
except ImportError:
    from airflow.decorators import dag, task
    from airflow.exceptions import AirflowException, AirflowFailException

INPUT, OUT, RUN = "/data/claims", "/data/masked", "/data/masked.run"
AGAIN = {3: "the budget of the language model is spent", 129: "ended", 130: "ended", 143: "ended"}
"""Statuses after which the same command continues."""


def linkmask(*words: str) -> None:
    """Run a command of linkmask, and turn its exit status into what Airflow does next."""
    status = subprocess.run(["linkmask", *words], check=False).returncode
    if status in AGAIN:
        raise AirflowException(f"linkmask {words[0]}: {AGAIN[status]}; it continues next time")
    if status:
        raise AirflowFailException(f"linkmask {words[0]} ended with status {status}: see its log")


@dag(
    schedule="30 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,  # a run folder is written by one command at a time
    default_args={"retries": 3, "retry_delay": timedelta(minutes=20)},
)
def masked_corpus():
    @task
    def update():
        linkmask("update", RUN, INPUT, "-o", OUT, "--quiet")

    @task
    def verify():
        linkmask("verify", OUT, "--run", RUN, "--quiet")

    @task
    def index():
        """Hand OUT/documents to what indexes them: here they may be read by anybody."""

    update() >> verify() >> index()


masked_corpus()
