//! Stored position snapshots.

use app::book::snapshot::PositionSnapshot;

/// A decoded snapshot encodes to the same bytes.
pub fn snapshot(bytes: &[u8]) {
    let Some(snapshot) = PositionSnapshot::decode(bytes) else { return };
    assert_eq!(PositionSnapshot::decode(&snapshot.encode()).as_ref(), Some(&snapshot));
    let each = snapshot.dividends.each();
    assert!(each.windows(2).all(|pair| pair[0].date <= pair[1].date), "a dividend before the one before it");
}
