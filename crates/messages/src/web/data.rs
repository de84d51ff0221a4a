//! Settings → Your data: export and delete.

crate::texts! { Data = "data" {
    lead, confirm_first, export_title, export_lead, export_submit, delete_title, delete_lead, delete_open,
    delete_email, delete_submit, delete_differs, deleted, archive_readme,
} }
