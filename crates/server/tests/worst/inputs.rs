//! For each parser the input that takes it longest for its size.

use std::io::{Cursor, Write};

use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{Case, MB, World};

/// As much as is read of a form, a head, an address, what an app registers with and what it asks for tokens with.
const FORM: usize = 64 << 10;
const HEAD: usize = 14 << 10;
const ADDRESS: usize = 7 << 10;
const REGISTRATION: usize = 8_000;
const TOKEN: usize = 16 << 10;
/// Less what is around the arguments.
const TOOL_CALL: usize = 127 << 10;

pub fn cases() -> Vec<Case> {
    [requests(), programs(), forms(), tables(), documents()].into_iter().flatten().collect()
}

fn requests() -> Vec<Case> {
    vec![
        case(
            "Search",
            "words that many names contain, with typos",
            100,
            |bytes| fit("holdin energi compan xy ", bytes.min(100)),
            |world, q| {
                world.ask("GET", &format!("/api/v1/stocks?q={}", escaped(q)), &[], b"");
                world.ask("GET", &format!("/search?q={}", escaped(q)), &[], b"");
            },
        ),
        case(
            "Query parameters",
            "only names, without values",
            ADDRESS,
            |bytes| fit("a&", bytes),
            |world, query| {
                world.ask("GET", &format!("/api/v1/calendar?{}", text(query)), &[], b"");
            },
        ),
        case(
            "Query parameters",
            "one value of escaped characters",
            ADDRESS,
            |bytes| fit("%41", bytes),
            |world, value| {
                world.ask("GET", &format!("/api/v1/holdings?portfolio={}", text(value)), &[], b"");
            },
        ),
        case(
            "Number parameter",
            "thousands of digits",
            ADDRESS,
            |bytes| fit("9", bytes),
            |world, digits| {
                world.ask("GET", &format!("/api/v1/calendar?days={}", text(digits)), &[], b"");
            },
        ),
        case(
            "Path",
            "escaped dots and slashes",
            ADDRESS,
            |bytes| fit("%2e%2e%2f", bytes),
            |world, path| {
                world.ask("GET", &format!("/stocks/{}", text(path)), &[], b"");
            },
        ),
        case(
            "Cookies",
            "thousands of cookies",
            HEAD,
            |bytes| fit("a=b; ", bytes),
            |world, cookies| {
                world.ask("GET", "/upcoming", &[("Cookie", &text(cookies))], b"");
            },
        ),
        case(
            "Entity tags",
            "thousands of tags",
            HEAD,
            |bytes| fit("W/\"a\", ", bytes),
            |world, tags| {
                world.ask("GET", "/api/v1/holdings", &[("If-None-Match", &text(tags))], b"");
            },
        ),
        case(
            "Languages",
            "thousands of languages",
            HEAD,
            |bytes| fit("de;q=0.1,", bytes / 2),
            |world, list| {
                world.ask("GET", "/sign-in", &[("Accept-Language", &text(list)), ("Accept-Encoding", &text(list))], b"");
            },
        ),
        case(
            "Proxy addresses",
            "thousands of addresses",
            HEAD,
            |bytes| fit("10.0.0.1, ", bytes),
            |world, list| {
                world.ask("GET", "/api/v1/calendar", &[("X-Forwarded-For", &text(list))], b"");
            },
        ),
        case(
            "User agent",
            "one long name",
            HEAD,
            |bytes| fit("Mozilla/5.0 (X11) ", bytes),
            |world, agent| {
                world.ask("GET", "/sign-in", &[("User-Agent", &text(agent))], b"");
            },
        ),
        case(
            "Ledger filter",
            "one long text",
            ADDRESS,
            |bytes| fit("%C3%89a", bytes),
            |world, filter| {
                world.ana.get(&format!("/ledger?text={}", text(filter)));
            },
        ),
    ]
}

