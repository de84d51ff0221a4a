//! Errors of commands, in words.

use std::process::ExitCode;

use messages::errors;
use serving::RedisSetupError;
use serving::tls::TlsError;

use crate::config::file::{FileError, FileProblem};
use crate::output::{in_words, language, message};

/// Prints the error; exit code 1.
pub fn print(error: &anyhow::Error) -> ExitCode {
    message(&format!("dripline: {}", explain(error)));
    ExitCode::FAILURE
}

/// The error with its causes.
pub fn explain(error: &anyhow::Error) -> String {
    error.chain().map(cause).collect::<Vec<_>>().join(": ")
}

fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    if let Some(error) = error.downcast_ref() {
        return in_words(error);
    }
    if let Some(error) = error.downcast_ref() {
        return errors::database(language(), error);
    }
    if let Some(error) = error.downcast_ref::<TlsError>() {
        return error.text(language());
    }
    if let Some(error) = error.downcast_ref::<RedisSetupError>() {
        return error.text(language());
    }
    if let Some(error) = error.downcast_ref::<FileError>() {
        return settings_file(error);
    }
    error.to_string()
}

fn settings_file(error: &FileError) -> String {
    let texts = messages::settings::File::load(language());
    let problem = match &error.problem {
        FileProblem::KeyNotText => texts.key,
        FileProblem::MailServerNotText => texts.mail_server,
        FileProblem::AddressNotText => texts.address,
        FileProblem::Syntax(words) => words,
    };
    let path = error.path.display().to_string();
    match error.setting.as_str() {
        "" => texts.unusable(path, error.line, problem),
        setting => texts.unusable_setting(path, error.line, setting, problem),
    }
}
