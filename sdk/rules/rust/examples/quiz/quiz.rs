//! A quiz: clients send their answers as messages of topic "quiz". The right one scores, once a person and round. Using one of
//! the rule's objects starts the next round.
//!
//! Settings: `answer`, the right answer, default "b"; `points`, default 10.
#![no_std]

use venued_rules::*;

struct Quiz {
    answer: [u8; 64],
    answer_len: usize,
    points: i64,
}

impl Rule for Quiz {
    fn new(settings: &Init) -> Result<Self, i32> {
        let text = settings.text("answer", "b").as_bytes();
        let mut quiz = Quiz { answer: [0; 64], answer_len: text.len(), points: settings.int("points", 10) };
        if text.is_empty() || text.len() > quiz.answer.len() {
            log("answer must have 1 to 64 bytes");
            return Err(1);
        }
        quiz.answer[..text.len()].copy_from_slice(text);
        if quiz.points < 1 || quiz.points > 1_000_000 {
            log("points must be between 1 and 1000000");
            return Err(1);
        }
        Ok(quiz)
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        for e in batch.events() {
            match e.kind() {
                EVENT_USE => next(&e, out),
                EVENT_MESSAGE => {
                    if let (b"quiz", payload) = e.message() {
                        self.judge(&e, given(payload), out);
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_space(c: &u8) -> bool {
    matches!(*c, b' ' | b'\t' | b'\r' | b'\n')
}

fn trim_left(s: &[u8]) -> &[u8] {
    &s[s.iter().take_while(|c| is_space(c)).count()..]
}

/// The answer in a payload, which is `{"answer":"b"}` or the answer itself; empty for none.
fn given(payload: &[u8]) -> &[u8] {
    let p = trim_left(payload);
    let p = &p[..p.len() - p.iter().rev().take_while(|c| is_space(c)).count()];
    if p.first() != Some(&b'{') {
        return p;
    }
    quoted(p).unwrap_or(&[])
}

fn quoted(p: &[u8]) -> Option<&[u8]> {
    let key = b"\"answer\"";
    let at = p.windows(key.len()).position(|w| w == key)?;
    let p = trim_left(&p[at + key.len()..]).strip_prefix(b":")?;
    let p = trim_left(p).strip_prefix(b"\"")?;
    let end = p.iter().position(|&c| c == b'"' || c == b'\\')?;
    if p[end] == b'"' {
        Some(&p[..end])
    } else {
        None
    }
}

/// The number of the round, from 1.
fn round() -> i64 {
    kv::int(SCOPE_REGION, 0, "round", 1)
}

fn round_json(round: i64) -> Text<80> {
    let mut json = Text::new();
    json.add("{\"round\":").number(round).add("}");
    json
}

impl Quiz {
    fn judge(&self, e: &Event, said: &[u8], out: &mut Commands) {
        let now = round();
        if said.is_empty() {
            return;
        }
        if said != &self.answer[..self.answer_len] {
            out.emit(e.number(), EMIT_USER, e.subject(), "quiz.wrong", round_json(now).bytes());
        } else if kv::int(SCOPE_USER, e.subject(), "round", 0) == now {
            right(e, now, 0, out); // has its points already
        } else if kv::put_int(SCOPE_USER, e.subject(), "round", now).is_ok() {
            out.score(e.number(), e.subject(), self.points, "quiz");
            right(e, now, self.points, out);
        }
    }
}

fn right(e: &Event, round: i64, earned: i64, out: &mut Commands) {
    let mut json = Text::<80>::new();
    json.add("{\"round\":").number(round).add(",\"points\":").number(earned).add("}");
    out.emit(e.number(), EMIT_USER, e.subject(), "quiz.right", json.bytes());
}

fn next(e: &Event, out: &mut Commands) {
    let now = round().wrapping_add(1);
    if kv::put_int(SCOPE_REGION, 0, "round", now).is_err() {
        return out.deny(e, DENY_RULE, "the round cannot be kept");
    }
    out.accept(e);
    out.emit(e.number(), EMIT_REGION, e.object(), "quiz.round", round_json(now).bytes());
}

venued_rules::export!(Quiz);
