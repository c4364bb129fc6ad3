//! `carom gen`: a library scene as a file.

use carom_scene::file::{SceneFile, save};
use carom_scene::{native, planar_model};

use crate::args::GenOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{line, remark};
use crate::source::load_any;

/// `carom gen`.
pub(crate) fn run(options: &GenOptions) -> Outcome {
    let loaded = load_any(&options.name, options.seed)?;
    match &options.output {
        Some(path) => {
            save(path, &loaded.scene)?;
            let objects = match &loaded.scene {
                SceneFile::Spatial(scene) => scene.bodies.len(),
                SceneFile::Planar(scene) => scene.objects.len(),
            };
            remark(&format!("{}: {objects} objects", path.display()));
        }
        None => {
            let text = match &loaded.scene {
                SceneFile::Spatial(scene) => native::write_text(scene),
                SceneFile::Planar(scene) => {
                    planar_model::write_model(scene).map_err(|error| Failure::new(error.to_string()))?
                }
            };
            line(text.trim_end());
        }
    }
    Ok(Verdict::Good)
}
