#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| vedette_agent_fuzz::ssh::fuzzing::connection(data));
