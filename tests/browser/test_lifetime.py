"""A tab and its kernel: one ends with the other, and nobody else ends it."""

import psutil


def test_closing_a_tab_ends_its_kernel_and_no_other(app, visit, running):
    before = set(running.kernels())
    other = visit()
    (kernel,) = set(running.kernels()) - before
    other.page.close()
    gone, _ = psutil.wait_procs([kernel], timeout=10)
    assert gone == [kernel]
    assert before <= set(running.kernels())
    picture = app.look("picture('densities')")
    app.enter("mu", "2")
    app.wait("look.picture('densities') !== arg", picture)


def test_a_stranger_cannot_end_a_kernel(app, running):
    kernel = app.page.evaluate("document.body.dataset.kernelId")
    before = set(running.kernels())
    path = f"{app.address}voila/api/shutdown/{kernel}"
    assert app.page.request.post(path).status == 403
    assert app.page.request.post(path, form={"_xsrf": "guessed"}).status == 403
    picture = app.look("picture('densities')")
    app.enter("mu", "2")
    app.wait("look.picture('densities') !== arg", picture)
    assert set(running.kernels()) == before


def test_a_huge_paste_does_not_cost_the_connection(app):
    app.box("mu").click()
    app.page.keyboard.insert_text("7" * 2_000_000)
    app.box("mu").press("Enter")
    app.message("mu").wait_for()
    app.enter("mu", "2")
    app.wait_for_rest()
    assert app.query()["mu"] == "2.0"
    assert app.page.locator("#alert").inner_text() == ""
