"""llama.cpp's server and a tiny random model: built once, kept in a cache folder by version.

    python tests/llama.py            build, if it is not there (minutes)
    python tests/llama.py model FILE write the model (by a Python that has gguf and numpy)

The folder is `$LLAMA_SERVER_CACHE`, else `~/.cache/linkmask-llama`. The model has two layers of
random numbers and a vocabulary of bytes and letters: it says nothing that makes sense, in the forms
that are asked for. Needs a C++ compiler, cmake and ninja; the source comes with llama-cpp-python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "0.3.36"
DIGEST = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
TOOLS = ("scikit-build-core", "gguf==0.19.0")
FOLDER = Path(os.environ.get("LLAMA_SERVER_CACHE") or Path.home() / ".cache" / "linkmask-llama")
SERVER = FOLDER / VERSION / "llama-server"
PYTHON = FOLDER / "tools" / "bin" / "python"
FLAGS = (
    "CMAKE_BUILD_TYPE=Release", "BUILD_SHARED_LIBS=OFF", "GGML_NATIVE=OFF", "GGML_AVX2=ON",
    "LLAMA_BUILD_TESTS=OFF", "LLAMA_BUILD_EXAMPLES=OFF", "LLAMA_OPENSSL=OFF",
    "LLAMA_BUILD_UI=OFF", "LLAMA_USE_PREBUILT_UI=OFF", "LLAMA_BUILD_NUMBER=0",
)  # fmt: skip
"""Without `LLAMA_USE_PREBUILT_UI=OFF` the build would fetch a web page from a hub."""


def build() -> None:
    """Build the server, if it is not there."""
    if not PYTHON.exists():
        venv.create(FOLDER / "tools", with_pip=True)
        run(PYTHON, "-m", "pip", "install", "--quiet", *TOOLS)
    if SERVER.exists():
        return
    sys.stdout.write(f"Building llama.cpp's server into {SERVER.parent} (once, some minutes)\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(dir=FOLDER) as work:
        here = Path(work)
        run(
            PYTHON, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation",
            "--no-binary", "llama-cpp-python", f"llama-cpp-python=={VERSION}", "--dest", work,
        )  # fmt: skip
        (archive,) = here.glob("*.tar.gz")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != DIGEST:
            sys.exit(f"{archive.name} is not the file that was expected")
        shutil.unpack_archive(archive, here, filter="data")
        source = next(here.glob("llama_cpp_python-*")) / "vendor" / "llama.cpp"
        flags = [f"-D{flag}" for flag in FLAGS]
        run("cmake", "-S", source, "-B", here / "b", "-G", "Ninja", *flags)
        jobs = os.environ.get("LLAMA_SERVER_JOBS") or str(os.cpu_count())
        run("nice", "cmake", "--build", here / "b", "--target", "llama-server", "-j", jobs)
        SERVER.parent.mkdir(parents=True, exist_ok=True)
        made = here / "b" / "bin" / "llama-server"
        run("strip", "-o", SERVER.with_suffix(".partial"), made)
        SERVER.with_suffix(".partial").rename(SERVER)


def run(*command: str | Path) -> None:
    """Run a command; what it prints is shown only where it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")


@contextmanager
def serving(model: Path, *options: str) -> Iterator[str]:
    """Serve a model on 127.0.0.1, and yield the URL of its API."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(SERVER), "-m", str(model), "-a", "tiny", "--host", "127.0.0.1", "--port", str(port),
        "-t", "1", "--no-jinja", "--embeddings", "--pooling", "mean", "--no-webui", *options,
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"llama-server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("llama-server does not answer")


def write_model(path: Path) -> None:
    """Write the model: llama, 2 layers, 64 wide, 4 heads, seeded random weights, half a MB."""
    import gguf
    import numpy as np

    width, inner, layers = 64, 128, 2
    special = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
    letters = ["▁", *map(chr, range(33, 127)), *"àâçéèêëîïôùûüöäß"]
    words = special + [f"<0x{byte:02X}>" for byte in range(256)] + letters
    kinds = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * 4
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * len(letters)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(16384)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(inner)
    writer.add_block_count(layers)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_rope_dimension_count(16)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(words)
    writer.add_token_scores([0.0] * len(words))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
        "{% endfor %}<|im_start|>assistant\n"
    )
    chance = np.random.default_rng(7)

    def tensor(name: str, *shape: int) -> None:
        flat = name.endswith("norm.weight")
        data = np.ones(shape) if flat else chance.normal(0, 0.08, shape)
        writer.add_tensor(name, data.astype(np.float32))

    tensor("token_embd.weight", len(words), width)
    for layer in range(layers):
        at = f"blk.{layer}"
        for name in ("attn_norm", "ffn_norm"):
            tensor(f"{at}.{name}.weight", width)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensor(f"{at}.{name}.weight", width, width)
        for name in ("ffn_gate", "ffn_up"):
            tensor(f"{at}.{name}.weight", inner, width)
        tensor(f"{at}.ffn_down.weight", width, inner)
    tensor("output_norm.weight", width)
    tensor("output.weight", len(words), width)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["model"]:
        write_model(Path(sys.argv[2]))
    else:
        build()
