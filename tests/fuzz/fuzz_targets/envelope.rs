#![no_main]

use dacapo_fuzz::targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::envelope(bytes));
