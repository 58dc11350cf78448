//! Monotonic clock and wall clock.

use rustix::time::{ClockId, clock_gettime};

fn read_ms(clock: ClockId) -> f64 {
    let now = clock_gettime(clock);
    // Epoch milliseconds fit a double with a fraction of a microsecond to spare.
    now.tv_sec as f64 * 1000.0 + now.tv_nsec as f64 / 1e6
}

/// Returns the monotonic time in ms, which never goes back.
pub fn monotonic_ms() -> f64 {
    read_ms(ClockId::Monotonic)
}

/// Returns the wall clock time in whole epoch ms, as the script's own dates have.
pub fn wall_ms() -> f64 {
    read_ms(ClockId::Realtime).floor()
}

/// Formats epoch ms as `2026-03-01T12:00:00.000Z`.
pub fn utc_text(epoch_ms: f64) -> String {
    let ms = epoch_ms as i64;
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, day) = civil_date(days);
    let (hour, minute, second) = (of_day / 3_600_000, of_day / 60_000 % 60, of_day / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", of_day % 1000)
}

/// Converts days since 1970-01-01 into year, month and day of the Gregorian calendar. Years are counted from March, so that the leap day is
/// the last.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * from_march + 2) / 5 + 1, if from_march < 10 { from_march + 3 } else { from_march - 9 });
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_text_writes_leap_days_and_ends_of_years() {
        assert_eq!(utc_text(0.0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc_text(951_782_400_001.0), "2000-02-29T00:00:00.001Z");
        assert_eq!(utc_text(1_735_689_599_999.0), "2024-12-31T23:59:59.999Z");
        assert_eq!(utc_text(4_107_542_400_000.0), "2100-03-01T00:00:00.000Z");
    }
}
