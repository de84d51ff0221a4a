"""The `mcp` package: with a personal token in both protocol eras, then with OAuth."""

import asyncio
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from person import open_in_browser, report, settings

ADDRESS = settings["url"] + "/mcp"


async def main():
    for mode in ("legacy", "auto"):
        headers = {"Authorization": f"Bearer {settings['token']}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            report(**{mode: await visit(http, mode)})
    app = App()
    provider = app.provider()
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        report(oauth=await visit(http, "auto"))
        first = app.tokens.refresh_token
        provider.context.token_expiry_time = 1  # Expired, so it has to refresh before its next request.
        report(again=await visit(http, "auto"), rotated=app.tokens.refresh_token != first)


async def visit(http, mode):
    async with Client(streamable_http_client(ADDRESS, http_client=http), mode=mode) as client:
        tools = await client.list_tools()
        resources, prompts = await client.list_resources(), await client.list_prompts()
        answers = {name: await client.call_tool(name, {}) for name in ("get_me", "get_income_outlook")}
        return {
            "version": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "resources": [str(resource.uri) for resource in resources.resources],
            "prompts": [prompt.name for prompt in prompts.prompts],
            "answers": {name: answer.structured_content for name, answer in answers.items()},
        }


class App:
    """What the package leaves to the app: storing its credentials and opening the browser."""

    tokens = client = arrived = None

    def provider(self):
        metadata = OAuthClientMetadata(client_name=settings["name"], redirect_uris=[settings["callback"]])
        return OAuthClientProvider(ADDRESS, metadata, self, redirect_handler=self.redirect, callback_handler=self.answer)

    async def redirect(self, address):
        self.arrived = await asyncio.to_thread(open_in_browser, address)

    async def answer(self):
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.arrived).query).items()}
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


asyncio.run(main())
