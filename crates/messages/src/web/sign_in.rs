//! Signing in, signing up, resetting the password.

crate::texts! { SignIn = "sign_in" {
    title, email, password, submit, wrong, unlock_lead, unlock_send, unlock_sent, unlock_title, unlock_confirm,
    unlock_submit, unlock_done, forgot, new_here, http_note, code_title, code, code_hint, code_submit, code_wrong,
    confirm_title, confirm_lead, confirm_wrong, confirm_submit, signed_out, welcome_title, welcome_lead,
    welcome_submit, sign_up_title, sign_up_submit, sign_up_mail_lead, sign_up_mail_submit, sign_up_mailed,
    sign_up_link_lead, sign_up_link_bad, sign_up_ready, sign_up_closed, sign_up_invitation, sign_up_invitation_bad,
    sign_up_done, have_account, name, password_hint, currency, currency_hint, residence, residence_hint,
    residence_none, reset_title, reset_lead, reset_submit, reset_sent, reset_operator, reset_choose, reset_new,
    reset_save, reset_bad, reset_done;
    wait(time), seconds(n), minutes(n),
} }