fn programs() -> Vec<Case> {
    vec![
        case("MCP", "an array of arrays", TOOL_CALL, |bytes| mcp(&format!("[{}0]", "[],".repeat(bytes / 3))), mcp_call),
        case(
            "MCP",
            "an object with thousands of fields",
            TOOL_CALL,
            |bytes| {
                let fields: Vec<String> = (0..bytes / 11).map(|number| format!("\"{number:x}\":1")).collect();
                mcp(&format!("{{{}}}", fields.join(",")))
            },
            mcp_call,
        ),
        case(
            "MCP",
            "one text of escaped characters",
            TOOL_CALL,
            |bytes| mcp(&format!("{{\"q\":\"{}\"}}", "\\u00e9".repeat(bytes / 6))),
            mcp_call,
        ),
        case(
            "MCP",
            "a list of messages",
            TOOL_CALL,
            |bytes| {
                let one = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
                format!("[{}]", vec![one; bytes / (one.len() + 1)].join(",")).into_bytes()
            },
            mcp_call,
        ),
        case(
            "App registration",
            "thousands of one-byte addresses",
            REGISTRATION,
            |bytes| json!({"client_name": "x", "redirect_uris": vec!["a"; bytes / 4]}).to_string().into_bytes(),
            |world, body| {
                world.ask("POST", "/oauth/register", &[("Content-Type", "application/json")], body);
            },
        ),
        case(
            "Consent request",
            "a long redirect address",
            ADDRESS,
            |bytes| fit("%2e%2e/", bytes),
            |world, path| {
                let query = format!("response_type=code&client_id=x&redirect_uri=https://a.example/{}", text(path));
                world.ask("GET", &format!("/oauth/authorize?{query}"), &[], b"");
            },
        ),
        case(
            "Consent request",
            "a long address as the app's ID",
            ADDRESS,
            |bytes| fit("a.", bytes),
            |world, host| {
                world.ask("GET", &format!("/oauth/authorize?response_type=code&client_id=https://{}x/", text(host)), &[], b"");
            },
        ),
        case(
            "Token request",
            "only names, without values",
            TOKEN,
            |bytes| fit("a&", bytes),
            |world, body| {
                world.ask("POST", "/oauth/token", &[("Content-Type", "application/x-www-form-urlencoded")], body);
            },
        ),
    ]
}

fn forms() -> Vec<Case> {
    vec![
        case(
            "Forms",
            "only names, without values",
            FORM,
            |bytes| fit("a&", bytes),
            |world, body| {
                let kind = ("Content-Type", "application/x-www-form-urlencoded");
                world.ask("POST", "/sign-in", &[kind, ("Sec-Fetch-Site", "same-origin")], body);
            },
        ),
        case(
            "Transaction form",
            "long figures and notes",
            FORM,
            |bytes| fit("9", (bytes / 6).min(9_000)),
            |world, long| {
                let long = text(long);
                let fields =
                    [("type", "buy"), ("symbol", &long), ("date", &long), ("shares", &long), ("price", &long), ("note", &long)];
                world.ana.fill("/ledger/new", "/ledger/new", &fields);
            },
        ),
        case(
            "Portfolio name",
            "letters that case-insensitive comparison expands",
            FORM,
            |bytes| fit("ŉΐﬃ", bytes / 9),
            |world, name| {
                world.ana.fill("/portfolios", "/portfolios/add", &[("name", &text(name))]);
            },
        ),
        case(
            "Upload form",
            "parts without content",
            MB,
            |bytes| {
                let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n";
                format!("{}--b--\r\n", part.repeat(bytes / part.len())).into_bytes()
            },
            upload_raw,
        ),
        case(
            "Upload form",
            "the start of the boundary, again and again",
            MB,
            |bytes| fit("\r\n--", bytes),
            |world, body| {
                upload_raw(world, &[b"--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n", body].concat());
            },
        ),
    ]
}

