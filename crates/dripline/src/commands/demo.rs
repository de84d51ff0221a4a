//! `dripline demo`: everything ready, nothing kept.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use app::App;
use reference::REFERENCE;

use super::serve;
use crate::config::Settings;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Write the sample files to a folder instead of starting the server
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

pub async fn run(settings: Settings, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(folder) = &arguments.write {
        return write(folder, &settings);
    }
    settings.load_messages()?;
    let _log = serve::start_log()?;
    let listener = serve::bind(&settings).await?;
    let folder = tempfile::Builder::new().prefix("dripline-demo-").tempdir()?;
    let app = App::open(folder.path(), settings.clock).await?.with_reference(&REFERENCE);
    let app = app.with_public_holders(settings.public_holders);
    let demo = app::operations::demo::install(&app).await?;
    let url = settings.url_of(listener.local_addr()?);
    output::result(&format!(
        "Dripline demo on {url} (sample account and temporary database, deleted on exit)\n\n\
         sign-in   {}  password  {}\n\
         token     {}\n\n\
         Try it:\n  curl -H 'Authorization: Bearer {}' {url}/api/v1/income\n\n\
         Without a token:\n  curl {url}/api/v1/calendar\n  curl {url}/api/v1/openapi.json\n\n\
         Stop with Ctrl-C.",
        demo.email, demo.password, demo.token, demo.token
    ));
    let code = serve::serve(Arc::new(app), listener, settings).await;
    folder.close()?;
    code
}

fn write(folder: &Path, settings: &Settings) -> anyhow::Result<ExitCode> {
    let files = app::operations::demo::files(settings.clock.today());
    let ledger = [("ledger.csv", files.ledger)];
    std::fs::create_dir_all(folder).with_context(|| output::refusal().folder_not_created(folder.display().to_string()))?;
    for (name, text) in files.market.into_iter().chain(ledger) {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| output::refusal().unwritable(path.display().to_string()))?;
        output::result(&path.display().to_string());
    }
    Ok(ExitCode::SUCCESS)
}
