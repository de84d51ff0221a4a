//! Taking everything along, or leaving.

texts! { Data {
    lead: "What is kept of you here is yours: take it along, or have it deleted.",
    confirm_first: "To export everything or to delete your account, please give your password once more.",
    export_title: "Export everything",
    export_lead: "One zip file: your ledger as a table that can be imported again, every file that you imported as it came, and your settings, portfolios, radar and activity. At most five times a day.",
    export_submit: "Export everything",
    delete_title: "Delete the account",
    delete_lead: "Your ledger, portfolios, files, tokens and shared pages are gone at once, for good. Export them first if you may want them again.",
    delete_open: "I want to delete my account",
    delete_email: "Your e-mail address, to be sure",
    delete_submit: "Delete my account for good",
    delete_differs: "That is not the e-mail address of this account. Please type it as you sign in with it.",
    deleted: "Your account and everything in it is deleted. Farewell.",
} }
