//! Tests of the guard: repairs, refusals and hostile files.

use proptest::prelude::*;

use super::*;

fn refusal(bytes: &[u8]) -> String {
    guard(bytes).unwrap_err().to_string()
}

#[test]
fn clean_text_is_handed_on_without_a_copy() {
    let guarded = guard("\u{feff}<a b='1' c=\"2\"/>\n".as_bytes()).unwrap();
    assert_eq!(guarded.original, "<a b='1' c=\"2\"/>\n");
    assert!(matches!(guarded.repaired, Cow::Borrowed("<a b='1' c=\"2\"/>")));
    assert_eq!(guarded.trailing_content, None);
}

#[test]
fn missing_blanks_are_inserted_and_offsets_lead_back() {
    let guarded = guard(b"<a b='1'c='2'd='3'><e f='x'/></a>").unwrap();
    assert_eq!(guarded.repaired, "<a b='1' c='2' d='3'><e f='x'/></a>");
    assert_eq!(guarded.missing_blanks, [8, 13]);
    for (repaired, original) in [(8, 8), (9, 8), (10, 9), (14, 13), (15, 13), (16, 14), (22, 20)] {
        assert_eq!(guarded.original_offset(repaired), original, "offset {repaired}");
    }
}

#[test]
fn quotation_marks_and_brackets_do_not_confuse_the_scan() {
    let text = "<?xml version='1.0'?><!-- <a> \" -->\n<a b='>\"'><![CDATA[ </a> ]]><?pi > ?>text \" ' ></a>";
    assert_eq!(guard(text.as_bytes()).unwrap().repaired, text);
}

#[test]
fn double_hyphens_in_comments_are_blanked_out() {
    let guarded = guard("<a><!-- ç -- \n --></a>".as_bytes()).unwrap();
    assert_eq!(guarded.repaired, "<a><!--       \n --></a>");
    assert!(roxmltree::Document::parse(&guarded.repaired).is_ok());
}

#[test]
fn what_follows_the_root_is_cut_off_and_pointed_at() {
    let guarded = guard(b"<a/>\n<!-- fine -->\n").unwrap();
    assert_eq!((guarded.repaired.as_ref(), guarded.trailing_content), ("<a/>", None));
    let guarded = guard(b"<a></a>\n<!-- fine --> stray <b").unwrap();
    assert_eq!((guarded.repaired.as_ref(), guarded.trailing_content), ("<a></a>", Some(22)));
}

#[test]
fn other_encodings_and_binary_data_are_named() {
    assert!(refusal(&[0xFF, 0xFE, b'<', 0]).contains("UTF-16"));
    assert!(refusal(b"<\0a\0").contains("UTF-16"));
    assert_eq!(refusal(b"<a>\n\0</a>"), "line 2, column 1: a NUL byte: the file holds binary data, not text");
    assert_eq!(refusal(b"<a>\n\xE9</a>"), "line 2, column 1: byte 0xE9 is not UTF-8 text");
    assert!(refusal(b"\x7FELF\x02\x01\0\0\xFF").contains("binary data"));
    assert_eq!(refusal(b""), "the file is empty");
    assert!(refusal(b"just words").contains("no XML element"));
}

#[test]
fn entity_bombs_do_not_go_off() {
    let bomb = "<?xml version='1.0'?>\n<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;'>]><lolz>&lol2;</lolz>";
    assert!(refusal(bomb.as_bytes()).starts_with("line 2, column 1: <!DOCTYPE: document type definitions"));
    assert!(refusal(b"<!doctype html><a/>").contains("not accepted"));
    assert!(refusal(b"<!x><a/>").contains("is not XML that a scene may hold"));
}

#[test]
fn ten_million_levels_end_at_the_first_one_too_many() {
    let deep = "<a>".repeat(10_000_000);
    assert_eq!(refusal(deep.as_bytes()), "line 1, column 193: elements are nested deeper than 64 levels");
    let allowed = "<a>".repeat(MAX_XML_DEPTH) + &"</a>".repeat(MAX_XML_DEPTH);
    assert!(guard(allowed.as_bytes()).is_ok());
}

#[test]
fn cut_files_say_where_they_were_cut() {
    assert_eq!(refusal(b"<a>\n <b>\n  <c/>"), "line 2, column 2: the file ends before <b> is closed");
    assert!(refusal(b"<a><b c='1").contains("this attribute value never ends"));
    assert!(refusal(b"<a><b c='1'").contains("the file ends inside the tag <b>"));
    assert!(refusal(b"<a><!-- ").contains("this comment never ends"));
    assert!(refusal(b"<a></a").contains("this tag never ends"));
    assert!(refusal(b"</a>").contains("belongs to no element"));
    assert!(refusal(b"<a <b>").contains("is a `>` missing"));
}

#[test]
fn quadratic_work_for_the_parser_is_refused() {
    let many: String = (0..100_000).map(|i| format!(" a{i}='1'")).collect();
    assert!(refusal(format!("<a{many}/>").as_bytes()).contains("more than 256 attributes"));
    let many: String = (0..100).map(|i| format!(" xmlns:a{i}='u{i}'")).collect();
    assert!(refusal(format!("<a{many}/>").as_bytes()).contains("more than 16 namespace declarations"));
}

proptest! {
    #[test]
    fn tag_soup_never_panics_and_repairs_only_add_blanks(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("<"), Just(">"), Just("/"), Just("</a>"), Just("<a"), Just(" b='1'"), Just("c=\"2\""),
                Just("<!--"), Just("-->"), Just("--"), Just("<![CDATA["), Just("]]>"), Just("<?"), Just("?>"),
                Just("ç"), Just("'"), Just("\""), Just("\n"), Just("<!"), Just("<a>"), Just("<b/>"),
            ],
            0..40,
        )
    ) {
        let text = pieces.concat();
        if let Ok(guarded) = guard(text.as_bytes()) {
            let added = guarded.missing_blanks.len();
            let end = guarded.original_offset(guarded.repaired.len());
            prop_assert_eq!(end + added, guarded.repaired.len());
            prop_assert!(text.is_char_boundary(end));
            let _ = roxmltree::Document::parse(&guarded.repaired);
        }
    }
}
