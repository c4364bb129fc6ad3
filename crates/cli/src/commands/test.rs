//! `carom test`: scenes with known results.

use carom_fingsics::verify::{Case, Difference, Outcome as Compared, check, find_cases};
use serde_json::json;

use crate::args::TestOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{line, table};

/// `carom test`.
pub(crate) fn run(options: &TestOptions) -> Outcome {
    let cases = find_cases(&options.dir).map_err(|error| Failure::at(&options.dir, error))?;
    if cases.is_empty() {
        let folder = options.dir.display();
        return Err(Failure::new(format!("there is no NAME_test.csv in or below {folder}"))
            .with_hint("give the folder that holds the scenes and the expected reports"));
    }
    let results: Vec<(Case, Result<Compared, String>)> = cases
        .into_iter()
        .map(|case| {
            let result = check(&case, options.broad, options.solver).map_err(|error| error.to_string());
            (case, result)
        })
        .collect();
    let exact = results.iter().filter(|(_, result)| result.as_ref().is_ok_and(Compared::is_exact)).count();
    if options.json {
        line(to_json(&results, exact).to_string());
    } else {
        show(&results, exact);
    }
    Ok(if exact == results.len() { Verdict::Good } else { Verdict::CheckFailed })
}

fn show(results: &[(Case, Result<Compared, String>)], exact: usize) {
    let mut table =
        table(["set", "scene", "solver", "bodies", "rows", "NPCDTests", "Collisions", "verdict"], 3);
    let mut errors = Vec::new();
    for (case, result) in results {
        let set = case.report.parent().and_then(|p| p.file_name()).unwrap_or_default().to_string_lossy();
        let row = match result {
            Ok(outcome) => [
                set.into_owned(),
                case.name.clone(),
                outcome.solver.to_string(),
                outcome.bodies.to_string(),
                outcome.rows.to_string(),
                described(outcome.tests),
                described(outcome.collisions),
                if outcome.is_exact() { "exact" } else { "DIFFERS" }.to_owned(),
            ],
            Err(error) => {
                errors.push(format!("{}: {error}", case.name));
                let none = || "–".to_owned();
                [
                    set.into_owned(),
                    case.name.clone(),
                    none(),
                    none(),
                    none(),
                    none(),
                    none(),
                    "ERROR".to_owned(),
                ]
            }
        };
        table.add_row(row);
    }
    line(table.to_string());
    errors.iter().for_each(line);
    line(format!("{exact} of {} exact in every row", results.len()));
}

fn described(difference: Option<Difference>) -> String {
    difference
        .map_or_else(|| "equal".to_owned(), |d| format!("row {}: {} instead of {}", d.row, d.got, d.expected))
}

fn to_json(results: &[(Case, Result<Compared, String>)], exact: usize) -> serde_json::Value {
    let difference =
        |d: Option<Difference>| d.map(|d| json!({"row": d.row, "expected": d.expected, "got": d.got}));
    let cases: Vec<_> = results
        .iter()
        .map(|(case, result)| match result {
            Ok(outcome) => json!({
                "scene": case.name,
                "report": case.report.display().to_string(),
                "solver": outcome.solver.name(),
                "bodies": outcome.bodies,
                "rows": outcome.rows,
                "tests": difference(outcome.tests),
                "collisions": difference(outcome.collisions),
                "exact": outcome.is_exact(),
            }),
            Err(error) => {
                json!({"scene": case.name, "report": case.report.display().to_string(), "error": error})
            }
        })
        .collect();
    json!({"cases": cases, "exact": exact, "total": results.len()})
}
