// GET /api/v1/income of one account, cached in memory, with a token that is looked up in PostgreSQL for each request.
// PORT, DATABASE_URL and BODY (a file with the response) come from the environment. One process for each of two cores.
"use strict";
const cluster = require("node:cluster");
const crypto = require("node:crypto");
const fs = require("node:fs");
const express = require("express");
const { Pool } = require("pg");

const LOOK_UP = {
  name: "session",
  text: `SELECT u.id, u.version, m.value AS market FROM tokens t JOIN users u ON u.id = t.user_id, versions m
         WHERE t.hash = $1 AND t.revoked_at IS NULL AND NOT u.disabled AND m.name = 'market'`,
};

if (cluster.isPrimary) {
  for (let worker = 0; worker < 2; worker++) cluster.fork();
} else {
  serve();
}

function serve() {
  // Keep idle connections open, so that a measurement does not start by opening new ones.
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 8, idleTimeoutMillis: 0 });
  const answers = new Map();
  const app = express();
  app.disable("x-powered-by");

  app.get("/api/v1/income", async (request, response) => {
    const [, token] = /^Bearer (\S+)$/.exec(request.get("Authorization") ?? "") ?? [];
    const session = token && (await sessionOf(pool, token));
    if (!session) return response.status(401).json({ error: "unauthorized" });
    const key = `${session.id} ${session.version} ${session.market}`;
    if (!answers.has(key)) answers.set(key, compute());
    const answer = answers.get(key);
    // Express turns this into a 304 if the client has the ETag.
    response.set({ ETag: answer.etag, "Cache-Control": "private, no-cache", Vary: "Authorization" });
    response.type("application/json").send(answer.body);
  });

  app.listen(Number(process.env.PORT), "127.0.0.1");
}

async function sessionOf(pool, token) {
  const hash = crypto.createHash("sha256").update(token).digest();
  const { rows } = await pool.query({ ...LOOK_UP, values: [hash] });
  return rows[0];
}

function compute() {
  const body = fs.readFileSync(process.env.BODY);
  return { body, etag: `"${crypto.createHash("sha256").update(body).digest("hex").slice(0, 32)}"` };
}
