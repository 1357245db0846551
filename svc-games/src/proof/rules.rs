//! Validates and compiles rules modules.

use thiserror::Error;
use wasmtime::{
    Config, Engine, Instance, Module, Store, StoreLimits, StoreLimitsBuilder, TypedFunc,
    WasmFeatures, WasmParams, WasmResults,
};

use crate::domain::{Pace, PieceLength};

/// Fuel of one run: about an instruction each.
pub(super) const FUEL: u64 = 500_000_000;
/// Most memory of a run, in bytes.
const MEMORY: usize = 4 << 20;
/// Most bytes of a module.
const MODULE: usize = 1 << 20;
/// Most inputs of a game.
const INPUTS: i32 = 1_024;
/// Most ticks a second of a game in time.
const TICKS: i32 = 120;
/// The version of the interface between modules and their hosts.
const ABI: i32 = 1;
/// The version with pieces, whose runs are live.
const ABI_OF_PIECES: i32 = 2;
/// Longest piece in seconds: its page knows the course of two.
const PIECE_SECONDS: i32 = 10;
/// Most moves of a piece.
const PIECE_MOVES: i32 = 10;

/// Most elements of a module's table.
const TABLE: usize = 10_000;
/// The features that a module may use beyond WebAssembly 1.0. Floats, a part of 1.0, are off:
/// their results may differ in the bits of a NaN.
const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY);

