//! Ctrl-C, a closed terminal and a polite end from outside: they end a collection, and leave a whole bundle or none.

use crate::collect::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

/// What a process says that ended on Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Listens until the program ends. The first signal ends the reading, and the writing too unless what was read is to be
/// kept; the second ends the writing, the third everything, unless a system that was changed is being put back.
pub fn listen(keep_partial: bool) -> Stop {
    let stop = Stop::default();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) else { return stop };
    let told = stop.clone();
    std::thread::spawn(move || {
        for (before, _) in signals.forever().enumerate() {
            match before {
                0 if keep_partial => told.reading(),
                0 | 1 => told.all(),
                _ if told.is_held() => {}
                _ => std::process::exit(INTERRUPTED),
            }
        }
    });
    stop
}
