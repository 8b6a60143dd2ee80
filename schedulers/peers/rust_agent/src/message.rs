//! Requests as they are read, and refusals.

use serde_json::{json, Map, Value};

pub enum Kind {
    Unsupported,
    Input,
    Limit,
    Failed,
}

/// A request that is answered with an error.
pub struct Refusal {
    pub kind: Kind,
    pub message: String,
    pub details: Vec<String>,
}

impl Refusal {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Refusal { kind, message: message.into(), details: Vec::new() }
    }

    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::Input, message)
    }

    pub fn reply(&self) -> Value {
        let kind = match self.kind {
            Kind::Unsupported => "unsupported",
            Kind::Input => "input",
            Kind::Limit => "limit",
            Kind::Failed => "failed",
        };
        json!({"reply": "error", "kind": kind, "message": self.message, "details": self.details})
    }
}

pub type Object = Map<String, Value>;

pub struct Open {
    pub scheduler: String,
    pub config: Object,
    pub workload: String,
    pub parameters: Object,
    pub seed: u64,
}

pub enum Request {
    Hello { protocol: u64 },
    Open(Open),
    Round { name: String, audit: bool },
    Close,
}

/// Takes the keys out of an object. Keys that are left at the end are unknown.
struct Reader(Object);

fn complaint<T>(key: &str, wrong: &str) -> Result<T, Refusal> {
    Err(Refusal::input(format!("request: \"{key}\" {wrong}")))
}

impl Reader {
    fn required(&mut self, key: &str) -> Result<Value, Refusal> {
        self.0.remove(key).map_or_else(|| complaint(key, "is missing"), Ok)
    }

    fn text(&mut self, key: &str) -> Result<String, Refusal> {
        match self.required(key)? {
            Value::String(text) => Ok(text),
            _ => complaint(key, "is not a string"),
        }
    }

    fn text_or(&mut self, key: &str, fallback: &str) -> Result<String, Refusal> {
        if self.0.contains_key(key) {
            self.text(key)
        } else {
            Ok(fallback.to_string())
        }
    }

    fn count(&mut self, key: &str, most: u64) -> Result<u64, Refusal> {
        match self.required(key)?.as_u64() {
            Some(count) if count <= most => Ok(count),
            _ => complaint(key, "is not a whole number from 0 on, or is too large"),
        }
    }

    fn flag(&mut self, key: &str) -> Result<bool, Refusal> {
        match self.0.remove(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => complaint(key, "is not true or false"),
        }
    }

    fn object_or_empty(&mut self, key: &str) -> Result<Object, Refusal> {
        match self.0.remove(key) {
            None => Ok(Object::new()),
            Some(Value::Object(object)) => Ok(object),
            Some(_) => complaint(key, "is not an object"),
        }
    }
}

pub fn parse_request(line: &[u8]) -> Result<Request, Refusal> {
    let mut reader = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => Reader(object),
        _ => {
            let shown: String = String::from_utf8_lossy(line).chars().take(200).collect();
            return Err(Refusal::input(format!("not a JSON object: {shown:?}")));
        }
    };
    let kind = reader.text("request")?;
    let request = match kind.as_str() {
        "hello" => Request::Hello { protocol: reader.count("protocol", 1_000_000)? },
        "open" => {
            let open = Open {
                scheduler: reader.text("scheduler")?,
                config: reader.object_or_empty("config")?,
                workload: reader.text("workload")?,
                parameters: reader.object_or_empty("parameters")?,
                seed: reader.count("seed", u64::MAX)?,
            };
            // The agent cannot distinguish a task that hangs from one that works; the caller has its own limit.
            if reader.0.contains_key("timeout_ns") {
                reader.count("timeout_ns", i64::MAX as u64)?;
            }
            Request::Open(open)
        }
        "round" => Request::Round {
            name: reader.text_or("name", "a round")?,
            audit: reader.flag("audit")?,
        },
        "close" => Request::Close,
        _ => return Err(Refusal::input(format!("unknown request {kind:?}"))),
    };
    // A misspelt key would have no effect.
    match reader.0.keys().next() {
        Some(key) => Err(Refusal::input(format!("request {kind}: unknown key {key:?}"))),
        None => Ok(request),
    }
}