/// Why a module is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidRules {
    #[error("the module has more than 1 MiB")]
    TooLarge,
    #[error("not a valid WebAssembly module without floats: {0}")]
    Malformed(String),
    #[error("it imports {0}, and rules import nothing")]
    Imports(String),
    #[error("it does not export {0} as the interface has it")]
    Export(&'static str),
    #[error("its memory is missing or larger than 4 MiB, or its table has too many elements")]
    Memory,
    #[error("{0}() failed, or needed too much fuel")]
    Fails(&'static str),
    #[error("{name}() returned {value}")]
    Value { name: &'static str, value: i32 },
}

/// A compiled rules module. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RulesModule {
    module: Module,
    pub(crate) pace: Pace,
    /// Number of inputs; the valid ones are 0 to `inputs` - 1.
    pub(crate) inputs: i32,
    /// Steps of a piece; `None` in a game without pieces.
    pub(super) piece_steps: Option<u32>,
    /// Whether the module says which things the player answered.
    has_answers: bool,
}

/// One run of a module.
pub(super) struct Run {
    pub(super) store: Store<StoreLimits>,
    pub(super) init: TypedFunc<(i64, i32), ()>,
    pub(super) step: TypedFunc<i32, i32>,
    pub(super) score: TypedFunc<(), i32>,
    /// Gives the module the seed of the piece that begins.
    pub(super) feed: Option<TypedFunc<i64, ()>>,
    /// The kind of the thing that came in the last step and that the player had answered, 0 without
    /// one; and the steps from the answer to the thing.
    pub(super) answered: Option<(TypedFunc<(), i32>, TypedFunc<(), i32>)>,
}

impl RulesModule {
    /// Compiles a module and checks that it keeps the interface of `games/README.md`.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, InvalidRules> {
        if bytes.len() > MODULE {
            return Err(InvalidRules::TooLarge);
        }
        let compiled = engine().and_then(|engine| Module::new(&engine, bytes));
        let module = compiled.map_err(|error| InvalidRules::Malformed(format!("{error:#}")))?;
        if let Some(import) = module.imports().next() {
            return Err(InvalidRules::Imports(format!("{}.{}", import.module(), import.name())));
        }
        let has_answers = module.get_export("answered_kind").is_some();
        let (pace, inputs, piece_steps) = (Pace::new(0), 0, None);
        let mut rules = Self { module, pace, inputs, piece_steps, has_answers };
        let abi = rules.constant("abi", |abi| [ABI, ABI_OF_PIECES].contains(&abi))?;
        let ticks = rules.constant("ticks_per_second", |ticks| (0..=TICKS).contains(&ticks))?;
        rules.inputs = rules.constant("inputs", |inputs| (1..=INPUTS).contains(&inputs))?;
        rules.pace = Pace::new(ticks.unsigned_abs());
        if abi == ABI_OF_PIECES {
            let most = if ticks > 0 { ticks * PIECE_SECONDS } else { PIECE_MOVES };
            let steps = rules.constant("piece_steps", |steps| (1..=most).contains(&steps))?;
            rules.piece_steps = Some(steps.unsigned_abs());
        }
        rules.try_first_step()?;
        Ok(rules)
    }

    /// The length of the game's pieces; `None` in a game without pieces.
    pub(crate) fn pieces(&self) -> Option<PieceLength> {
        self.piece_steps.map(|steps| PieceLength { steps, pace: self.pace })
    }

    /// A fresh run with its own memory and fuel.
    pub(super) fn begin(&self) -> Result<Run, InvalidRules> {
        let (mut store, instance) = self.instantiate()?;
        let feed = self.piece_steps.map(|_| export(&mut store, &instance, "feed"));
        let answered = self.has_answers.then(|| {
            let kind = export(&mut store, &instance, "answered_kind")?;
            Ok((kind, export(&mut store, &instance, "answered_ticks")?))
        });
        Ok(Run {
            feed: feed.transpose()?,
            answered: answered.transpose()?,
            init: export(&mut store, &instance, "init")?,
            step: export(&mut store, &instance, "step")?,
            score: export(&mut store, &instance, "score")?,
            store,
        })
    }

    fn instantiate(&self) -> Result<(Store<StoreLimits>, Instance), InvalidRules> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(MEMORY)
            .table_elements(TABLE)
            .instances(1)
            .memories(1)
            .tables(1)
            .build();
        let mut store = Store::new(self.module.engine(), limits);
        store.limiter(|limits| limits);
        let instance =
            store.set_fuel(FUEL).and_then(|()| Instance::new(&mut store, &self.module, &[]));
        Ok((store, instance.map_err(|_| InvalidRules::Memory)?))
    }

    /// Calls an export that always returns the same value.
    fn constant(
        &self,
        name: &'static str,
        is_valid: impl FnOnce(i32) -> bool,
    ) -> Result<i32, InvalidRules> {
        let (mut store, instance) = self.instantiate()?;
        let function: TypedFunc<(), i32> = export(&mut store, &instance, name)?;
        let value = function.call(&mut store, ()).map_err(|_| InvalidRules::Fails(name))?;
        if is_valid(value) { Ok(value) } else { Err(InvalidRules::Value { name, value }) }
    }

    /// Takes the first step of a run, so that a module that cannot begin a run, or that the page
    /// cannot draw, is refused when it is applied.
    fn try_first_step(&self) -> Result<(), InvalidRules> {
        let (mut store, instance) = self.instantiate()?;
        export::<(), i32>(&mut store, &instance, "state")?;
        instance.get_memory(&mut store, "memory").ok_or(InvalidRules::Memory)?;
        let mut run = self.begin()?;
        let began = run.init.call(&mut run.store, (1, 0));
        began.map_err(|_| InvalidRules::Fails("init"))?;
        let stepped = run.step.call(&mut run.store, 0);
        stepped.map_err(|_| InvalidRules::Fails("step"))?;
        if let Some(feed) = &run.feed {
            feed.call(&mut run.store, 2).map_err(|_| InvalidRules::Fails("feed"))?;
        }
        if let Some((kind, ticks)) = &run.answered {
            kind.call(&mut run.store, ()).map_err(|_| InvalidRules::Fails("answered_kind"))?;
            ticks.call(&mut run.store, ()).map_err(|_| InvalidRules::Fails("answered_ticks"))?;
        }
        run.score.call(&mut run.store, ()).map_err(|_| InvalidRules::Fails("score"))?;
        Ok(())
    }
}

