"""Helpers of the exported code, in NumPy. Only those that are called are written into the file."""

import math

import numpy as np


def split_heads(rows, n_heads):
    """Give each head its own columns: (n, n_heads * d) becomes (n_heads, n, d)."""
    return rows.reshape(len(rows), n_heads, -1).transpose(1, 0, 2)


def merge_heads(heads):
    """Put the heads side by side: (n_heads, n, d) becomes (n, n_heads * d)."""
    return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)


def share_heads(heads, group):
    """Let each key/value head serve a group of query heads."""
    return np.repeat(heads, group, axis=0)


def softmax(scores):
    """e to every score, divided by the sum of the row; a row that sees nothing gets 0."""
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def divide_rows(scores):
    """Every score divided by the sum of the row; hidden scores count 0, and so does a row that adds up to 0."""
    shown = np.where(np.isinf(scores), 0.0, scores)
    total = shown.sum(axis=-1, keepdims=True)
    size = np.abs(shown).sum(axis=-1, keepdims=True)
    empty = np.abs(total) <= 1e-12 * np.maximum(1.0, size)
    return np.where(empty, 0.0, shown / np.where(empty, 1.0, total))


def sink_softmax(scores, sink):
    """Softmax in which one more score takes part that has no value."""
    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)
    powers = np.exp(scores - top)
    return powers / (powers.sum(axis=-1, keepdims=True) + np.exp(sink - top))


def visible_max(scores, sink=-np.inf):
    """The largest visible score of each row, or the sink; 0 where there is nothing."""
    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)
    return np.where(top == -np.inf, 0.0, top)


def log_sum_exp(largest, total):
    """The largest score plus the logarithm of the sum of e^(score - largest)."""
    empty = total <= 0
    return np.where(empty, -np.inf, largest + np.log(np.where(empty, 1.0, total)))


def waves(n, d_model, base):
    """Sine on even columns, cosine on odd ones, from fast to slow."""
    column = np.arange(d_model)
    angle = np.arange(n)[:, None] / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def turning_angles(n, d_head, base, start):
    """How far each pair of columns is turned at each position."""
    pair = np.arange(d_head // 2)
    return np.arange(start, start + n)[:, None] / base ** (2 * pair / d_head)


def rotate_halves(x, angles):
    """Turn each pair (column c, column c + d/2) by its angle."""
    a, b = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def rotate_neighbours(x, angles):
    """Turn each pair (column 2c, column 2c + 1) by its angle."""
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def steps_behind(n_q, n_k):
    """How many steps a key lies behind its query; the last query is the last key."""
    return np.arange(n_q)[:, None] + (n_k - n_q) - np.arange(n_k)


def head_slopes(n_heads):
    """How fast each head forgets with distance."""
    power = 2 ** int(math.log2(n_heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    slopes += [2 ** (-8 * (2 * head + 1) / (2 * power)) for head in range(n_heads - power)]
    return np.array(slopes)[:, None]


def slope_bias(slopes, n_q, n_k):
    """Minus slope times distance."""
    return slopes[:, :, None] * -np.abs(steps_behind(n_q, n_k))


def clipped_distances(n_q, n_k, max_distance):
    """Key minus query, clipped, counted from the first row of the table."""
    return np.clip(-steps_behind(n_q, n_k), -max_distance, max_distance) + float(max_distance)


def distance_buckets(n_q, n_k, n_buckets, max_distance, bidirectional):
    """Near distances get a bucket each, far ones share."""
    return np.array([[float(bucket(step, n_buckets, max_distance, bidirectional)) for step in row]
                     for row in steps_behind(n_q, n_k)])  # fmt: skip


def bucket(step, n_buckets, max_distance, bidirectional):
    """The bucket of a key that lies so many steps behind its query."""
    size = n_buckets // 2 if bidirectional else n_buckets
    first = size if bidirectional and step < 0 else 0
    distance = abs(int(step)) if bidirectional else max(0, int(step))
    near = size // 2
    if distance < near:
        return first + distance
    far = size - near  # whole numbers: a rounded logarithm would miss a distance on a border
    passed = sum(distance**far * near**n >= max_distance**n * near**far for n in range(1, far))
    return first + near + passed


def row_numbers(index, count):
    """Numbers that choose rows: whole, and inside the table."""
    return np.clip(np.rint(index), 0, count - 1).astype(int)


def pick_bias(table, index):
    """Each head's number for the bucket of a query and a key."""
    return table[row_numbers(index, len(table))].transpose(2, 0, 1)


def pick_columns(every, index):
    """From scores for every distance, the one each key stands at."""
    return np.take_along_axis(every, row_numbers(index, every.shape[-1])[None], axis=-1)


def pool_columns(weights, index, m):
    """Add up the weights of the keys that stand at the same distance."""
    one_hot = np.eye(m)[row_numbers(index, m)]
    return np.einsum("hij,ijm->him", weights, one_hot)


def power_of_difference(left, right):
    """e^(left - right), and 0 where left is hidden."""
    hidden = left == -np.inf
    return np.where(hidden, 0.0, np.exp(np.where(hidden, -np.inf, left) - np.where(right == -np.inf, 0.0, right)))


def safe_ratio(left, right):
    """left / right, and 0 where right is 0."""
    return np.where(right == 0, 0.0, left / np.where(right == 0, 1.0, right))


def top_of_row(scores, k):
    """1 at the k largest of each row; of equals the one further left wins."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    chosen = np.zeros(scores.shape)
    np.put_along_axis(chosen, order[..., :k], 1.0, axis=-1)
    return chosen


def gated_sum(gates, sent):
    """Gate times answer, added up over the experts that each row was sent to."""
    total = np.zeros((len(gates), sent[0][2].shape[-1]))
    for expert, rows, answer in sent:
        total[rows] += gates[rows, expert, None] * answer
    return total


def held_input(delta, a):
    """What a step of this length lets in: (e^(delta * a) - 1) / a."""
    return np.where(a == 0, delta, np.expm1(delta * a) / np.where(a == 0, 1.0, a))


def what_remains(a_bar, n):
    """The share of each token that is left at the end: all later decays, multiplied."""
    steps = np.broadcast_to(a_bar, (*a_bar.shape[:-2], n, a_bar.shape[-1]))
    return np.stack([steps[..., token + 1 :, :].prod(axis=-2) for token in range(n)], axis=-2)


def distance_table(kernel):
    """Row i, column j holds kernel[i - j], and 0 for the future."""
    n = kernel.shape[-2]
    distance = np.arange(n)[:, None] - np.arange(n)
    return np.where(distance < 0, 0.0, kernel[..., np.abs(distance), 0])


def relu(x):
    """What is below 0 becomes 0."""
    return np.maximum(x, 0.0)


def sigmoid(x):
    """1 / (1 + e^-x), written so that no power grows too large."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1 + small)


def silu(x):
    """x times the sigmoid of x."""
    return x * sigmoid(x)


def gelu(x):
    """x times the share of a bell curve that lies below x."""
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def softplus(x):
    """ln(1 + e^x)."""
    return np.logaddexp(0.0, x)


def elu1(x):
    """x + 1 above 0, e^x below: never negative."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0.0)))
