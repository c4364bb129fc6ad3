//! Tests of the scene reader: values, leniencies, warnings and errors, and behaviour on damaged
//! files.

use proptest::prelude::*;

use super::*;

/// A file around some objects.
fn file(objects: &str) -> String {
    format!("<config>\n<objects>\n{objects}\n</objects>\n</config>\n")
}

fn read(text: &str) -> Parsed<Scene> {
    read_scene(text.as_bytes(), "test").unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// The only body of a file that must not earn a warning.
fn body(object: &str) -> Body {
    let parsed = read(&file(object));
    assert_eq!(parsed.warnings, [], "{object}");
    assert_eq!(parsed.value.bodies.len(), 1);
    parsed.value.bodies.into_iter().next().unwrap()
}

/// The only body of a file with one warning, and that warning.
fn warned(object: &str) -> (Body, String) {
    let mut parsed = read(&file(object));
    assert_eq!(parsed.warnings.len(), 1, "{object}: {:?}", parsed.warnings);
    (parsed.value.bodies.remove(0), parsed.warnings[0].to_string())
}

fn refusal(text: &str) -> String {
    read_scene(text.as_bytes(), "test").unwrap_err().to_string()
}

#[test]
fn every_attribute_has_its_default() {
    let sphere = body("<sphere/>");
    assert_eq!(sphere.id, "0");
    assert_eq!(sphere.kind, BodyKind::Dynamic);
    assert_eq!(sphere.mass, Mass::Total(1.0));
    assert_eq!(sphere.look, Look { colour: [200; 3], visible: true, style: Style::Plain });
    assert_eq!((sphere.orientation, sphere.angular_velocity), (Orientation::IDENTITY, AngularVelocity::ZERO));
    assert_eq!(sphere.shapes[0].kind, ShapeKind::Sphere { radius: 1.0 });
    assert_eq!((sphere.shapes[0].material.restitution, sphere.shapes[0].material.friction), (1.0, 0.0));
    let capsule = body("<capsule/>");
    assert_eq!(capsule.shapes[0].kind, ShapeKind::Capsule { radius: 1.0, length: 1.0, axis: Axis::Z });
    let tile = body("<tile/>");
    assert_eq!(tile.shapes[0].kind, ShapeKind::Tile { length: 30.0, width: 30.0 });
    assert_eq!(tile.kind, BodyKind::Dynamic, "tiles are not static by themselves");
}

#[test]
fn every_attribute_is_read() {
    let capsule = body(
        "<capsule pos='1,2,3' vel='4,5,6' ang='90,213,421' angVel='7,8,9' acceleration='0,-9.8,0' mass='2.5' \
         elasticityCoef='.5' color='1,2,3' static='false' draw='false' radius='.25' length='3' rocket='true'/>",
    );
    assert_eq!((capsule.position, capsule.velocity), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
    assert_eq!(capsule.orientation, Orientation::EulerDegrees([90.0, 213.0, 421.0]));
    assert_eq!(capsule.angular_velocity, AngularVelocity::Degrees([7.0, 8.0, 9.0]));
    assert_eq!((capsule.acceleration, capsule.mass), ([0.0, -9.8, 0.0], Mass::Total(2.5)));
    assert_eq!(capsule.look, Look { colour: [1, 2, 3], visible: false, style: Style::Rocket });
    assert_eq!(capsule.shapes[0].material.restitution, 0.5);
    assert_eq!(capsule.shapes[0].kind, ShapeKind::Capsule { radius: 0.25, length: 3.0, axis: Axis::Z });
    let tile = body("<tile length='4' width='5'/>");
    assert_eq!(tile.shapes[0].kind, ShapeKind::Tile { length: 4.0, width: 5.0 });
}

#[test]
fn static_bodies_that_move_are_kinematic() {
    assert_eq!(body("<sphere static='true'/>").kind, BodyKind::Static);
    assert_eq!(body("<sphere static='true' vel='0,0,0' ang='1,2,3'/>").kind, BodyKind::Static);
    for motion in ["vel='0,0,4'", "angVel='0,1,0'", "acceleration='0,-1,0'"] {
        assert_eq!(body(&format!("<sphere static='1' {motion}/>")).kind, BodyKind::Kinematic, "{motion}");
    }
}

#[test]
fn the_camera_is_optional_in_whole_and_in_part() {
    let camera = |element: &str| read(&format!("<config>{element}<objects/></config>")).value.camera;
    assert_eq!(camera(""), Camera::default());
    assert_eq!(camera("<camera/>"), Camera::default());
    assert_eq!(
        camera("<camera rad='50'/>"),
        Camera::Orbit { distance: 50.0, pitch: -25.0, yaw: 0.0, target: [0.0; 3] }
    );
    let text = "<config><objects/><camera pitch='-89.99' yaw='1'/></config>";
    assert_eq!(
        read(text).value.camera,
        Camera::Orbit { distance: 40.0, pitch: -89.99, yaw: 1.0, target: [0.0; 3] }
    );
}

#[test]
fn numbers_are_read_as_the_c_library_does() {
    for (text, value) in
        [(" 2", 2.0), ("2e-1", 0.2), ("0x1.8p1", 3.0), (".5", 0.5), ("0.1", 0.1), ("2 ", 2.0)]
    {
        assert_eq!(body(&format!("<sphere mass='{text}'/>")).mass, Mass::Total(value), "{text:?}");
    }
    let (sphere, message) = warned("<sphere mass='2kg'/>");
    assert_eq!(sphere.mass, Mass::Total(2.0));
    assert_eq!(message, "line 3, column 16: mass: \"kg\" after the number is ignored");
    let (sphere, message) = warned("<sphere mass='heavy'/>");
    assert_eq!(sphere.mass, Mass::Total(1.0));
    assert_eq!(message, "line 3, column 15: mass=\"heavy\" is no number; 1 is used");
    let (sphere, message) = warned("<sphere static='yes'/>");
    assert_eq!(sphere.kind, BodyKind::Dynamic);
    assert!(message.contains("neither true nor false; false is used"));
}

#[test]
fn triplets_ignore_white_space_and_what_follows() {
    assert_eq!(body("<sphere pos=' 1 0, 2 . 5 ,\n-\t3e 1'/>").position, [10.0, 2.5, -30.0]);
    let (sphere, message) = warned("<sphere pos='1,2,3,4,5'/>");
    assert_eq!(sphere.position, [1.0, 2.0, 3.0]);
    assert_eq!(message, "line 3, column 20: pos=\"1,2,3,4,5\": everything after the third number is ignored");
    assert!(warned("<sphere pos='1,2m,3'/>").1.contains("\"m\" after the number"));
}

#[test]
fn triplets_are_rounded_through_f64() {
    // Just above the middle between 1 and the next f32, by less than f64 can tell: rounded twice it
    // falls to even.
    let text = "1.00000005960464477539062500000000001";
    assert_eq!(body(&format!("<sphere pos='{text},0,0'/>")).position[0], 1.0);
    assert_eq!(body(&format!("<sphere mass='{text}'/>")).mass, Mass::Total(1.0 + f32::EPSILON));
}

#[test]
fn bad_triplets_are_errors_with_their_place() {
    assert_eq!(refusal(&file("<sphere pos='1,2'/>")), "line 3, column 14: pos=\"1,2\" has 2 of 3 numbers");
    assert_eq!(
        refusal(&file("<sphere pos='1,x,3'/>")),
        "line 3, column 16: pos=\"1,x,3\": \"x\" is no number"
    );
    assert!(refusal(&file("<sphere pos='1,2,'/>")).contains("\"\" is no number"));
    assert!(refusal(&file("<sphere pos=''/>")).contains("is no number"));
}

#[test]
fn infinite_numbers_are_errors() {
    for text in ["nan", "inf", "-Infinity", "1e39", "0x1p128"] {
        assert!(
            refusal(&file(&format!("<sphere mass='{text}'/>"))).contains("is not a finite number"),
            "{text}"
        );
        assert!(
            refusal(&file(&format!("<sphere vel='0,{text},0'/>"))).contains("not a finite number"),
            "{text}"
        );
    }
}

#[test]
fn colours_are_cut_to_whole_numbers_and_bounded() {
    assert_eq!(body("<sphere color='0,254.9,255'/>").look.colour, [0, 254, 255]);
    for text in ["0,0,256", "-1,0,0", "0,255.5,0"] {
        assert!(
            refusal(&file(&format!("<sphere color='{text}'/>"))).contains("must lie in 0 to 255"),
            "{text}"
        );
    }
}

#[test]
fn unknown_names_are_remarked_on_and_take_no_id() {
    let text =
        file("<sphere/>\n<cube size='1'/>\n<sphere size='2'/>\n<tile radius='1'/>\n<capsule><x/></capsule>");
    let parsed = read(&text);
    let ids: Vec<_> = parsed.value.bodies.iter().map(|b| b.id.as_str()).collect();
    assert_eq!(ids, ["0", "1", "2", "3"]);
    let messages: Vec<_> = parsed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "line 4, column 1: unknown element <cube> is ignored",
            "line 5, column 9: unknown attribute `size` of <sphere> is ignored",
            "line 6, column 7: unknown attribute `radius` of <tile> is ignored",
            "line 7, column 10: unknown element <x> is ignored",
        ]
    );
}

