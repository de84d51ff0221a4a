//! What is counted elsewhere, handed to the library that writes it down.

use std::fmt;
use std::time::Duration;

use app::times::UP_TO_MICROS;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

type Labels = Vec<(&'static str, String)>;
type Buckets = ([u64; UP_TO_MICROS.len() + 1], Duration);

/// Counters by their labels.
#[derive(Debug)]
pub struct Counts {
    name: &'static str,
    help: &'static str,
    counts: Vec<(Labels, u64)>,
}

impl Counts {
    pub fn register(registry: &mut Registry, name: &'static str, help: &'static str, counts: Vec<(Labels, u64)>) {
        registry.register_collector(Box::new(Counts { name, help, counts }));
    }
}

impl Collector for Counts {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut family = encoder.encode_descriptor(self.name, self.help, None, MetricType::Counter)?;
        for (labels, count) in &self.counts {
            family.encode_family(labels)?.encode_counter::<NoLabelSet, _, u64>(count, None)?;
        }
        Ok(())
    }
}

/// Histograms by their labels.
#[derive(Debug)]
pub struct Timed {
    name: &'static str,
    help: &'static str,
    times: Vec<(Labels, Buckets)>,
}

impl Timed {
    /// The name is without its unit.
    pub fn register(registry: &mut Registry, name: &'static str, help: &'static str, times: Vec<(Labels, Buckets)>) {
        registry.register_collector(Box::new(Timed { name, help, times }));
    }
}

impl Collector for Timed {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut family = encoder.encode_descriptor(self.name, self.help, Some(&Unit::Seconds), MetricType::Histogram)?;
        let up_to = UP_TO_MICROS.map(|micros| Duration::from_micros(micros).as_secs_f64()).into_iter().chain([f64::INFINITY]);
        for (labels, (counts, together)) in &self.times {
            let buckets: Vec<(f64, u64)> = up_to.clone().zip(counts.iter().copied()).collect();
            family.encode_family(labels)?.encode_histogram::<NoLabelSet>(
                together.as_secs_f64(),
                counts.iter().sum(),
                &buckets,
                None,
            )?;
        }
        Ok(())
    }
}
