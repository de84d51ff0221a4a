//! Packs relocations if the C library of this machine reads them (glibc 2.36 and later). The program is 1.7 MB smaller then.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let native = set("HOST") == set("TARGET") && set("CARGO_CFG_TARGET_OS") == "linux" && set("CARGO_CFG_TARGET_ENV") == "gnu";
    if native && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
