"""GET /api/v1/income of one account, cached in memory, with a token that is looked up in PostgreSQL for each request.

DATABASE_URL and BODY (a file with the response) come from the environment. Started by uvicorn with two workers."""
import contextlib
import hashlib
import os
import pathlib
from typing import Annotated

import asyncpg
import fastapi

LOOK_UP = """SELECT u.id, u.version, m.value AS market FROM tokens t JOIN users u ON u.id = t.user_id, versions m
             WHERE t.hash = $1 AND t.revoked_at IS NULL AND NOT u.disabled AND m.name = 'market'"""
Field = Annotated[str | None, fastapi.Header()]
answers = {}


@contextlib.asynccontextmanager
async def lifespan(app):
    async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=1, max_size=8) as pool:
        app.state.pool = pool
        yield


app = fastapi.FastAPI(lifespan=lifespan)


@app.get("/api/v1/income")
async def income(authorization: Field = None, if_none_match: Field = None):
    session = await session_of((authorization or "").removeprefix("Bearer "))
    if session is None:
        raise fastapi.HTTPException(401)
    key = tuple(session)
    if key not in answers:
        answers[key] = compute()
    body, etag = answers[key]
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if if_none_match == etag:
        return fastapi.Response(status_code=304, headers=headers)
    return fastapi.Response(body, media_type="application/json", headers=headers)


async def session_of(token):
    return await app.state.pool.fetchrow(LOOK_UP, hashlib.sha256(token.encode()).digest())


def compute():
    body = pathlib.Path(os.environ["BODY"]).read_bytes()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
