//! How works are broken, and what their requests went through.

/// What is wrong with a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    Invalid,
    InConflict,
    NoSuchKind,
    Undecodable,
    HeldDelete,
    StatusBehind,
    Refused,
    FeedbackMissing,
    ConsumerMismatch,
    AgentAway,
    NotBroadcast,
    ListenerLost,
    BrokerLost,
}

/// When a work is made: with all others, or in a time in which something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Main,
    OneReplicaDeaf,
    AllReplicasDeaf,
    WithoutBroker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Create,
    Update,
    Delete,
}

/// One request of a work: when, after the first; what happened, and what became of each status.
pub struct Request {
    pub kind: Kind,
    pub after: i64,
    pub steps: &'static [&'static str],
    pub statuses: &'static [&'static [&'static str]],
}

impl Way {
    pub const ALL: [Self; 13] = [
        Self::Invalid,
        Self::InConflict,
        Self::NoSuchKind,
        Self::Undecodable,
        Self::HeldDelete,
        Self::StatusBehind,
        Self::Refused,
        Self::FeedbackMissing,
        Self::ConsumerMismatch,
        Self::AgentAway,
        Self::NotBroadcast,
        Self::ListenerLost,
        Self::BrokerLost,
    ];

    /// The rule that has to find it.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Invalid | Self::InConflict | Self::NoSuchKind | Self::Undecodable => "apply_failed",
            Self::HeldDelete => "delete_stuck",
            Self::StatusBehind => "status_version_behind",
            Self::Refused => "request_refused",
            Self::FeedbackMissing => "feedback_missing",
            Self::ConsumerMismatch | Self::AgentAway => "published_not_delivered",
            Self::NotBroadcast => "status_not_broadcast",
            Self::ListenerLost | Self::BrokerLost => "spec_event_unreconciled",
        }
    }

    pub const fn phase(self) -> Phase {
        match self {
            Self::NotBroadcast => Phase::OneReplicaDeaf,
            Self::ListenerLost => Phase::AllReplicasDeaf,
            Self::BrokerLost => Phase::WithoutBroker,
            _ => Phase::Main,
        }
    }
}

const TOLD: &[&str] = &["sent", "taken up", "stored", "broadcast", "handed over"];
const CREATED: &[&str] = &["looked up, absent", "received", "published", "delivered", "applied"];
const UPDATED: &[&str] = &["looked up", "received", "published", "delivered", "applied"];

/// What a work went through.
pub fn story(way: Option<Way>) -> Vec<Request> {
    let create = |steps, statuses| Request { kind: Kind::Create, after: 0, steps, statuses };
    let update = |after, statuses| Request { kind: Kind::Update, after, steps: UPDATED, statuses };
    let Some(way) = way else {
        return vec![create(CREATED, &[TOLD, TOLD]), update(2_000_000, &[TOLD, TOLD]), update(4_000_000, &[TOLD])];
    };
    let only = |steps, statuses| vec![create(steps, statuses)];
    match way {
        Way::Invalid => only(&["looked up, absent", "received", "published", "delivered", "invalid"], &[TOLD]),
        Way::InConflict => only(&["looked up, absent", "received", "published", "delivered", "in conflict"], &[TOLD]),
        Way::NoSuchKind => only(&["looked up, absent", "received", "published", "delivered", "of no kind"], &[TOLD]),
        Way::Undecodable => only(&["looked up, absent", "received", "published", "delivered", "not decoded"], &[]),
        Way::FeedbackMissing => only(CREATED, &[TOLD, TOLD]),
        Way::HeldDelete => vec![
            create(CREATED, &[TOLD, TOLD]),
            Request {
                kind: Kind::Delete,
                after: 2_000_000,
                steps: &["looked up", "received", "published", "delivered", "removed"],
                statuses: &[TOLD],
            },
        ],
        Way::StatusBehind => {
            vec![create(CREATED, &[TOLD, TOLD]), update(2_000_000, &[&["sent", "taken up", "not stored"]])]
        }
        Way::Refused => only(&["looked up, absent", "received", "refused"], &[]),
        Way::ConsumerMismatch | Way::AgentAway => only(&["looked up, absent", "received", "published"], &[]),
        Way::NotBroadcast => only(CREATED, &[&["sent", "taken up", "stored", "broadcast"]]),
        Way::ListenerLost => only(&["looked up, absent", "received"], &[]),
        Way::BrokerLost => only(&["looked up, absent", "received", "not published"], &[]),
    }
}

impl Kind {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    /// As the events table has it.
    pub const fn event_type(self) -> &'static str {
        match self {
            Self::Create => "Create",
            Self::Update => "Update",
            Self::Delete => "Delete",
        }
    }

    /// What happened to the row, and the line of source that says so.
    pub const fn change(self) -> (&'static str, &'static str) {
        match self {
            Self::Create => ("insert", "92"),
            Self::Update => ("update", "129"),
            Self::Delete => ("delete", "160"),
        }
    }
}
