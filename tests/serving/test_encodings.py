"""The app where the system's own encoding is not UTF-8, as on Windows in East Asia."""

import shutil
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "explorer", "--no-browser", "--port", "0"]


def compiled(language, encoding, folder):
    """Make a locale in the folder and return its name."""
    localedef, name = shutil.which("localedef"), f"{language}.{encoding}"
    if localedef is None:
        pytest.skip("needs localedef, a part of the GNU C library")
    folder.mkdir()
    subprocess.run([localedef, "-i", language, "-f", encoding, folder / name], check=True)  # noqa: S603 - makes a file
    return name


@pytest.mark.parametrize(("language", "encoding"), [("zh_CN", "GBK"), ("ko_KR", "EUC-KR")])
def test_the_app_starts_whatever_the_encoding(start, tmp_path, visit, language, encoding):
    folder = tmp_path / "locales"
    locale = {
        "LC_ALL": compiled(language, encoding, folder),
        "LOCPATH": str(folder),
        "PYTHONUTF8": "0",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in locale.items():
            patch.setenv(name, value)
        used = [sys.executable, "-c", "import locale; print(locale.getpreferredencoding())"]
        assert subprocess.check_output(used, text=True) == f"{encoding}\n"  # noqa: S603 - this interpreter
        with start(tmp_path, COMMAND) as server:
            page = visit(server.address).ask()
            assert "starting…" in page.text
            assert '"application/vnd.jupyter.widget-view+json"' in page.text
            assert server.log.read_text() == ""
