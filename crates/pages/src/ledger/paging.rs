//! Links to the pages of a long table.

use messages::web::Texts;

pub struct Paging {
    /// "51–100 of 312"
    pub note: String,
    pub links: Vec<PageLink>,
    pub previous: Option<String>,
    pub next: Option<String>,
}

pub struct PageLink {
    /// `None` for a gap.
    pub number: Option<usize>,
    pub link: String,
    pub current: bool,
}

/// `None` if everything fits on one page. `page=` is appended to `address`, the page's own address with its query.
pub fn paging(t: &'static Texts, address: &str, page: usize, per_page: usize, total: usize) -> Option<Paging> {
    let pages = total.div_ceil(per_page).max(1);
    if pages < 2 {
        return None;
    }
    let link = |number: usize| format!("{address}{}page={number}", if address.contains('?') { "&" } else { "?" });
    let first = (page - 1) * per_page + 1;
    let last = (page * per_page).min(total);
    let note = t.ledger.range(first.to_string(), last.to_string(), total.to_string());
    let mut links: Vec<PageLink> = Vec::new();
    for number in (1..=pages).filter(|number| *number == 1 || *number == pages || number.abs_diff(page) <= 1) {
        let before = links.last().and_then(|link: &PageLink| link.number).unwrap_or(0);
        if number > before + 1 {
            links.push(PageLink { number: None, link: String::new(), current: false });
        }
        links.push(PageLink { number: Some(number), link: link(number), current: number == page });
    }
    let previous = (page > 1).then(|| link(page - 1));
    let next = (page < pages).then(|| link(page + 1));
    Some(Paging { note, links, previous, next })
}
