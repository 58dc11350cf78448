//! Conversion of values between the host and the script.

use crate::event::Header;
use crate::unchecked::engine_memory::{are_equal, bytes_of, text_of};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, UnparsedPublicKey};
use rquickjs::function::{Func, This};
use rquickjs::{Array, Ctx, Error, FromJs, Function, IntoJs, Object, Result, String as JsString, TypedArray, Value};

/// Text from the script; lone surrogates become U+FFFD.
pub struct Text(pub String);

impl<'js> FromJs<'js> for Text {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let text = JsString::from_value(value)?;
        if let Ok(plain) = text.to_string() {
            return Ok(Self(plain));
        }
        let prototype: Object = ctx.globals().get::<_, Object>("String")?.get("prototype")?;
        let repaired: String = prototype.get::<_, Function>("toWellFormed")?.call((This(text),))?;
        Ok(Self(repaired))
    }
}

/// Copied bytes from or for the script.
pub struct Bytes(pub Vec<u8>);

impl<'js> FromJs<'js> for Bytes {
    fn from_js(_: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        Ok(Self(bytes_of(&TypedArray::from_value(value)?)))
    }
}

impl<'js> IntoJs<'js> for Bytes {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        Ok(TypedArray::<u8>::new(ctx.clone(), self.0)?.into_value())
    }
}

/// Optional value; the script receives `null` for `None`.
pub struct OrNull<T>(pub Option<T>);

impl<'js, T: IntoJs<'js>> IntoJs<'js> for OrNull<T> {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        self.0.map_or_else(|| Ok(Value::new_null(ctx.clone())), |value| value.into_js(ctx))
    }
}

/// HTTP headers; an array of pairs in the script.
pub struct Headers(pub Vec<Header>);

impl<'js> FromJs<'js> for Headers {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let pairs = Array::from_js(ctx, value)?;
        let pair_of = |pair: Result<Array<'js>>| -> Result<Header> {
            let pair = pair?;
            Ok((pair.get::<Text>(0)?.0, pair.get::<Text>(1)?.0))
        };
        Ok(Self(pairs.iter().map(pair_of).collect::<Result<_>>()?))
    }
}

impl<'js> IntoJs<'js> for Headers {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let pairs = Array::new(ctx.clone())?;
        for (index, (name, value)) in self.0.into_iter().enumerate() {
            let pair = Array::new(ctx.clone())?;
            pair.set(0, name)?;
            pair.set(1, value)?;
            pairs.set(index, pair)?;
        }
        Ok(pairs.into_value())
    }
}

/// Converts an id of the script, which is an integer of at least 0.
pub const fn id_of(number: f64) -> u64 {
    number as u64
}

/// Converts a size limit of the script.
pub const fn limit_of(number: f64) -> usize {
    number as usize
}

/// Converts UTF-8 bytes into a text of the script, with invalid sequences replaced.
pub fn text_from<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<JsString<'js>> {
    JsString::from_str(ctx.clone(), &String::from_utf8_lossy(bytes))
}

/// Creates the object `bytes` of the runtime, `ByteTools` of the script.
pub fn byte_tools<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let tools = Object::new(ctx.clone())?;
    tools.set("utf8", Func::from(|text: Text| Bytes(text.0.into_bytes())))?;
    tools.set("fromUtf8", Func::from(from_utf8))?;
    tools.set("equal", Func::from(|one: TypedArray<'js, u8>, other: TypedArray<'js, u8>| are_equal(&one, &other)))?;
    tools.set("sha256", Func::from(|bytes: Bytes| Bytes(digest(&SHA256, &bytes.0).as_ref().to_vec())))?;
    tools.set(
        "ed25519Verify",
        Func::from(|key: Bytes, message: Bytes, signature: Bytes| {
            UnparsedPublicKey::new(&ED25519, key.0).verify(&message.0, &signature.0).is_ok()
        }),
    )?;
    tools.set("random", Func::from(random))?;
    Ok(tools)
}

fn from_utf8<'js>(ctx: Ctx<'js>, bytes: TypedArray<'js, u8>) -> Result<JsString<'js>> {
    text_of(&ctx, &bytes)
}

fn random(count: f64) -> Result<Bytes> {
    let mut bytes = vec![0; limit_of(count)];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::new_from_js("number", "random bytes"))?;
    Ok(Bytes(bytes))
}