fn tables() -> Vec<Case> {
    vec![
        case(
            "Import, CSV",
            "a new stock on every row",
            MB,
            |bytes| {
                let rows: String = (0..bytes / 32).map(|number| format!("2024-01-02,buy,N{number:06},1,1,EUR\n")).collect();
                format!("date,type,symbol,shares,price,currency\n{rows}").into_bytes()
            },
            |world, file| world.import("stocks.csv", file),
        ),
        case(
            "Import, CSV",
            "the same row again and again",
            MB,
            |bytes| rows("date,type,symbol,shares,price,currency\n", "2024-01-02,buy,SAME,1,1,EUR\n", bytes),
            |world, file| world.import("same.csv", file),
        ),
        case(
            "Import, CSV",
            "an error on every row",
            MB,
            |bytes| rows("date,type,symbol,shares,price,currency\n", "x,y,z,a,b,c\n", bytes),
            |world, file| world.import("errors.csv", file),
        ),
        case(
            "Import, CSV",
            "an unknown security on every row",
            MB,
            |bytes| {
                let rows: String =
                    (0..bytes / 36).map(|number| format!("2024-01-02,buy,Company {number:07},1,1,EUR\n")).collect();
                format!("date,type,name,shares,price,currency\n{rows}").into_bytes()
            },
            |world, file| world.import("names.csv", file),
        ),
        case(
            "Import, CSV",
            "one stock, bought and sold again and again",
            MB,
            |bytes| {
                rows(
                    "date,type,symbol,shares,price,currency\n",
                    "2024-01-02,buy,SOLD,1,1,EUR\n2024-01-03,sell,SOLD,1,1,EUR\n",
                    bytes,
                )
            },
            |world, file| world.import("sold.csv", file),
        ),
        case(
            "Import, CSV",
            "short lines of an unknown table",
            MB,
            |bytes| fit("a,b\n", bytes),
            |world, file| world.import("x.csv", file),
        ),
        case("Import, CSV", "one line of separators", MB, |bytes| fit(",", bytes), |world, file| world.import("x.csv", file)),
        case(
            "Import, CSV",
            "one cell without an end",
            MB,
            |bytes| [b"\"".to_vec(), fit("a\n", bytes)].concat(),
            |world, file| {
                world.import("x.csv", file);
            },
        ),
        case(
            "Import, CSV",
            "thousands of columns",
            MB,
            |bytes| {
                let header: Vec<String> = (0..bytes / 16).map(|number| format!("date{number}")).collect();
                format!("{}\n{}\n", header.join(","), "1,".repeat(bytes / 4)).into_bytes()
            },
            |world, file| world.import("x.csv", file),
        ),
        case(
            "Import, encodings",
            "bytes that fit no encoding",
            MB,
            |bytes| fit_bytes(&[0xff, 0xfe, 0x80, b'\n', 0], bytes),
            |world, file| {
                world.import("x.csv", file);
            },
        ),
        case("Import, XLSX", "a workbook that unpacks to many rows", MB, workbook, |world, file| world.import("x.xlsx", file)),
    ]
}

fn documents() -> Vec<Case> {
    vec![
        case(
            "Import, XML",
            "elements in elements",
            MB,
            |bytes| {
                let half = bytes / 7;
                format!("<FlexQueryResponse>{}{}</FlexQueryResponse>", "<a>".repeat(half), "</a>".repeat(half)).into_bytes()
            },
            |world, file| world.import("x.xml", file),
        ),
        case(
            "Import, XML",
            "one element with many attributes",
            MB,
            |bytes| {
                let attributes: String = (0..bytes / 12).map(|number| format!(" a{number:06}=\"\"")).collect();
                format!("<FlexQueryResponse><Trade{attributes}/></FlexQueryResponse>").into_bytes()
            },
            |world, file| world.import("x.xml", file),
        ),
        case(
            "Import, OFX",
            "tags that are never closed",
            MB,
            |bytes| rows("OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><INVSTMTRS>\n", "<BUYSTOCK><INVBUY>\n", bytes),
            |world, file| world.import("x.ofx", file),
        ),
        case(
            "Import, OFX",
            "many purchases",
            MB,
            |bytes| {
                rows(
                    "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><INVSTMTRS>\n",
                    "<BUYSTOCK><INVBUY><FITID>1<DTTRADE>20240102<UNITS>1</BUYSTOCK>\n",
                    bytes,
                )
            },
            |world, file| world.import("x.ofx", file),
        ),
        case(
            "Import, JSON",
            "many activities",
            MB,
            |bytes| {
                let one = r#"{"currency":"EUR","date":"2024-01-02T00:00:00Z","fee":0,"quantity":1,"type":"BUY","unitPrice":1,"symbol":"J"}"#;
                format!("{{\"activities\":[{}]}}", vec![one; bytes / (one.len() + 1)].join(",")).into_bytes()
            },
            |world, file| world.import("x.json", file),
        ),
        case(
            "Import, JSON",
            "an array of arrays",
            MB,
            |bytes| format!("{{\"activities\":[{}[]]}}", "[[]],".repeat(bytes / 5)).into_bytes(),
            |world, file| world.import("x.json", file),
        ),
    ]
}

