//! Schemas of payloads and requests, and the components that they refer to.

use std::collections::BTreeMap;

use utoipa::{
    ToSchema,
    openapi::{Array, ObjectBuilder, OneOfBuilder, Ref, RefOr, Required, Schema, schema::Type},
};

/// The components that an operation refers to, by name.
pub(crate) type Schemas = BTreeMap<String, RefOr<Schema>>;

/// A payload that a reply's envelope can hold.
pub(crate) trait Payload {
    /// Returns the schema, and adds the components that it refers to.
    fn describe(schemas: &mut Schemas) -> RefOr<Schema>;
}

impl Payload for () {
    fn describe(_: &mut Schemas) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).into()
    }
}

impl Payload for String {
    fn describe(_: &mut Schemas) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl<T: Payload> Payload for Option<T> {
    fn describe(schemas: &mut Schemas) -> RefOr<Schema> {
        let null = ObjectBuilder::new().schema_type(Type::Null);
        OneOfBuilder::new().item(T::describe(schemas)).item(null).into()
    }
}

impl<T: Payload> Payload for Vec<T> {
    fn describe(schemas: &mut Schemas) -> RefOr<Schema> {
        Array::new(T::describe(schemas)).into()
    }
}

/// Marks types as payloads that are components of the document.
macro_rules! payloads {
    ($($name:ty),* $(,)?) => {$(
        impl $crate::openapi::schema::Payload for $name {
            fn describe(
                schemas: &mut $crate::openapi::schema::Schemas,
            ) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::openapi::schema::reply::<$name>(schemas)
            }
        }
    )*};
}
pub(crate) use payloads;

/// The component of a reply: each of its fields is there, some of them null.
pub(crate) fn reply<T: ToSchema>(schemas: &mut Schemas) -> RefOr<Schema> {
    let mut parts = components::<T>();
    for (_, part) in &mut parts {
        if let RefOr::T(Schema::Object(object)) = part
            && object.additional_properties.is_none()
        {
            object.required = object.properties.keys().cloned().collect();
        }
    }
    schemas.extend(parts);
    Ref::from_schema_name(T::name()).into()
}

/// The component of a request.
pub(crate) fn request<T: ToSchema>(schemas: &mut Schemas) -> RefOr<Schema> {
    schemas.extend(components::<T>());
    Ref::from_schema_name(T::name()).into()
}

fn components<T: ToSchema>() -> Vec<(String, RefOr<Schema>)> {
    let mut parts = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut parts);
    parts
}

/// Converts a flag to the type of `utoipa`.
pub(crate) const fn required(is_required: bool) -> Required {
    if is_required { Required::True } else { Required::False }
}
