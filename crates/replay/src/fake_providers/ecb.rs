//! Reference rates as the European Central Bank publishes them: XML for the recent days, zipped CSV for all.

use std::collections::{BTreeMap, BTreeSet};

use crate::http::{Reply, Request};
use crate::world::World;

pub fn answer(world: &World, request: &Request) -> Reply {
    let days = newest_first(world);
    // About 64 of 90 days are working days.
    let recent = &days[..days.len().min(64)];
    let newest = &days[..days.len().min(1)];
    match request.path.rsplit('/').next().unwrap_or_default() {
        "eurofxref-daily.xml" => xml(newest),
        "eurofxref-hist-90d.xml" => xml(recent),
        "eurofxref.zip" => zip("eurofxref.csv", &csv(newest, ", ", in_words)),
        "eurofxref-hist.zip" => zip("eurofxref-hist.csv", &csv(&days, ",", str::to_owned)),
        _ => Reply::text("text/html", "<!doctype html><title>Not found</title>").status(404),
    }
}

/// A day and its rates by currency.
type Day<'a> = (&'a str, BTreeMap<&'a str, &'a str>);

fn newest_first(world: &World) -> Vec<Day<'_>> {
    let mut days: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (day, currency, rate) in &world.rates {
        days.entry(day).or_default().insert(currency, rate);
    }
    days.into_iter().rev().collect()
}

fn xml(days: &[Day<'_>]) -> Reply {
    let cube = |(currency, rate): (&&str, &&str)| format!("<Cube currency='{currency}' rate='{rate}'/>");
    let day = |(day, rates): &Day<'_>| format!("<Cube time='{day}'>{}</Cube>", rates.iter().map(cube).collect::<String>());
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gesmes:Envelope xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\"><gesmes:subject>Reference rates</gesmes:subject>\
         <Cube>{}</Cube></gesmes:Envelope>",
        days.iter().map(day).collect::<String>()
    );
    Reply::text("text/xml", body)
}

fn csv(days: &[Day<'_>], comma: &str, date: fn(&str) -> String) -> String {
    let currencies: BTreeSet<&str> = days.iter().flat_map(|(_, rates)| rates.keys().copied()).collect();
    let line = |first: String, cells: Vec<&str>| format!("{first}{comma}{}{comma}\n", cells.join(comma));
    let row = |(day, rates): &Day<'_>| {
        line(date(day), currencies.iter().map(|currency| rates.get(currency).copied().unwrap_or("N/A")).collect())
    };
    let header = line("Date".to_owned(), currencies.iter().copied().collect());
    header + &days.iter().map(row).collect::<String>()
}

/// `2026-09-04` as `04 September 2026`.
fn in_words(day: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let month: usize = day[5..7].parse().unwrap();
    format!("{} {} {}", &day[8..], MONTHS[month - 1], &day[..4])
}

/// One file, "deflated" into uncompressed blocks.
fn zip(name: &str, text: &str) -> Reply {
    let mut packed = Vec::new();
    for block in text.as_bytes().chunks(0xFFFF) {
        let length = block.len() as u16;
        packed.push(0);
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(&(!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    packed.extend_from_slice(&[1, 0, 0, 0xFF, 0xFF]);

    let mut about = vec![20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];
    about.extend_from_slice(&checksum(text.as_bytes()).to_le_bytes());
    about.extend_from_slice(&(packed.len() as u32).to_le_bytes());
    about.extend_from_slice(&(text.len() as u32).to_le_bytes());
    about.extend_from_slice(&(name.len() as u16).to_le_bytes());
    about.extend_from_slice(&[0, 0]);

    let file = [b"PK\x03\x04", about.as_slice(), name.as_bytes(), &packed].concat();
    let directory = [b"PK\x01\x02\x14\x00", about.as_slice(), &[0; 14], name.as_bytes()].concat();
    let mut end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0".as_slice(), &(directory.len() as u32).to_le_bytes()].concat();
    end.extend_from_slice(&(file.len() as u32).to_le_bytes());
    end.extend_from_slice(&[0, 0]);
    let headers = vec![("content-type".to_owned(), "application/zip".to_owned())];
    Reply { status: 200, headers, body: [file, directory, end].concat() }
}

/// CRC-32 as in zip files.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}
