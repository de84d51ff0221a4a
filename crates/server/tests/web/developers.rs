use serde_json::Value;
use testkit::Service;

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The part of the page with this id, up to the next part.
fn part<'a>(page: &'a str, id: &str) -> &'a str {
    let rest = page.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no part {id}")).1;
    rest.split("</section>").next().unwrap()
}

#[test]
fn every_operation_with_its_parameters_and_errors_is_on_the_page() {
    let service = Service::start();
    let document = service.get("/api/v1/openapi.json", None).json();
    let page = service.browser().get("/developers");
    assert_eq!(page.status, 200);
    let page = page.text();
    let mut seen = 0;
    for (path, item) in members(&document["paths"]) {
        let operation = &item["get"];
        let part = part(&page, operation["operationId"].as_str().unwrap());
        assert!(part.contains(&format!("<code>GET {path}</code>")), "{path}");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let shared = parameter["$ref"].as_str().and_then(|place| document.pointer(place.trim_start_matches('#')));
            let parameter = shared.unwrap_or(parameter);
            assert!(part.contains(&format!("<code>{}</code>", parameter["name"].as_str().unwrap())), "{path} {parameter}");
        }
        let everywhere = self::part(&page, "errors");
        for (status, _) in members(&operation["responses"]).filter(|(status, _)| !status.starts_with('2')) {
            let shown = if status == "default" { "Other" } else { status };
            let row = format!("<th scope=\"row\">{shown}</th>");
            assert!(part.contains(&row) || everywhere.contains(&row), "{path} {status}");
        }
        seen += 1;
    }
    assert_eq!(seen, 18);
}

#[test]
fn every_field_of_every_type_is_on_the_page_and_every_link_leads_somewhere() {
    let service = Service::start();
    let document = service.get("/api/v1/openapi.json", None).json();
    let page = service.browser().get("/developers").text();
    let mut seen = 0;
    for (name, schema) in members(&document["components"]["schemas"]) {
        let part = part(&page, &format!("type-{name}"));
        for (field, inner) in members(&schema["properties"]) {
            assert!(part.contains(&format!("<code>{field}</code>")), "{name}.{field}");
            for (nested, _) in members(&inner["properties"]) {
                assert!(part.contains(&format!("<code>{field}.{nested}</code>")), "{name}.{field}.{nested}");
            }
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
    for target in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
}

#[test]
fn example_commands_have_the_servers_address_and_no_secret() {
    let service = Service::start();
    let browser = super::access::member(&service, "ana@example.com");
    let made = browser.fill("/settings/access", "/settings/access/tokens", &[("name", "phone"), ("days", "")]);
    assert!(made.text().contains("drip_pat_"));
    let page = browser.get("/developers").text();
    assert!(!page.contains("drip_pat_") && page.contains("Create a token"));
    let base = format!("http://{}", service.address);
    for line in [
        format!("curl -H &#34;Authorization: Bearer $TOKEN&#34; &#34;{base}/api/v1/me&#34;"),
        format!("curl &#34;{base}/api/v1/openapi.json&#34;"),
        format!("{base}/api/v1/stocks/KO&#34;"),
        format!("{base}/api/v1/stocks?q="),
    ] {
        assert!(page.contains(&line), "{line}");
    }
}

#[test]
fn assistants_find_their_address_on_the_page() {
    let service = Service::start();
    let page = service.browser().get("/developers").text();
    let assistants = part(&page, "assistants");
    assert!(assistants.contains(&format!("<code id=\"line-assistants\">http://{}/mcp</code>", service.address)), "{assistants}");
    assert!(assistants.contains("revoke"), "and how to end it");
}
