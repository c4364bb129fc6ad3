//! Reports that people like to read: a plain model of text, tables and figures.

pub mod model;

pub use model::{
    Axis, Bar, Block, Cell, Column, Fit, GuideLine, MapCell, Plot, Point, Report, Scale, Section, Series,
    StackedBars, Table, WinnerMap,
};
