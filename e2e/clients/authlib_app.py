"""Authlib, as a confidential app that the operator registered: code with PKCE, refresh, revocation."""

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from person import open_in_browser, report, settings

URL = settings["url"]
TOKEN = f"{URL}/oauth/token"


def main():
    app = OAuth2Session(
        settings["id"], settings["secret"], scope="read offline_access", redirect_uri=settings["callback"], code_challenge_method="S256",
        token_endpoint=TOKEN, token_endpoint_auth_method=settings["method"])
    verifier = generate_token(48)
    address, state = app.create_authorization_url(f"{URL}/oauth/authorize", code_verifier=verifier)
    first = app.fetch_token(TOKEN, authorization_response=open_in_browser(address), state=state, code_verifier=verifier)
    report(called=get_me(app))
    second = app.refresh_token(TOKEN, refresh_token=first["refresh_token"])
    report(rotated=first["refresh_token"] != second["refresh_token"], refreshed=get_me(app))
    revoked = app.revoke_token(f"{URL}/oauth/revoke", token=second["refresh_token"], token_type_hint="refresh_token")
    report(revoked=revoked.status_code, after=get_me(app)["status"])


def get_me(app):
    answer = app.get(f"{URL}/api/v1/me")
    return {"status": answer.status_code, "body": answer.json()}


main()
