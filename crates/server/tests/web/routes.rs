//! The routes of the web app, read from its source, so that new ones are tested too.

const SOURCE: &str = include_str!("../../../pages/src/lib.rs");

pub struct Route {
    pub path: &'static str,
    pub get: bool,
    pub post: bool,
}

pub fn all() -> Vec<Route> {
    let table = SOURCE.split_once("Router::new()").unwrap().1.split_once(".with_state").unwrap().0;
    let routes: Vec<Route> = table.split(".route(\"").skip(1).map(route).collect();
    assert!(routes.iter().any(|route| route.path == "/sign-in" && route.get && route.post), "the table was not read");
    routes
}

/// With something in place of each parameter.
pub fn filled(path: &str, value: &str) -> String {
    let part = |segment: &str| if segment.starts_with('{') { value.to_owned() } else { segment.to_owned() };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn route(text: &'static str) -> Route {
    let (path, handlers) = text.split_once('"').unwrap();
    let handlers: String = handlers.split_whitespace().collect();
    let has = |method: &str| handlers.contains(&format!(",{method}(")) || handlers.contains(&format!(").{method}("));
    Route { path, get: has("get"), post: has("post") }
}
