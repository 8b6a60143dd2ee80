//! Settings of the scheduler and parameters of the workloads.

use crate::message::{Kind, Object, Refusal};
use serde_json::{json, Value};

#[derive(Clone, Copy)]
enum Form {
    /// A whole number.
    Number { fallback: u64, least: u64, most: u64 },
    /// Any number, stored as its bits.
    Real { fallback: f64, least: f64, most: f64 },
    /// One of several names, of which this runtime supports some. `fallback` is an index.
    Choice { fallback: u64, names: &'static [&'static str], can: &'static [&'static str] },
}

#[derive(Clone, Copy)]
pub struct Field {
    name: &'static str,
    form: Form,
}

pub const fn number(name: &'static str, fallback: u64, least: u64, most: u64) -> Field {
    Field { name, form: Form::Number { fallback, least, most } }
}

pub const fn real(name: &'static str, fallback: f64, least: f64, most: f64) -> Field {
    Field { name, form: Form::Real { fallback, least, most } }
}

pub const fn choice(
    name: &'static str,
    fallback: u64,
    names: &'static [&'static str],
    can: &'static [&'static str],
) -> Field {
    Field { name, form: Form::Choice { fallback, names, can } }
}

/// The values of each field, by its name.
pub fn describe(fields: &[Field]) -> Value {
    let text = |field: &Field| match field.form {
        Form::Number { fallback, least, most } => {
            format!("a whole number from {least} to {most}; the default is {fallback}")
        }
        Form::Real { fallback, least, most } => {
            format!("a number from {least} to {most}; the default is {fallback}")
        }
        Form::Choice { fallback, can, names } => {
            format!("{}; the default is {}", can.join(" or "), names[fallback as usize])
        }
    };
    Value::Object(fields.iter().map(|field| (field.name.into(), json!(text(field)))).collect())
}

pub struct Settings {
    fields: &'static [Field],
    values: Vec<u64>,
}

impl Settings {
    /// Applies an object to the defaults of the fields. `place` names it in messages.
    pub fn new(fields: &'static [Field], object: &Object, place: &str) -> Result<Self, Refusal> {
        let mut values = Vec::new();
        let mut problems = Vec::new();
        for field in fields {
            let value = match object.get(field.name) {
                Some(text) => field.parse(text),
                None => field.default(),
            };
            values.push(value.unwrap_or_else(|wrong| {
                problems.push(format!("{place} /{}: {wrong}", field.name));
                0
            }));
        }
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        for name in object.keys().filter(|name| !names.contains(&name.as_str())) {
            problems.push(format!("{place} /{name}: unknown field; expected one of {}", names.join(", ")));
        }
        match problems.first() {
            Some(first) => {
                Err(Refusal { kind: Kind::Input, message: first.clone(), details: problems })
            }
            None => Ok(Settings { fields, values }),
        }
    }

    fn index(&self, name: &str) -> usize {
        self.fields.iter().position(|field| field.name == name).expect("a field of the workload")
    }

    pub fn number(&self, name: &str) -> u64 {
        self.values[self.index(name)]
    }

    pub fn real(&self, name: &str) -> f64 {
        f64::from_bits(self.number(name))
    }

    pub fn choice(&self, name: &str) -> &'static str {
        let index = self.index(name);
        match self.fields[index].form {
            Form::Choice { names, .. } => names[self.values[index] as usize],
            _ => unreachable!("{name} is a number"),
        }
    }

    pub fn set(&mut self, name: &str, value: u64) {
        let index = self.index(name);
        self.values[index] = value;
    }

    pub fn to_json(&self) -> Value {
        let value = |field: &Field| match field.form {
            Form::Choice { .. } => json!(self.choice(field.name)),
            Form::Real { .. } => json!(self.real(field.name)),
            Form::Number { .. } => json!(self.number(field.name)),
        };
        Value::Object(self.fields.iter().map(|field| (field.name.into(), value(field))).collect())
    }
}

impl Field {
    fn fallback(&self) -> u64 {
        match self.form {
            Form::Number { fallback, .. } | Form::Choice { fallback, .. } => fallback,
            Form::Real { fallback, .. } => fallback.to_bits(),
        }
    }

    /// The value where none is given, if the runtime supports it.
    fn default(&self) -> Result<u64, String> {
        match self.form {
            Form::Choice { fallback, names, can } if !can.contains(&names[fallback as usize]) => {
                Err(format!(
                    "this runtime does not support the default \"{}\", only {}",
                    names[fallback as usize],
                    can.join("|")
                ))
            }
            _ => Ok(self.fallback()),
        }
    }

    fn parse(&self, value: &Value) -> Result<u64, String> {
        match self.form {
            Form::Number { least, most, .. } => match value.as_u64() {
                Some(number) if (least..=most).contains(&number) => Ok(number),
                Some(number) => Err(format!("{number} is outside {least}..{most}")),
                None => {
                    Err(format!("{value} is not a plain whole number; expected {least}..{most}"))
                }
            },
            Form::Real { least, most, .. } => match value.as_f64() {
                Some(number) if (least..=most).contains(&number) => Ok(number.to_bits()),
                Some(number) => Err(format!("{number} is outside {least}..{most}")),
                None => Err(format!("{value} is not a number; expected {least}..{most}")),
            },
            Form::Choice { names, can, .. } => {
                let name = value.as_str().unwrap_or_default();
                match names.iter().position(|&other| other == name) {
                    Some(_) if !can.contains(&name) => Err(format!(
                        "this runtime does not support \"{name}\", only {}",
                        can.join("|")
                    )),
                    Some(index) => Ok(index as u64),
                    None => Err(format!("{value} is not one of {}", names.join("|"))),
                }
            }
        }
    }
}
