//! Error pages.

crate::texts! { ErrorPage = "error_page" {
    not_found_title, not_found, forbidden_title, refused_title, refused, method, too_large, too_many_title, too_many,
    unavailable_title, unavailable, crowded, too_many_jobs, too_many_uploads, full_title, disk_full, internal_title, internal,
    home;
    too_many_pages(seconds),
} }
