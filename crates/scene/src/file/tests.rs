//! Loading and saving through real files.

use std::fs;
use std::path::Path;

use super::*;
use crate::library;

const XML: &str = r#"<config><objects><sphere pos="0,1,0" radius="0.5"/></objects></config>"#;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_format_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let spatial = library::build("rockets").unwrap();
    for name in ["a.toml", "b.carom", "B.CAROM"] {
        let path = folder.path().join(name);
        save(&path, &spatial).unwrap();
        let loaded = load(text(&path)).unwrap();
        assert_eq!(loaded.scene, spatial);
        assert_eq!(loaded.origin, Origin::File(path));
        assert!(loaded.warnings.is_empty() && loaded.problems().is_empty());
    }
    let xml = folder.path().join("c.xml");
    fs::write(&xml, XML).unwrap();
    let fingsics = load(text(&xml)).unwrap();
    assert_eq!(fingsics.format, Format::FingsicsXml);
    let copy = folder.path().join("d.xml");
    save(&copy, &fingsics.scene).unwrap();
    let SceneFile::Spatial(first) = fingsics.scene else { panic!("planar") };
    let SceneFile::Spatial(second) = load(text(&copy)).unwrap().scene else { panic!("planar") };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("c", "d"), "the stem is the name");
    assert_eq!(first.bodies, second.bodies);
    let planar = library::build("three-objects").unwrap();
    for name in ["e.txt", "f.model"] {
        let path = folder.path().join(name);
        save(&path, &planar).unwrap();
        let SceneFile::Planar(loaded) = load(text(&path)).unwrap().scene else { panic!("spatial") };
        let SceneFile::Planar(original) = &planar else { panic!("spatial") };
        assert_eq!(loaded.objects, original.objects);
    }
    let left_over = fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
    assert_eq!(left_over.filter(|f| text(&f.path()).ends_with("tmp")).count(), 0);
}

#[test]
fn content_tells_where_the_name_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        load(text(&path)).map(|loaded| loaded.format).map_err(|error| error.to_string())
    };
    let scene = crate::Scene::default();
    assert_eq!(write("x.scene", b"\xef\xbb\xbf# hello\n carom = 1\n"), Ok(Format::NativeText));
    assert_eq!(write("y", XML.as_bytes()), Ok(Format::FingsicsXml));
    assert_eq!(write("z.txt", XML.as_bytes()), Ok(Format::FingsicsXml));
    assert_eq!(write("w.toml", &crate::native::write_binary(&scene)), Ok(Format::NativeBinary));
    assert!(write("v.png", b"\x89PNG").unwrap_err().contains("no format known here"));
}

#[test]
fn a_scene_without_a_name_gets_that_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nameless.toml");
    fs::write(&path, "carom = 1\n[[body]]\nmass = 1\n").unwrap();
    let SceneFile::Spatial(scene) = load(text(&path)).unwrap().scene else { panic!("planar") };
    assert_eq!(scene.name, "nameless");
}

#[test]
fn what_cannot_be_loaded_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let missing = load(text(&folder.path().join("rokets.toml"))).unwrap_err();
    assert!(matches!(missing, LoadError::NotFound { .. }));
    assert_eq!(missing.hint().as_deref(), Some("the library has a scene `rockets`"));
    let path = folder.path().join("mine.xml");
    fs::write(&path, XML).unwrap();
    let hint = load(text(&folder.path().join("mine"))).unwrap_err().hint().unwrap();
    assert!(hint.ends_with("mine.xml`"), "{hint}");
    assert!(matches!(load(text(folder.path())), Err(LoadError::Directory { .. })));
    assert!(matches!(load(""), Err(LoadError::NotFound { .. })));
    let error = load("pyramide:5").unwrap_err();
    assert!(matches!(error, LoadError::Library(_)));
    assert_eq!(error.hint().as_deref(), Some("did you mean `pyramid`?"));
    assert!(matches!(load("box:0"), Err(LoadError::Library(_))));
    let path = folder.path().join("typo.toml");
    fs::write(&path, "carom = 1\n[[boddy]]\n").unwrap();
    let error = load(text(&path)).unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
    assert_eq!(error.hint().as_deref(), Some("did you mean `body`?"));
}

#[test]
fn what_cannot_be_saved_leaves_the_old_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let scene = library::build("pendulums").unwrap();
    let path = folder.path().join("old.xml");
    fs::write(&path, XML).unwrap();
    assert!(matches!(save(&path, &scene), Err(SaveError::Fingsics(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), XML);
    assert!(matches!(save(&folder.path().join("a.txt"), &scene), Err(SaveError::WrongWorld { .. })));
    assert!(matches!(save(&folder.path().join("a.png"), &scene), Err(SaveError::UnknownFormat { .. })));
    let nowhere = folder.path().join("no/such/folder/a.toml");
    assert!(matches!(save(&nowhere, &scene), Err(SaveError::Unwritable { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