#[test]
fn messages_stay_short_however_long_the_names() {
    let long = "a".repeat(100_000);
    let parsed = read(&file(&format!("<{long}/><sphere {long}='1' mass='{long}' radius='1{long}'/>")));
    assert_eq!(parsed.warnings.len(), 4);
    assert!(parsed.warnings.iter().all(|w| w.message.len() < 200));
    for text in
        [format!("<{long}/>"), file(&format!("<b></{long}>")), file(&format!("<sphere pos='{long}'/>"))]
    {
        assert!(refusal(&text).len() < 300);
    }
}

#[test]
fn warnings_are_capped() {
    let parsed = read(&file(&"<cube/>\n".repeat(1000)));
    assert_eq!(parsed.warnings.len(), 101);
    assert_eq!(parsed.warnings[100].message, "… and 900 more warnings");
}

#[test]
fn all_errors_are_shown_together() {
    let error = read_scene(file("<sphere pos='1'/>\n<sphere mass='nan'/>").as_bytes(), "x").unwrap_err();
    assert_eq!(error.errors.len(), 2);
    assert_eq!(error.errors[0].excerpt.as_deref(), Some("<sphere pos='1'/>"));
}

#[test]
fn missing_blanks_between_attributes_are_forgiven_and_places_stay_true() {
    let parsed = read(&file("<sphere pos='1,2,3'mass='2'radius='3x'/>"));
    assert_eq!(parsed.value.bodies[0].mass, Mass::Total(2.0));
    let messages: Vec<_> = parsed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "line 3, column 20: no blank between two attributes",
            "line 3, column 28: no blank between two attributes",
            "line 3, column 37: radius: \"x\" after the number is ignored",
        ]
    );
}

