//! Reads selected members of a JSON text (RFC 8259) without parsing the rest. The result is the same as with `JSON.parse`.

use std::collections::{HashMap, hash_map::Entry};

use super::json_scanner::{Scanner, Text};
use crate::event::Member;

/// Step of a path that matches each member of an object or each entry of a list.
const EACH: &str = "*";
/// Largest member name that counts as an index. JavaScript orders such members first, by number.
const MAX_INDEX: u32 = u32::MAX - 1;

/// Tree of the wanted paths. Each node has the paths below one value.
#[derive(Default)]
pub struct Wanted {
    /// Indices of the value itself in the result.
    slots: Vec<usize>,
    named: Vec<(Box<str>, Wanted)>,
    each: Option<Box<Wanted>>,
    /// Indices of this value and of all values below it in the result.
    all_slots: Vec<usize>,
}

impl Wanted {
    /// Builds the tree. Paths are names joined by dots; the result has one entry for each, in order.
    pub fn new<'path>(paths: impl IntoIterator<Item = &'path str>) -> Self {
        let mut root = Self::default();
        for (slot, path) in paths.into_iter().enumerate() {
            let mut node = &mut root;
            node.all_slots.push(slot);
            for step in path.split('.') {
                node = if step == EACH { node.each.get_or_insert_default() } else { node.named(step) };
                node.all_slots.push(slot);
            }
            node.slots.push(slot);
        }
        root
    }

    fn named(&mut self, name: &str) -> &mut Self {
        let at = self.named.iter().position(|(known, _)| **known == *name).unwrap_or_else(|| {
            self.named.push((name.into(), Self::default()));
            self.named.len() - 1
        });
        &mut self.named[at].1
    }

    fn member(&self, name: &Text<'_>) -> Option<&Self> {
        self.named.iter().find(|(known, _)| name.is(known)).map(|(_, wanted)| wanted)
    }

    /// Returns the wanted members of a UTF-8 text, with invalid sequences replaced; `None` when it is not JSON.
    pub fn find(&self, text: &[u8]) -> Option<Vec<Member>> {
        let mut found = vec![Member::Absent; self.all_slots.len()];
        let mut walk = Walk(Scanner::new(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)));
        walk.value(self, &mut found)?;
        walk.0.is_at_end().then_some(found)
    }
}

/// Traversal of a JSON text along the wanted paths. Its methods return `None` when the text is not JSON.
struct Walk<'json>(Scanner<'json>);

impl Walk<'_> {
    /// Reads one value. The recursion is no deeper than the wanted paths.
    fn value(&mut self, wanted: &Wanted, found: &mut [Member]) -> Option<()> {
        self.0.blank();
        match self.0.peek() {
            b'{' if !wanted.named.is_empty() || wanted.each.is_some() => self.object(wanted, found),
            b'[' if wanted.each.is_some() => self.list(wanted, found),
            b'"' => {
                let text = self.0.string()?;
                for &slot in &wanted.slots {
                    found[slot] = Member::Text(text.decoded());
                }
                Some(())
            }
            b'-' | b'0'..=b'9' => {
                let number = self.0.number()?;
                for &slot in &wanted.slots {
                    found[slot] = Member::Number(number.parse().ok()?);
                }
                Some(())
            }
            _ => self.0.skip(),
        }
    }

    fn object(&mut self, wanted: &Wanted, found: &mut [Member]) -> Option<()> {
        let mut each: Vec<(Option<u32>, Vec<Member>)> = Vec::new();
        let mut places: HashMap<Vec<u16>, usize> = HashMap::new();
        self.0.at += 1;
        self.0.blank();
        if !self.0.takes(b'}') {
            loop {
                let name = self.0.name()?;
                let value_at = self.0.at;
                match wanted.member(&name) {
                    // When two members have the same name, the last one counts.
                    Some(member) => {
                        member.all_slots.iter().for_each(|&slot| found[slot] = Member::Absent);
                        self.value(member, found)?;
                    }
                    None if wanted.each.is_none() => self.0.skip()?,
                    None => (),
                }
                if let Some(entry) = &wanted.each {
                    self.0.at = value_at;
                    let mut of_entry = vec![Member::Absent; found.len()];
                    self.value(entry, &mut of_entry)?;
                    match places.entry(name.units()) {
                        Entry::Occupied(place) => each[*place.get()].1 = of_entry,
                        Entry::Vacant(place) => {
                            each.push((index_of(place.key()), of_entry));
                            place.insert(each.len() - 1);
                        }
                    }
                }
                self.0.blank();
                if !self.0.takes(b',') {
                    break;
                }
            }
            self.0.expect(b'}')?;
        }
        each.sort_by_key(|&(index, _)| index.map_or((true, 0), |index| (false, index)));
        tell_each(wanted, each.into_iter().map(|(_, entry)| entry).collect(), found);
        Some(())
    }

    fn list(&mut self, wanted: &Wanted, found: &mut [Member]) -> Option<()> {
        let mut each = Vec::new();
        self.0.at += 1;
        self.0.blank();
        if !self.0.takes(b']') {
            loop {
                let mut of_entry = vec![Member::Absent; found.len()];
                self.value(wanted.each.as_ref()?, &mut of_entry)?;
                each.push(of_entry);
                self.0.blank();
                if !self.0.takes(b',') {
                    break;
                }
            }
            self.0.expect(b']')?;
        }
        tell_each(wanted, each, found);
        Some(())
    }
}

