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

request_numbers = itertools.count()
statuses = Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Changes the client behind the trusted proxy every so often, using addresses reserved for benchmarking."""
    if ANONYMOUS and {} in case.operation.definition.raw.get("security", []):
        address = next(request_numbers) // REQUESTS_PER_ADDRESS
        case.headers["X-Forwarded-For"] = f"198.18.{address // 256 % 256}.{address % 256}"


@schemathesis.hook
def after_call(context, case, response):
    statuses[response.status_code] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """By contract, a `portfolio` that the user does not have is a 422, and no schema can say which ones a user has. Expecting 422
    everywhere would hide wrongly refused days, years and dates, so only this refusal is allowed."""
    return not (isinstance(failure, RejectedPositiveData) and is_unknown_portfolio(case, response))


def is_unknown_portfolio(case, response):
    portfolio = (case.query or {}).get("portfolio")
    refused = response.status_code == 422 and "`portfolio` must be the name or slug" in response.json()["error"]["message"]
    return refused and isinstance(portfolio, str) and portfolio.strip().lower() not in PORTFOLIOS


@atexit.register
def write_statuses():
    with open(os.environ["TRY_STATUSES"], "w") as file:
        json.dump(statuses, file)