fn case(reader: &'static str, worst: &'static str, bytes: usize, make: fn(usize) -> Vec<u8>, send: fn(&World, &[u8])) -> Case {
    Case { reader, worst, bytes, make, send }
}

fn mcp(arguments: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"search_stocks","arguments":{arguments}}}}}"#)
        .into_bytes()
}

fn mcp_call(world: &World, body: &[u8]) {
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    world.ask("POST", "/mcp", &headers, body);
}

fn upload_raw(world: &World, parts: &[u8]) {
    world.ana.get("/import");
    let token = format!("--b\r\nContent-Disposition: form-data; name=\"_token\"\r\n\r\n{}\r\n", world.ana.token());
    let body = [token.as_bytes(), parts].concat();
    let cookie = ["__Host-s", "__Host-f"].map(|name| format!("{name}={}", world.ana.cookie(name).unwrap_or_default())).join("; ");
    let headers = [("Content-Type", "multipart/form-data; boundary=b"), ("Sec-Fetch-Site", "same-origin"), ("Cookie", &cookie)];
    world.ask("POST", "/import", &headers, &body);
}

/// Made-up companies.
pub fn listings(number: usize) -> String {
    let words = ["Holdings", "Energy", "Company", "Group", "Partners", "Holding", "Compania", "International"];
    let row = |at: usize| format!("Q{at:05},{} {} {},EUR\n", words[at % 8], words[at / 8 % 8], words[at / 64 % 8]);
    format!("symbol,name,currency\n{}", (0..number).map(row).collect::<String>())
}

/// The piece repeated up to this many bytes.
fn fit(piece: &str, bytes: usize) -> Vec<u8> {
    piece.repeat(bytes / piece.len()).into_bytes()
}

fn fit_bytes(piece: &[u8], bytes: usize) -> Vec<u8> {
    piece.repeat(bytes / piece.len())
}

fn rows(head: &str, row: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}", row.repeat(bytes / row.len())).into_bytes()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn escaped(bytes: &[u8]) -> String {
    text(bytes).replace(' ', "%20")
}

/// Packed, a row takes a few bytes.
fn workbook(bytes: usize) -> Vec<u8> {
    let cells = |row: usize, texts: [&str; 6]| {
        let cell = |text: &str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
        format!("<row r=\"{row}\">{}</row>", texts.map(cell).concat())
    };
    let head = cells(1, ["date", "type", "symbol", "shares", "price", "currency"]);
    let body: String = (2..2 + bytes / 20).map(|row| cells(row, ["2024-01-02", "buy", "SAME", "1", "1", "EUR"])).collect();
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let parts = [
        ("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>".to_owned()),
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{relationships}\"><Relationship Id=\"r\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"s\" sheetId=\"1\" r:id=\"r\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{relationships}\"><Relationship Id=\"r\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", format!("<worksheet xmlns=\"{main}\"><sheetData>{head}{body}</sheetData></worksheet>")),
    ];
    let mut packed = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in parts {
        packed.start_file(name, SimpleFileOptions::default()).unwrap();
        packed.write_all(part.as_bytes()).unwrap();
    }
    packed.finish().unwrap().into_inner()
}
