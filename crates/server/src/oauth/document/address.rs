//! Which addresses can be an app's id, and which servers may be contacted.

use std::net::{IpAddr, Ipv6Addr};

use app::oauth::DescriptionError;
use ipnet::{Ipv4Net, Ipv6Net};
use reqwest::Url;

const BYTES_MAX: usize = 500;

/// https, a host, a path, and only one way to write it.
pub fn checked(address: &str) -> Result<Url, DescriptionError> {
    let url = Url::parse(address).ok().filter(|_| address.len() <= BYTES_MAX);
    let url = url.ok_or(DescriptionError::AddressMalformed)?;
    let plain = url.scheme() == "https"
        && url.host_str().is_some()
        && url.as_str() == address
        && url.path().len() > 1
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        && !address.to_ascii_lowercase().contains("%2e");
    if plain { Ok(url) } else { Err(DescriptionError::AddressNotPlain) }
}

/// Whether the address is public: not this machine, not a private network, not a special range.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => !NOT_PUBLIC_V4.iter().any(|net| net.contains(&v4)),
        IpAddr::V6(v6) => GLOBAL_V6.contains(&v6) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&v6)),
    }
}

const fn v4(a: u8, b: u8, c: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(std::net::Ipv4Addr::new(a, b, c, 0), bits)
}

const fn v6(a: u16, b: u16, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), bits)
}

/// RFC 6890 and its successors.
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
];

const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);
/// Within the global range: protocol assignments, documentation, and 6to4, which hides an IPv4 address.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];