/// Returns a function that the module exports, with the parameters and results of the interface.
fn export<P: WasmParams, R: WasmResults>(
    store: &mut Store<StoreLimits>,
    instance: &Instance,
    name: &'static str,
) -> Result<TypedFunc<P, R>, InvalidRules> {
    instance.get_typed_func(store, name).map_err(|_| InvalidRules::Export(name))
}

/// Builds an engine that counts fuel and refuses floats.
fn engine() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .wasm_features(WasmFeatures::all(), false)
        .wasm_features(FEATURES, true);
    Engine::new(&config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::replay::tests::{counter, live_counter};

    fn refusal(module: &str) -> InvalidRules {
        RulesModule::new(&wat::parse_str(module).unwrap()).unwrap_err()
    }

    #[test]
    fn a_module_that_keeps_the_interface_is_accepted() {
        let rules = RulesModule::new(&wat::parse_str(counter()).unwrap()).unwrap();
        assert_eq!((rules.pace, rules.inputs), (Pace::new(60), 3));
    }

    #[test]
    fn rules_of_the_second_interface_have_pieces() {
        let rules = RulesModule::new(&wat::parse_str(live_counter()).unwrap()).unwrap();
        assert_eq!(rules.pieces(), Some(PieceLength { steps: 10, pace: Pace::new(60) }));
        let none = live_counter().replace(r#""feed""#, r#""food""#);
        assert_eq!(refusal(&none), InvalidRules::Export("feed"));
        let long = live_counter().replace(
            "$piece_steps (result i32) i32.const 10",
            "$piece_steps (result i32) i32.const 601",
        );
        assert_eq!(refusal(&long), InvalidRules::Value { name: "piece_steps", value: 601 });
    }

    #[test]
    fn rules_that_say_what_was_answered_say_when() {
        let kind = r#"(module (func (export "answered_kind") (result i32) i32.const 0)"#;
        let without_ticks = counter().replacen("(module", kind, 1);
        assert_eq!(refusal(&without_ticks), InvalidRules::Export("answered_ticks"));
    }

    #[test]
    fn imports_floats_and_missing_exports_are_refused() {
        let import = counter().replacen("(module", r#"(module (import "env" "now" (func))"#, 1);
        assert_eq!(refusal(&import), InvalidRules::Imports("env.now".to_owned()));
        let float = counter().replacen(
            "(module",
            "(module (func (result f64) f64.const 1 f64.const 2 f64.add)",
            1,
        );
        assert!(matches!(refusal(&float), InvalidRules::Malformed(_)));
        assert_eq!(refusal("(module)"), InvalidRules::Export("abi"));
        let other = counter().replace(r#""step" (func $step)"#, r#""step" (func $zero)"#);
        assert_eq!(refusal(&other), InvalidRules::Export("step"));
        let text = RulesModule::new(b"no module").unwrap_err();
        assert!(matches!(text, InvalidRules::Malformed(_)));
    }

    #[test]
    fn values_outside_the_limits_are_refused() {
        let other = counter().replace(
            "(func $abi (result i32) i32.const 1)",
            "(func $abi (result i32) i32.const 3)",
        );
        assert_eq!(refusal(&other), InvalidRules::Value { name: "abi", value: 3 });
        let fast = counter().replace("i32.const 60", "i32.const 121");
        assert_eq!(refusal(&fast), InvalidRules::Value { name: "ticks_per_second", value: 121 });
    }

    #[test]
    fn a_large_memory_and_endless_loops_are_refused() {
        let memory = counter().replace("(memory 1)", "(memory 65)");
        assert_eq!(refusal(&memory), InvalidRules::Memory);
        let endless = counter().replace(
            "(func $abi (result i32) i32.const 1)",
            "(func $abi (result i32) (loop br 0) unreachable)",
        );
        assert_eq!(refusal(&endless), InvalidRules::Fails("abi"));
        assert_eq!(RulesModule::new(&vec![0; MODULE + 1]).unwrap_err(), InvalidRules::TooLarge);
    }
}
