//! The file of an import: opened, its format found, its rows read.

use importers::{Format, Opened, Parsed};
use store::column_maps;
use uuid::Uuid;

use super::Request;
use crate::{App, Error};

pub(super) struct Source {
    pub format: &'static str,
    /// Which formats share their ids of rows with it.
    pub family: &'static str,
    pub parsed: Parsed,
    /// To quote its lines; none when it cannot even be opened.
    pub file: Option<Opened>,
    /// Which column is which, where the file is in no broker's format.
    pub columns: Option<Columns>,
}

pub(super) struct Columns {
    /// What files of the same header have in common.
    pub header: String,
    pub text: String,
    /// Said by the user now, and to be remembered.
    pub said: bool,
}

impl Source {
    pub fn refused(&self) -> bool {
        self.parsed.refusal.is_some() || !self.parsed.errors.is_empty()
    }
}

pub(super) async fn read(app: &App, user_id: Uuid, request: &Request<'_>) -> Result<Source, Error> {
    let named = request.format.map(by_name).transpose()?;
    let file = match Opened::open(request.bytes) {
        Ok(file) => file,
        Err(problem) => {
            let parsed = Parsed { refusal: Some(problem), ..Parsed::default() };
            return Ok(Source {
                format: named.map_or("unknown", |format| format.name),
                family: "",
                parsed,
                file: None,
                columns: None,
            });
        }
    };
    if let (Some(format), Some(_)) = (named.filter(|format| format.name != "generic"), request.columns) {
        let name = format.name;
        return Err(Error::refused(format!(
            "--columns is for tables in no broker's format, and {name} knows its own columns; leave out one of the two"
        )));
    }
    let format = match (named, request.columns) {
        (Some(format), _) => format,
        (None, Some(_)) => by_name("generic")?,
        (None, None) => match importers::detect(&file) {
            Some(format) => format,
            None if remembered(app, user_id, &file).await?.is_some() => by_name("generic")?,
            None => return Ok(unknown(request.file_name, file)),
        },
    };
    let (parsed, columns) = match format.name {
        "generic" => by_columns(app, user_id, request, format, &file).await?,
        _ => (format.read(&file), None),
    };
    Ok(Source { format: format.name, family: format.family, parsed, file: Some(file), columns })
}

fn by_name(name: &str) -> Result<&'static Format, Error> {
    importers::by_name(name)
        .ok_or_else(|| Error::refused(format!("there is no format \"{name}\"; `dripline import --list-formats` shows them")))
}

fn unknown(file_name: &str, file: Opened) -> Source {
    let first = file.quote(1).map(|line| line.chars().take(100).collect::<String>()).unwrap_or_default();
    let reason = format!(
        "{file_name} is in no format known here; it begins with \"{first}\". `dripline import --list-formats` shows the formats, and --columns says which column is which in a table of another"
    );
    Source { format: "unknown", family: "", parsed: Parsed::refused(1, reason), file: Some(file), columns: None }
}

/// What the user said of the columns of an earlier file with the same header.
async fn remembered(app: &App, user_id: Uuid, file: &Opened) -> Result<Option<String>, Error> {
    match importers::generic::fingerprint(file) {
        Some(header) => Ok(column_maps::get(&mut app.store.read().await?, user_id, &header).await?),
        None => Ok(None),
    }
}

/// By the columns the user named now, or for files of the same header before, else by what the header suggests.
async fn by_columns(
    app: &App,
    user_id: Uuid,
    request: &Request<'_>,
    format: &'static Format,
    file: &Opened,
) -> Result<(Parsed, Option<Columns>), Error> {
    let Some(header) = importers::generic::fingerprint(file) else { return Ok((format.read(file), None)) };
    let said = match request.columns {
        Some(columns) => Some(columns.to_owned()),
        None => remembered(app, user_id, file).await?,
    };
    let mapping = match &said {
        Some(text) => {
            Some(importers::generic::Mapping::parse(text).map_err(|reason| Error::refused(format!("--columns: {reason}")))?)
        }
        None => importers::generic::suggest(file).map(|suggestion| suggestion.mapping),
    };
    let text = mapping.as_ref().map(ToString::to_string).unwrap_or_default();
    let parsed = match (&said, &mapping) {
        (Some(_), Some(mapping)) => importers::generic::read_with(file, mapping),
        _ => format.read(file),
    };
    Ok((parsed, Some(Columns { header, text, said: request.columns.is_some() })))
}
