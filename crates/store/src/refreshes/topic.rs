//! What is fetched together.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Quote,
    History,
    Profile,
    /// Without a symbol.
    Calendar,
    /// Without a symbol.
    Rates,
    /// Without a symbol.
    Files,
}

impl Topic {
    pub const ALL: [Topic; 6] = [Topic::Quote, Topic::History, Topic::Profile, Topic::Calendar, Topic::Rates, Topic::Files];

    pub fn as_str(self) -> &'static str {
        match self {
            Topic::Quote => "quote",
            Topic::History => "history",
            Topic::Profile => "profile",
            Topic::Calendar => "calendar",
            Topic::Rates => "rates",
            Topic::Files => "files",
        }
    }

    /// Whether there is one per stock.
    pub fn is_per_symbol(self) -> bool {
        matches!(self, Topic::Quote | Topic::History | Topic::Profile)
    }

    pub fn parse(word: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.as_str() == word)
    }
}

crate::value::text! { Topic: Topic::parse, |topic: &Topic| topic.as_str(); }