/// Builds the lists for paths with `*`: for each wanted value, one entry per match.
fn tell_each(wanted: &Wanted, mut entries: Vec<Vec<Member>>, found: &mut [Member]) {
    for &slot in wanted.each.iter().flat_map(|each| &each.all_slots) {
        found[slot] = Member::List(entries.iter_mut().map(|entry| std::mem::replace(&mut entry[slot], Member::Absent)).collect());
    }
}

/// Returns the index that a member name stands for, such as 7 for `7`; `None` for other names such as `07`.
fn index_of(name: &[u16]) -> Option<u32> {
    let text = String::from_utf16(name).ok()?;
    let index: u32 = text.parse().ok().filter(|&index| index <= MAX_INDEX)?;
    (index.to_string() == text).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::Member::{Absent, List, Number, Text};
    use super::*;

    fn find(paths: &[&str], text: &str) -> Option<Vec<Member>> {
        Wanted::new(paths.iter().copied()).find(text.as_bytes())
    }

    #[test]
    fn find_tells_each_path_at_its_place() {
        let text = r#" {"z":[1,{"a":2}],"a":{"b":-1.5e2,"c":"x\u00e9\n"},"n":{"one":{"v":1},"two":{},"3":{"v":3}},"l":[{"v":4},5]} "#;
        let found = find(&["a.c", "a.b", "a", "n.*.v", "l.*.v", "none.*.v", "z.*", "a.b.c"], text).unwrap();
        assert_eq!(found[0], Text("xé\n".into()));
        assert_eq!(found[1], Number(-150.0));
        assert_eq!(found[2], Absent);
        // JSON.parse orders members with numeric names first.
        assert_eq!(found[3], List(vec![Number(3.0), Number(1.0), Absent]));
        assert_eq!(found[4], List(vec![Number(4.0), Absent]));
        assert_eq!(found[5], Absent);
        assert_eq!(found[6], List(vec![Number(1.0), Absent]));
        assert_eq!(found[7], Absent);
    }

    #[test]
    fn find_believes_the_last_of_two_members_with_one_name() {
        assert_eq!(find(&["a.b", "a.c"], r#"{"a":{"b":1,"c":2},"\u0061":{"b":3}}"#).unwrap(), [Number(3.0), Absent]);
        assert_eq!(find(&["a.*"], r#"{"a":{"x":1,"y":2,"x":3}}"#).unwrap(), [List(vec![Number(3.0), Number(2.0)])]);
        assert_eq!(find(&["a.*", "a.x"], r#"{"a":{"x":1,"y":2}}"#).unwrap(), [List(vec![Number(1.0), Number(2.0)]), Number(1.0)]);
    }

    /// An object with as many members as a response can have: comparing each name with all earlier ones would take minutes.
    #[test]
    fn find_tells_many_members_apart() {
        let members: Vec<String> = (0..100_000).map(|at| format!(r#""m{at}":{{"v":{at}}}"#)).collect();
        let found = find(&["n.*.v"], &format!(r#"{{"n":{{{},"m7":{{"v":-1}}}}}}"#, members.join(","))).unwrap();
        let List(values) = &found[0] else { panic!("{found:?}") };
        assert_eq!((values.len(), &values[6], &values[7]), (100_000, &Number(6.0), &Number(-1.0)));
    }

    #[test]
    fn find_refuses_what_is_not_json() {
        let broken = [
            "",
            " ",
            "{",
            "{}x",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "[1,]",
            "[1 2]",
            "[",
            "]",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "+1",
            "tru",
            "nulls",
            "'a'",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u12",
            "\"",
            "NaN",
            "{\"x\":\"\\",
            "\u{feff}\u{feff}1",
            "1\u{a0}",
            "\0",
            "{\"a\":1}\0",
        ];
        for text in broken {
            for paths in [&["a"][..], &["*.a"], &["a.*"], &[]] {
                assert_eq!(find(paths, text), None, "{text} {paths:?}");
            }
        }
        assert_eq!(find(&["a"], "\u{feff}{\"a\":1e400}").unwrap(), [Number(f64::INFINITY)]);
    }

    #[test]
    fn find_goes_through_any_depth() {
        let deep = |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        for text in [deep("[", "]", 1_000_000), deep("{\"a\":", "}", 200_000)] {
            assert_eq!(find(&["b", "a.a", "*.a"], &text).unwrap().len(), 3);
            assert_eq!(find(&["b"], &text[1..]), None);
        }
    }
}
