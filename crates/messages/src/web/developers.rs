//! The developers' page. Endpoints and fields are described by the API's own document.

crate::texts! { Developers = "developers" {
    title, lead, contents, document, document_3_1, start_title, start_lead, make_token, sign_in_first, auth_title,
    auth_header, auth_make, auth_apps, auth_revoke, auth_public, conventions_title, convention, rule, money,
    money_rule, rates, rates_rule, dates, dates_rule, parameters_rule, absent, absent_rule, caching, caching_rule,
    limits, limits_rule, versions, versions_rule, assistant_title, assistant_address, assistant_copy,
    assistant_sign_in, assistant_token, assistant_tools, assistant_revoke, assistant_list, assistant_care,
    endpoints_title, token_required, token_optional, token_none, parameters, name, kind, required, present,
    description, list_of, map_of, or_null, answer, example, errors, errors_title, errors_lead, status, other_status, meaning, schemas_title;
    copy_of(path), in_place(place),
} }
