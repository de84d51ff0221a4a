"""What schemathesis needs to know about this service beyond its description. Loaded by `st`, not by run.py."""

import atexit
import itertools
import json
import os
from collections import Counter

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

# The anonymous limit is 60 requests a minute per address. A few more than that from each address include 429 in the run without
# letting it hide everything else.
REQUESTS_PER_ADDRESS = 63

ANONYMOUS = os.environ["TRY_ANONYMOUS"] == "yes"
PORTFOLIOS = {name.lower() for name in json.loads(os.environ["TRY_PORTFOLIOS"])}

# Figures of all positions.
WITHOUT_SYMBOL = {"annual_income", "net_annual_income"}

request_numbers = itertools.count()
statuses = Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Changes the client behind the trusted proxy every so often, using addresses reserved for benchmarking, and gives every other
    request what the user has. What-if gets one size."""
    number = next(request_numbers)
    if ANONYMOUS and {} in case.operation.definition.raw.get("security", []):
        address = number // REQUESTS_PER_ADDRESS
        case.headers["X-Forwarded-For"] = f"198.18.{address // 256 % 256}.{address % 256}"
    if case.meta.generation.mode.is_negative:
        return
    is_what_if = case.operation.path.endswith("/whatif")
    if is_what_if and case.query:
        give_one_size(case.query)
    if (number % 2 or is_what_if) and case.query:
        if isinstance(case.query.get("portfolio"), str):
            case.query["portfolio"] = sorted(PORTFOLIOS)[number // 2 % len(PORTFOLIOS)]
        if "figure" in case.query and case.query["figure"] not in WITHOUT_SYMBOL:
            case.query["symbol"] = "KO"
        if is_what_if and number % 2:
            case.query["symbol"] = "KO"


def give_one_size(query):
    """No schema can say that one of two parameters is needed, and above zero."""
    size = "amount" if "amount" in query and "shares" not in query else "shares"
    given = query.get(size)
    query.pop("amount", None)
    query[size] = given if isinstance(given, str) and given.strip("0.") else "12.5"


@schemathesis.hook
def after_call(context, case, response):
    statuses[response.status_code] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """By contract, a `portfolio` that the user does not have is a 422, and no schema can say which ones a user has. Neither can it say
    which text is a cursor, which figure needs a symbol, that shares and amount exclude each other, or that both are above zero.
    Expecting 422 everywhere would hide wrongly refused days, years and dates, so only these refusals are allowed."""
    return not (isinstance(failure, RejectedPositiveData) and response.status_code == 422 and is_beyond_schemas(case, response))


def is_beyond_schemas(case, response):
    query, message = case.query or {}, response.json()["error"]["message"]
    portfolio = query.get("portfolio")
    if "`portfolio` must be the name or slug" in message:
        return isinstance(portfolio, str) and portfolio.strip().lower() not in PORTFOLIOS
    if "`symbol` must" in message:
        needs_none = query.get("figure") in WITHOUT_SYMBOL
        return "figure" in query and needs_none == ("symbol" in query)
    if "`shares` must" in message or "`amount` must" in message:
        sizes = [query[name] for name in ("shares", "amount") if name in query]
        return len(sizes) != 1 or not str(sizes[0]).strip("0.") or "no price" in message or "no exchange rate" in message
    return "`cursor` must" in message and "cursor" in query


@atexit.register
def write_statuses():
    with open(os.environ["TRY_STATUSES"], "w") as file:
        json.dump(statuses, file)
