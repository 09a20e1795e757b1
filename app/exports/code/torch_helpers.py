"""Helpers of the exported code, in PyTorch. Only those that are called are written into the file."""

import math

import torch


def split_heads(rows, n_heads):
    """Give each head its own columns: (n, n_heads * d) becomes (n_heads, n, d)."""
    return rows.reshape(len(rows), n_heads, -1).transpose(0, 1)


def merge_heads(heads):
    """Put the heads side by side: (n_heads, n, d) becomes (n, n_heads * d)."""
    return heads.transpose(0, 1).reshape(heads.shape[1], -1)


def share_heads(heads, group):
    """Let each key/value head serve a group of query heads."""
    return heads.repeat_interleave(group, dim=0)


def softmax(scores):
    """PyTorch's softmax; a row that sees nothing gets 0 and not NaN."""
    return torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)


def divide_rows(scores):
    """Every score divided by the sum of the row; hidden scores count 0, and so does a row that adds up to 0."""
    shown = torch.where(torch.isinf(scores), 0.0, scores)
    total = shown.sum(dim=-1, keepdim=True)
    size = shown.abs().sum(dim=-1, keepdim=True)
    empty = total.abs() <= 1e-12 * size.clamp(min=1.0)
    return torch.where(empty, 0.0, shown / torch.where(empty, 1.0, total))


def sink_softmax(scores, sink):
    """Softmax over the scores and one more column, which is left out again."""
    column = sink.expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, column], dim=-1), dim=-1)[..., :-1]


def visible_max(scores, sink=None):
    """The largest visible score of each row, or the sink; 0 where there is nothing."""
    top = scores.amax(dim=-1, keepdim=True)
    top = top if sink is None else torch.maximum(top, sink)
    return torch.where(torch.isinf(top), 0.0, top)


def log_sum_exp(largest, total):
    """The largest score plus the logarithm of the sum of e^(score - largest)."""
    return torch.where(total <= 0, -math.inf, largest + torch.log(total))


def waves(n, d_model, base):
    """Sine on even columns, cosine on odd ones, from fast to slow."""
    column = torch.arange(d_model)
    angle = torch.arange(n)[:, None] / base ** (2 * (column // 2) / d_model)
    return torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle))


def turning_angles(n, d_head, base, start):
    """How far each pair of columns is turned at each position."""
    pair = torch.arange(d_head // 2)
    return torch.arange(start, start + n)[:, None] / base ** (2 * pair / d_head)


def rotate_halves(x, angles):
    """Turn each pair (column c, column c + d/2) by its angle."""
    a, b = x.chunk(2, dim=-1)
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def rotate_neighbours(x, angles):
    """Turn each pair (column 2c, column 2c + 1) by its angle."""
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(x.shape)


def steps_behind(n_q, n_k):
    """How many steps a key lies behind its query; the last query is the last key."""
    return torch.arange(n_q)[:, None] + (n_k - n_q) - torch.arange(n_k)


def head_slopes(n_heads):
    """How fast each head forgets with distance."""
    power = 2 ** int(math.log2(n_heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    slopes += [2 ** (-8 * (2 * head + 1) / (2 * power)) for head in range(n_heads - power)]
    return torch.tensor(slopes)[:, None]


def slope_bias(slopes, n_q, n_k):
    """Minus slope times distance."""
    return slopes[:, :, None] * -steps_behind(n_q, n_k).abs()


def clipped_distances(n_q, n_k, max_distance):
    """Key minus query, clipped, counted from the first row of the table."""
    return (-steps_behind(n_q, n_k)).clamp(-max_distance, max_distance) + float(max_distance)


def distance_buckets(n_q, n_k, n_buckets, max_distance, bidirectional):
    """Near distances get a bucket each, far ones share."""
    return torch.tensor([[float(bucket(step, n_buckets, max_distance, bidirectional)) for step in row]
                         for row in steps_behind(n_q, n_k).tolist()])  # fmt: skip


def bucket(step, n_buckets, max_distance, bidirectional):
    """The bucket of a key that lies so many steps behind its query."""
    size = n_buckets // 2 if bidirectional else n_buckets
    first = size if bidirectional and step < 0 else 0
    distance = abs(step) if bidirectional else max(0, step)
    near = size // 2
    if distance < near:
        return first + distance
    far = size - near  # whole numbers: a rounded logarithm would miss a distance on a border
    passed = sum(distance**far * near**n >= max_distance**n * near**far for n in range(1, far))
    return first + near + passed


def row_numbers(index, count):
    """Numbers that choose rows: whole, and inside the table."""
    return torch.round(index).clamp(0, count - 1).long()


def pick_bias(table, index):
    """Each head's number for the bucket of a query and a key."""
    return table[row_numbers(index, len(table))].permute(2, 0, 1)


def pick_columns(every, index):
    """From scores for every distance, the one each key stands at."""
    rows = row_numbers(index, every.shape[-1])
    return torch.gather(every, -1, rows.expand(every.shape[0], *rows.shape))


def pool_columns(weights, index, m):
    """Add up the weights of the keys that stand at the same distance."""
    one_hot = torch.eye(m)[row_numbers(index, m)]
    return torch.einsum("hij,ijm->him", weights, one_hot)


def power_of_difference(left, right):
    """e^(left - right), and 0 where left is hidden."""
    return torch.where(left == -math.inf, 0.0, torch.exp(left - right))


def safe_ratio(left, right):
    """left / right, and 0 where right is 0."""
    return torch.where(right == 0, 0.0, left / torch.where(right == 0, 1.0, right))


def top_of_row(scores, k):
    """1 at the k largest of each row; of equals the one further left wins."""
    order = torch.sort(-scores, dim=-1, stable=True).indices
    return torch.zeros(scores.shape).scatter(-1, order[..., :k], 1.0)


def gated_sum(gates, sent):
    """Gate times answer, added up over the experts that each row was sent to."""
    total = torch.zeros((len(gates), sent[0][2].shape[-1]))
    for expert, rows, answer in sent:
        total[rows] += gates[rows, expert, None] * answer
    return total


def held_input(delta, a):
    """What a step of this length lets in: (e^(delta * a) - 1) / a."""
    return torch.where(a == 0, delta, torch.expm1(delta * a) / torch.where(a == 0, 1.0, a))


def what_remains(a_bar, n):
    """The share of each token that is left at the end: all later decays, multiplied."""
    steps = a_bar.expand(*a_bar.shape[:-2], n, a_bar.shape[-1])
    return torch.stack([steps[..., token + 1 :, :].prod(dim=-2) for token in range(n)], dim=-2)


def distance_table(kernel):
    """Row i, column j holds kernel[i - j], and 0 for the future."""
    n = kernel.shape[-2]
    distance = torch.arange(n)[:, None] - torch.arange(n)
    return torch.where(distance < 0, 0.0, kernel[..., distance.abs(), 0])


def relu(x):
    """What is below 0 becomes 0."""
    return torch.relu(x)


def sigmoid(x):
    """1 / (1 + e^-x)."""
    return torch.sigmoid(x)


def silu(x):
    """x times the sigmoid of x."""
    return torch.nn.functional.silu(x)


def gelu(x):
    """x times the share of a bell curve that lies below x."""
    return torch.nn.functional.gelu(x)


def softplus(x):
    """ln(1 + e^x)."""
    return torch.logaddexp(torch.zeros_like(x), x)


def elu1(x):
    """x + 1 above 0, e^x below: never negative."""
    return torch.nn.functional.elu(x) + 1
