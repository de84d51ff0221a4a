//! When there is no page to show.

texts! { Oops {
    not_found_title: "Nothing here",
    not_found: "There is nothing at this address, or it is not yours to see. Please check the link, or go back to the start.",
    forbidden_title: "Please try again",
    refused_title: "That did not work",
    refused: "This request could not be understood. Please go back and try again.",
    method: "This address is part of a form and shows no page of its own. Please go back to the start.",
    too_large: "What was sent is too large. A file to import may have up to 50 MiB.",
    too_many_title: "Too many attempts",
    too_many: "That was tried too often in a short time. Please wait a minute and try again.",
    too_many_pages: "Too many requests from your network. Try again in {seconds} seconds.",
    unavailable_title: "One moment, please",
    unavailable: "The service cannot answer at this moment. Please try again in a few seconds; nothing was changed.",
    crowded: "Several large files are being worked on at this moment. Please try again in a few seconds; nothing was changed.",
    too_many_jobs: "You already have three files in progress. Wait until one is done, then try again.",
    too_many_uploads: "You are already uploading two files. Wait until one has arrived, then try again.",
    full_title: "No space left",
    internal_title: "Something went wrong",
    internal: "Something went wrong on our side. It has been noted. Please try again later.",
    home: "Go to the start page",
} }
