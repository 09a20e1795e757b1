"""Calls: how to ask the API from a shell, from Python and from JavaScript. The README shows the same; the tests run them."""

CALLS = {
    "sh": """curl --get localhost:8000/api/v1/attention --data-urlencode 'text=犬が走る' --data-urlencode 'mask=causal'""",
    "python": """import httpx

scenario = {"text": "the dog runs", "d_model": 3, "n_heads": 1, "table": {"dog": [1, 2, 0], "the": [0, 1, 1], "runs": [2, 0, 1]}}
answer = httpx.post("http://localhost:8000/api/v1/attention", json=scenario).json()
steps = {step["name"]: step["values"] for step in answer["steps"]}
print(steps["weights"])""",
    "javascript": """const query = new URLSearchParams({ text: "the dog runs", mask: "causal" });
const answer = await fetch(`http://localhost:8000/api/v1/attention?${query}`).then((response) => response.json());
console.log(answer.steps.find((step) => step.name === "weights").values);""",
}


def as_markdown() -> str:
    """The calls as code blocks."""
    return "\n\n".join(f"```{language}\n{code}\n```" for language, code in CALLS.items())