#[test]
fn comments_text_and_instructions_do_no_harm() {
    let text = "\u{feff}<?xml version='1.0' encoding='utf-8'?>\n<!-- a -- b -->\n<config><?pi?>\n<objects>\
                <!-- <sphere/> --><![CDATA[ <sphere/> ]]><sphere/></objects></config>\nthe end";
    let parsed = read(text);
    assert_eq!(parsed.value.bodies.len(), 1);
    let messages: Vec<_> = parsed.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(messages, ["text inside <objects> is ignored", "text after the end of <config> is ignored"]);
}

#[test]
fn a_file_without_the_needed_elements_is_refused() {
    assert_eq!(refusal("<config/>"), "line 1, column 1: <config> has no <objects>");
    assert!(
        refusal("<scene><objects/></scene>").contains("the root element is <scene>, a scene needs <config>")
    );
    assert!(refusal("<Config><objects/></Config>").contains("<Config>"), "names are case-sensitive");
    assert!(read("<config><objects/></config>").value.bodies.is_empty());
}

#[test]
fn malformed_xml_is_refused_at_its_line() {
    let mismatch = read_scene(b"<config>\n<objects>\n</object>\n</config>", "x").unwrap_err();
    assert_eq!(mismatch.to_string(), "line 3, column 1: malformed XML: </object> where </objects> is due");
    assert_eq!(mismatch.errors[0].excerpt.as_deref(), Some("</object>"));
    assert_eq!(
        refusal(&file("<sphere pos='0,0,0'mass='1'mass='2'/>")),
        "line 3, column 28: malformed XML: attribute `mass` is given twice"
    );
    assert!(refusal(&file("<sphere mass='&lol;'/>")).contains("unknown entity `&lol;`"));
    assert!(refusal(&file("<sphere mass=1/>")).starts_with("line 3, column 14: malformed XML"));
    assert!(refusal(&file("<s:sphere/>")).contains("namespace prefix `s`"));
}

