"""The JavaScript call that the README shows works in a browser."""

from app.api.calls import CALLS
from tests.browser.sheet import Sheet


def test_the_javascript_call_works(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&mask=causal")
    code = CALLS["javascript"].replace("http://localhost:8000", sheet.origin).replace("console.log(", "return (")
    shown = sheet.page.evaluate(f"async () => {{ {code} }}")
    assert shown == next(step["values"] for step in sheet.api()["steps"] if step["name"] == "weights")
