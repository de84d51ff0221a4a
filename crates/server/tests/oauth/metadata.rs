use serde_json::json;

use crate::flow::{base, scene};

#[test]
fn the_server_metadata_lists_its_abilities() {
    let scene = scene();
    let base = base(&scene);
    let answer = scene.get("/.well-known/oauth-authorization-server", None);
    assert_eq!(
        (answer.status, answer.header("content-type"), answer.header("access-control-allow-origin")),
        (200, "application/json", "*")
    );
    let body = answer.json();
    assert_eq!(body["issuer"], json!(base));
    assert_eq!(body["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(body["response_types_supported"], json!(["code"]));
    assert!(body["token_endpoint_auth_methods_supported"].as_array().unwrap().contains(&json!("none")));
    for flag in ["authorization_response_iss_parameter_supported", "client_id_metadata_document_supported"] {
        assert_eq!(body[flag], json!(true), "{flag}");
    }
    for endpoint in ["authorization", "token", "registration", "revocation", "introspection", "device_authorization"] {
        let address = body[format!("{endpoint}_endpoint")].as_str().unwrap();
        let path = address.strip_prefix(&base).unwrap();
        assert_ne!(scene.request("OPTIONS", path, None, &[]).status, 404, "{path}");
    }
}

#[test]
fn each_protected_resource_names_its_authorization_server() {
    let scene = scene();
    let base = base(&scene);
    for path in ["", "/api/v1", "/mcp"] {
        let body = scene.get(&format!("/.well-known/oauth-protected-resource{path}"), None).json();
        assert_eq!(body["resource"], json!(format!("{base}{path}")));
        assert_eq!(body["authorization_servers"], json!([base]));
        assert_eq!(body["scopes_supported"], json!(["read"]), "and nothing of offline access");
    }
}

#[test]
fn unknown_metadata_paths_are_json_404s() {
    let scene = scene();
    for path in ["/.well-known/openid-configuration", "/oauth/nothing", "/.well-known/oauth-protected-resource/x"] {
        let answer = scene.get(path, None);
        assert_eq!((answer.status, answer.error_code().as_str()), (404, "not_found"), "{path}");
    }
}
