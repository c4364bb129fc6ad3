//! A serde serialiser into a tree of text pieces, the raw material of [`super::layout`].
//!
//! It knows what the wire types need and no more: options, numbers, strings, lists, structs and
//! enums in the externally tagged form. Absent options disappear from their table. Keys are
//! `'static` because they are field names.

use serde::ser::{self, Impossible, Serialize, Serializer};

use super::layout;

/// A value on its way to text.
#[derive(Debug)]
pub(super) enum Node {
    /// An option that is not there.
    Absent,
    /// Finished text.
    Scalar(String),
    /// Values in order.
    List(Vec<Node>),
    /// Keys in order; none absent.
    Table(Vec<(&'static str, Node)>),
}

impl Node {
    pub(super) fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }

    pub(super) fn is_list_of_tables(&self) -> bool {
        matches!(self, Self::List(items) if !items.is_empty() && items.iter().all(Self::is_table))
    }
}

/// The tree of a wire value. The error is a type the wire types do not have, a mistake in this
/// crate.
pub(super) fn tree<T: Serialize>(value: &T) -> Result<Node, Unsupported> {
    value.serialize(TreeBuilder)
}

/// A Rust type that has no place in a scene file.
#[derive(Debug, thiserror::Error)]
#[error("the scene format has no {0}")]
pub(super) struct Unsupported(String);

impl ser::Error for Unsupported {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

fn unsupported<T>(what: &str) -> Result<T, Unsupported> {
    Err(Unsupported(what.to_owned()))
}

struct TreeBuilder;

/// Collects the entries of a list.
struct ListBuilder(Vec<Node>);

/// Collects the keys of a table, which may itself be the content of an enum variant.
struct TableBuilder {
    variant: Option<&'static str>,
    entries: Vec<(&'static str, Node)>,
}

macro_rules! integers {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Node, Unsupported> {
            Ok(Node::Scalar(value.to_string()))
        }
    )*};
}

impl Serializer for TreeBuilder {
    type Ok = Node;
    type Error = Unsupported;
    type SerializeSeq = ListBuilder;
    type SerializeTuple = ListBuilder;
    type SerializeTupleStruct = Impossible<Node, Unsupported>;
    type SerializeTupleVariant = Impossible<Node, Unsupported>;
    type SerializeMap = Impossible<Node, Unsupported>;
    type SerializeStruct = TableBuilder;
    type SerializeStructVariant = TableBuilder;

    integers!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    );

    fn serialize_f32(self, value: f32) -> Result<Node, Unsupported> {
        Ok(Node::Scalar(layout::number(value)))
    }

    fn serialize_f64(self, value: f64) -> Result<Node, Unsupported> {
        Ok(Node::Scalar(layout::wide_number(value)))
    }

    fn serialize_char(self, value: char) -> Result<Node, Unsupported> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Node, Unsupported> {
        Ok(Node::Scalar(layout::string(value)))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Node, Unsupported> {
        unsupported("byte strings")
    }

    fn serialize_none(self) -> Result<Node, Unsupported> {
        Ok(Node::Absent)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node, Unsupported> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Node, Unsupported> {
        unsupported("unit values")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Node, Unsupported> {
        unsupported("unit structs")
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Node, Unsupported> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Node, Unsupported> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Node, Unsupported> {
        Ok(Node::Table(vec![(variant, value.serialize(self)?)]))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListBuilder, Unsupported> {
        Ok(ListBuilder(Vec::with_capacity(length.unwrap_or(0))))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListBuilder, Unsupported> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unsupported> {
        unsupported("tuple structs")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unsupported> {
        unsupported("tuple variants")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unsupported> {
        unsupported("maps with free keys")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<TableBuilder, Unsupported> {
        Ok(TableBuilder { variant: None, entries: Vec::new() })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<TableBuilder, Unsupported> {
        Ok(TableBuilder { variant: Some(variant), entries: Vec::new() })
    }
}

impl ListBuilder {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        self.0.push(value.serialize(TreeBuilder)?);
        Ok(())
    }
}

impl ser::SerializeSeq for ListBuilder {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        self.push(value)
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(Node::List(self.0))
    }
}

impl ser::SerializeTuple for ListBuilder {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        self.push(value)
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(Node::List(self.0))
    }
}

impl TableBuilder {
    fn insert<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Unsupported> {
        match value.serialize(TreeBuilder)? {
            Node::Absent => {}
            node => self.entries.push((key, node)),
        }
        Ok(())
    }

    fn finish(self) -> Node {
        let table = Node::Table(self.entries);
        match self.variant {
            Some(variant) => Node::Table(vec![(variant, table)]),
            None => table,
        }
    }
}

impl ser::SerializeStruct for TableBuilder {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unsupported> {
        self.insert(key, value)
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(self.finish())
    }
}

impl ser::SerializeStructVariant for TableBuilder {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unsupported> {
        self.insert(key, value)
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(self.finish())
    }
}
