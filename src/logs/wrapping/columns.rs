//! Which column of a table of log lines holds what. Tools and tables differ in names, case and order.

use super::{Unwrapped, Who};
use crate::logs::Line;
use crate::schema::Time;
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Time,
    Log,
    Cluster,
    Namespace,
    Pod,
    Container,
}

/// What a column of this name holds, in any case and with or without `_`.
pub(super) fn column(name: &str) -> Option<Column> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    Some(match plain.as_str() {
        "timestamp" | "time" | "timegenerated" | "realtimetimestamp" => Column::Time,
        "log" | "logmessage" | "logentry" | "message" => Column::Log,
        "cluster" | "clustername" | "kubernetescluster" => Column::Cluster,
        "namespace" | "namespacename" | "podnamespace" | "kubernetesnamespacename" => Column::Namespace,
        "pod" | "podname" | "kubernetespodname" => Column::Pod,
        "container" | "containername" | "kubernetescontainername" => Column::Container,
        _ => return None,
    })
}

/// The cells of one row that matter.
#[derive(Debug, Default)]
pub(super) struct Row<'a> {
    pub time: Option<Cow<'a, str>>,
    pub log: Option<Cow<'a, [u8]>>,
    pub cluster: Option<Cow<'a, str>>,
    pub namespace: Option<Cow<'a, str>>,
    pub pod: Option<Cow<'a, str>>,
    pub container: Option<Cow<'a, str>>,
}

impl<'a> Row<'a> {
    pub fn set(&mut self, column: Column, value: Cow<'a, str>) {
        let slot = match column {
            Column::Log => {
                self.log = Some(match value {
                    Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                    Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                });
                return;
            }
            Column::Time => &mut self.time,
            Column::Cluster => &mut self.cluster,
            Column::Namespace => &mut self.namespace,
            Column::Pod => &mut self.pod,
            Column::Container => &mut self.container,
        };
        *slot = Some(value).filter(|value| !value.is_empty());
    }

    pub fn into_owned(self) -> Row<'static> {
        let own = |text: Option<Cow<'a, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Row {
            time: own(self.time),
            log: self.log.map(|log| Cow::Owned(log.into_owned())),
            cluster: own(self.cluster),
            namespace: own(self.namespace),
            pod: own(self.pod),
            container: own(self.container),
        }
    }

    pub fn who(&self) -> Who<'_> {
        Who {
            cluster: self.cluster.as_deref(),
            namespace: self.namespace.as_deref(),
            pod: self.pod.as_deref(),
            container: self.container.as_deref(),
        }
    }

    /// The row as a line of a log.
    pub fn line(&self, number: u64, ended: bool) -> Unwrapped<'_> {
        let log = self.log.as_deref().unwrap_or_default();
        let bytes = log.strip_suffix(b"\n").unwrap_or(log);
        Unwrapped::Line(self.who(), Line { number, lines: 1, bytes, at: self.at(), ended })
    }

    pub fn at(&self) -> Option<Time> {
        self.time.as_deref().and_then(time)
    }
}

/// A time as tables write it: ISO, or microseconds since the epoch as journald does.
pub(super) fn time(text: &str) -> Option<Time> {
    let micros = || text.parse().ok().filter(|_| text.len() >= 15).map(Time::from_micros);
    Time::parse(text).or_else(micros)
}

/// The names of columns that were met, and what each holds.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<(String, Option<Column>)>);

impl Names {
    /// What a column of this name holds. There are few, and they are asked for in every row.
    pub fn column(&mut self, name: &str) -> Option<Column> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| known == name) {
            return *known;
        }
        let found = column(name);
        self.0.push((name.to_owned(), found));
        found
    }

    /// `a, b and 3 more` of the columns that are not kept.
    pub fn not_kept(&self) -> Option<String> {
        let mut others = self.0.iter().filter(|(_, column)| column.is_none()).map(|(name, _)| name.as_str());
        let shown = others.by_ref().take(8).collect::<Vec<_>>().join(", ");
        let more = match others.count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!shown.is_empty()).then(|| format!("columns that are not kept: {shown}{more}"))
    }
}
