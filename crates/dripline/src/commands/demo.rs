//! `dripline demo`: everything ready, nothing kept.

use std::process::ExitCode;
use std::sync::Arc;

use app::App;

use super::serve;
use crate::config::Settings;
use crate::output;

pub async fn run(settings: Settings) -> anyhow::Result<ExitCode> {
    serve::start_log();
    let listener = serve::bind(&settings).await?;
    let folder = tempfile::Builder::new().prefix("dripline-demo-").tempdir()?;
    let app = App::open(folder.path(), settings.clock).await?;
    let demo = app::demo::install(&app).await?;
    let url = format!("http://{}", listener.local_addr()?);
    output::result(&format!(
        "Dripline demo on {url} (made-up account, throw-away database, gone when this stops)\n\n\
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
