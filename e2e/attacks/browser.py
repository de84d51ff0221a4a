"""What a browser and an app do: fill in a page's form, and connect an app to an account."""

import base64
import hashlib
import html
import json
import re
import urllib.parse

from check import check, equal
from client import Client
from writer import HEADERS, cookies_of

SECONDS_MAX = 120
VERIFIER = "a-verifier-of-more-than-forty-three-characters"
CALLBACK = "https://app.example.com/callback"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def send(service, method, path, token=None, headers=None, body=None, address=None):
    client = Client(service.port, SECONDS_MAX, address)
    try:
        return client.ask(method, path, token, headers, body)
    finally:
        client.close()


def status(service, path, token=None, cookie=""):
    return send(service, "GET", path, token, {"Cookie": cookie}).status


def opened_form(service, page, action, cookie="", address=None):
    """Opens a page. Returns the fields of its form as a browser would send them unchanged, and the cookies to send with them."""
    answer = send(service, "GET", page, None, {"Cookie": cookie}, None, address)
    form = re.search(f'<form[^>]* action="{re.escape(action)}".*?</form>', answer.body.decode(), re.DOTALL)
    check(form, f"no form {action}:", answer.describe())
    fields = {}
    for tag in re.findall("<input[^>]*>", form.group()):
        attributes = dict(re.findall(r' ([a-z]+)="([^"]*)"', tag))
        if "name" in attributes and (attributes.get("type") != "checkbox" or " checked" in tag):
            fields[attributes["name"]] = html.unescape(attributes.get("value", ""))
    return fields, cookie or cookies_of(answer)


def post_form(service, action, fields, cookie="", address=None):
    return send(service, "POST", action, None, {**HEADERS, "Cookie": cookie}, urllib.parse.urlencode(fields), address)


def fill_form(service, page, action, changes, cookie=""):
    fields, cookie = opened_form(service, page, action, cookie)
    return post_form(service, action, {**fields, **changes}, cookie)


def create_token_and_feed(service, cookie):
    """Returns a personal token and the path of a calendar feed."""
    page = fill_form(service, "/settings/access", "/settings/access/tokens", {"name": "mine", "days": ""}, cookie)
    token = re.search(r"drip_pat_\w+", page.body.decode())
    page = fill_form(service, "/settings/access", "/settings/access/feeds", {"name": "mine"}, cookie)
    feed = re.search(r"/feed/\w+\.ics", page.body.decode())
    check(token and feed, "no token or no feed:", page.describe())
    return token.group(), feed.group()


def register_app(service):
    metadata = {"client_name": "Widget", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}
    return send(service, "POST", "/oauth/register", None, {"Content-Type": "application/json"}, json.dumps(metadata))


def authorization_path(client_id):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    return "/oauth/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": client_id, "redirect_uri": CALLBACK, "code_challenge": challenge,
        "code_challenge_method": "S256"})


def connect_app(service, cookie):
    """Registers an app that the user then allows access. Returns its id and its tokens."""
    client_id = json.loads(register_app(service).body)["client_id"]
    allowed = fill_form(service, authorization_path(client_id), "/oauth/consent", {"decision": "allow"}, cookie)
    equal(allowed.status, 303, "the consent")
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(allowed.headers["location"]).query)["code"][0]
    answer = request_tokens(service, client_id, grant_type="authorization_code", code=code, code_verifier=VERIFIER, redirect_uri=CALLBACK)
    equal(answer.status, 200, "the tokens")
    return client_id, json.loads(answer.body)


def request_tokens(service, client_id, **fields):
    return send(service, "POST", "/oauth/token", None, FORM, urllib.parse.urlencode({"client_id": client_id, **fields}))


def refresh_tokens(service, client_id, tokens):
    return request_tokens(service, client_id, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