#[test]
fn hostile_files_are_refused_with_a_reason() {
    assert!(refusal(&"<config>".repeat(10_000_000)).contains("nested deeper than 64 levels"));
    let bomb = "<!DOCTYPE a [<!ENTITY b 'b'>]><config><objects/></config>";
    assert!(refusal(bomb).contains("entities are not accepted"));
    assert!(refusal("<config><objects><sphere pos='0,0").contains("never ends"));
    let binary: Vec<u8> = (0..=255).collect();
    assert!(read_scene(&binary, "x").unwrap_err().to_string().contains("binary data"));
}

const PLAIN: &str = "\u{feff}<?xml version=\"1.0\"?>\n<config>\n<camera rad=\"50\" />\n<objects>\n<!-- c -->\n\
    <sphere pos=\"0,5,-5.8\" static=\"true\"radius=\"0.6\" vel=\"0,0,4\" ang=\"0,50,0\" color=\"200,1,2\" />\n\
    <capsule length=\"1e1\" rocket=\"true\" angVel=\"1,2,3\"/>\n<tile draw='false' width=\"3\"/>\n</objects>\n</config>\n";

proptest! {
    #[test]
    fn damaged_files_are_read_or_refused_but_never_panic(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
        doubled in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        how in 0_u8..4,
    ) {
        let mut bytes = PLAIN.as_bytes().to_vec();
        for (place, byte) in &flips {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        if how & 1 == 1 {
            let (a, b) = (doubled.0.index(bytes.len()), doubled.1.index(bytes.len()));
            let piece = bytes[a.min(b)..a.max(b)].to_vec();
            bytes.splice(a.min(b)..a.min(b), piece);
        }
        if how & 2 == 2 {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Err(error) = read_scene(&bytes, "damaged") {
            prop_assert!(!error.errors.is_empty());
            prop_assert!(error.errors.iter().all(|e| !e.message.is_empty()));
        }
    }

    #[test]
    fn a_changed_character_of_text_keeps_places_inside_the_file(
        place in any::<prop::sample::Index>(),
        with in "[<>\"'=/ &a1,ç-]",
    ) {
        let mut places: Vec<_> = PLAIN.char_indices().map(|(i, c)| i..i + c.len_utf8()).collect();
        let range = places.swap_remove(place.index(places.len()));
        let mut text = PLAIN.to_owned();
        text.replace_range(range, &with);
        let lines = text.lines().count() as u32;
        let remarks = match read_scene(text.as_bytes(), "changed") {
            Ok(parsed) => parsed.warnings,
            Err(error) => error.errors,
        };
        for remark in remarks {
            prop_assert!(remark.position.is_none_or(|p| p.line >= 1 && p.line <= lines), "{remark:?}");
        }
    }
}
