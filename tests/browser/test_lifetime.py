"""A tab and its kernel: one ends with the other, and nobody else ends it."""

from patience import SECONDS


def test_closing_a_tab_ends_its_kernel_and_no_other(app, visit):
    other = visit()
    kernel, others = app.kernel, other.kernel
    assert kernel != others
    other.wait_until_idle()
    other.page.close()
    others.wait(SECONDS)
    assert kernel.is_running()
    picture = app.look("picture('densities')")
    app.enter("mu", "2")
    app.wait("look.picture('densities') !== arg", picture)


def test_a_stranger_cannot_end_a_kernel(app):
    kernel = app.kernel
    path = f"{app.address}voila/api/shutdown/{app.kernel_id}"
    assert app.page.request.post(path).status == 403
    assert app.page.request.post(path, form={"_xsrf": "guessed"}).status == 403
    picture = app.look("picture('densities')")
    app.enter("mu", "2")
    app.wait("look.picture('densities') !== arg", picture)
    assert kernel.is_running()
    assert app.kernel == kernel


def test_a_huge_paste_does_not_cost_the_connection(app):
    app.box("mu").click()
    app.page.keyboard.insert_text("7" * 2_000_000)
    app.box("mu").press("Enter")
    app.message("mu").wait_for()
    app.enter("mu", "2")
    app.wait_for_rest()
    assert app.query()["mu"] == "2.0"
    assert app.page.locator("#alert").inner_text() == ""
