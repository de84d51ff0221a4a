//! `dripline client …`

use crate::dripline::Dripline;

#[test]
fn a_removed_client_is_listed_as_blocked_until_it_is_unblocked() {
    let dripline = Dripline::new();
    let id = dripline.done(&["client", "add", "--name", "Reports", "--redirect-uri", "https://reports.example/cb"]);
    let (id, address) = (id.trim(), "https://charts.example/client.json");
    dripline.run(&["client", "remove", id]).says(&["Removed Reports", "0 users"]);
    dripline.run(&["client", "remove", address]).says(&["Removed", address]);
    let listed = dripline.json(&["client", "list", "--json"]);
    let kinds: Vec<_> = listed.as_array().unwrap().iter().map(|row| (row["kind"].as_str(), row["name"].as_str())).collect();
    assert_eq!(kinds.len(), 2);
    assert!(kinds.contains(&(Some("blocked"), Some("Reports"))) && kinds.contains(&(Some("blocked"), Some(address))));
    dripline.refused(&["client", "remove", id], &["has already been removed"]);
    dripline.refused(&["client", "remove", "nobody"], &["There is no client nobody"]);
    dripline.run(&["client", "unblock", address]).says(&[address, "no longer blocked"]);
    dripline.refused(&["client", "unblock", address], &["has not been removed"]);
    assert_eq!(dripline.json(&["client", "list", "--json"]).as_array().unwrap().len(), 1);
}
