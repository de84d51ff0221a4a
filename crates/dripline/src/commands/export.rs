//! `dripline export`

use std::path::PathBuf;

use app::App;

use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Account, by e-mail address
    #[arg(long)]
    user: String,
    /// File format
    #[arg(long, value_enum, default_value = "dripline")]
    format: Form,
    /// Output file [default: standard output]
    #[arg(long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    /// Dripline's own format: complete, and can be imported again
    Dripline,
    /// A plain table (CSV) for spreadsheets and other trackers
    Generic,
}

pub async fn run(app: &App, arguments: &Arguments) -> anyhow::Result<()> {
    let form = match arguments.format {
        Form::Dripline => app::entries::export::Form::Dripline,
        Form::Generic => app::entries::export::Form::Generic,
    };
    let user_id = app::accounts::id_of(app, &arguments.user).await?;
    let bytes = app::entries::export::write(app, user_id, form).await?;
    output::bytes(&bytes, arguments.output.as_deref())
}
