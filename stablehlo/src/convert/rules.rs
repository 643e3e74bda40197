//! What of an operation of `vhlo` is otherwise in StableHLO, and what changed between its versions: one table for both ways.
//!
//! An operation without a rule is called the same in both dialects, was never changed, and has attributes that convert by what they are.

use crate::Version;

/// What is particular to an operation.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Its name in `vhlo`, without its version.
    pub(crate) name: &'static str,
    /// The first version of `vhlo` with each version of the operation, oldest first.
    pub(crate) since: &'static [Version],
    /// Attributes that are not what they are called or hold, or that have a default.
    pub(crate) members: &'static [Member],
    /// What its second version brought.
    pub(crate) added: Added,
}

/// An attribute, or a group of them.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its name, the same in both dialects; of a group, what StableHLO calls it.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) kind: Kind,
    /// What `vhlo` has where StableHLO has none.
    pub(crate) default: Default,
}

/// How an attribute converts where not by what it holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// By what it holds.
    Plain,
    /// A dense array of StableHLO, a tensor in `vhlo`.
    Array,
    /// A symbol, or an array of symbols: strings in `vhlo`.
    Symbol,
    /// There or not: true or false in `vhlo`.
    Unit,
    /// An integer of 32 bits, an enum in `vhlo`.
    ApiVersion,
    /// One attribute with that mnemonic in StableHLO, one for each of its parameters in `vhlo`. Of those not named here, numbers are 0.
    Group(&'static str, &'static [&'static str]),
}

/// A value by what it says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Default {
    /// There is none.
    None,
    /// `false`
    False,
    /// An integer of 64 bits.
    Number(i64),
    /// An empty string.
    String,
    /// An empty string, which StableHLO says as well: MLIR puts it where the operation is made.
    Said,
    /// An empty array.
    Array,
    /// Two empty arrays, of which none stands alone.
    Layouts,
    /// An empty dictionary.
    Dictionary,
    /// No numbers: an empty tensor of integers of 64 bits.
    Numbers,
    /// A comparison of no type.
    ComparisonType,
    /// The calling convention that there was first.
    ApiVersion,
    /// An empty string, or an empty dictionary for a calling convention that takes one.
    BackendConfig,
    /// As precise as ever, for both operands.
    Precision,
    /// As exact as ever.
    Accuracy,
    /// The type of nothing.
    NoType,
    /// That number for each dimension that another attribute counts.
    Each(i64, &'static str),
    /// `false` for each.
    EachFalse(&'static str),
    /// Two zeros for each.
    EachPadding(&'static str),
}

/// What the second version of an operation brought.
#[derive(Debug)]
pub(crate) struct Added {
    /// Attributes, and what the first version says without them.
    pub(crate) attributes: &'static [(&'static str, Default)],
    /// Attributes that the first version alone has, and what it says where the second one is meant.
    pub(crate) removed: &'static [(&'static str, Default)],
    /// Several operands and results, where the first version has one of each.
    pub(crate) many: bool,
    /// Regions.
    pub(crate) regions: bool,
}

const NOTHING: Added = Added { attributes: &[], removed: &[], many: false, regions: false };
const MANY: Added = Added { many: true, ..NOTHING };

const fn adds(attributes: &'static [(&'static str, Default)]) -> Added {
    Added { attributes, ..NOTHING }
}

const fn v(major: u64, minor: u64) -> Version {
    Version::new(major, minor, 0)
}

const EVER: &[Version] = &[v(0, 9)];

const fn rule(name: &'static str, since: &'static [Version], members: &'static [Member], added: Added) -> Rule {
    Rule { name, since, members, added }
}

const fn plain(name: &'static str, default: Default) -> Member {
    Member { name, kind: Kind::Plain, default }
}

const fn array(name: &'static str) -> Member {
    Member { name, kind: Kind::Array, default: Default::None }
}

const fn array_or(name: &'static str, default: Default) -> Member {
    Member { name, kind: Kind::Array, default }
}

const fn symbol(name: &'static str, default: Default) -> Member {
    Member { name, kind: Kind::Symbol, default }
}

const fn unit(name: &'static str) -> Member {
    Member { name, kind: Kind::Unit, default: Default::False }
}

const fn group(
    name: &'static str,
    mnemonic: &'static str,
    members: &'static [&'static str],
    default: Default,
) -> Member {
    Member { name, kind: Kind::Group(mnemonic, members), default }
}

/// Of what devices tell each other on.
const CHANNEL: Member = group("channel_handle", "channel_handle", &["channel_id"], Default::Number(0));
const CHANNEL_OF_TYPE: Member =
    group("channel_handle", "channel_handle", &["channel_id", "channel_type"], Default::None);
const GLOBAL: Member = unit("use_global_device_ids");
const DYNAMIC_ROOT: Member = unit("has_dynamic_root");
const PRECISION: Member = plain("precision_config", Default::Precision);
const SORTED: Member = plain("indices_are_sorted", Default::False);

const SPATIAL: &str = "input_spatial_dimensions";
const CONVOLUTION: Member = group(
    "dimension_numbers",
    "conv",
    &[
        "input_batch_dimension",
        "input_feature_dimension",
        SPATIAL,
        "kernel_input_feature_dimension",
        "kernel_output_feature_dimension",
        "kernel_spatial_dimensions",
        "output_batch_dimension",
        "output_feature_dimension",
        "output_spatial_dimensions",
    ],
    Default::None,
);
const CONVOLUTION_PADDING: (&str, Default) = ("padding", Default::EachPadding(SPATIAL));

const DOT: Member = group(
    "dot_dimension_numbers",
    "dot",
    &["lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"],
    Default::None,
);
const ALGORITHM: Member = group(
    "algorithm",
    "dot_algorithm",
    &[
        "lhs_precision_type",
        "rhs_precision_type",
        "accumulation_type",
        "lhs_component_count",
        "rhs_component_count",
        "num_primitive_operations",
        "allow_imprecise_accumulation",
    ],
    Default::NoType,
);
const ALGORITHM_ADDED: Added = adds(&[
    ("lhs_precision_type", Default::NoType),
    ("rhs_precision_type", Default::NoType),
    ("accumulation_type", Default::NoType),
    ("lhs_component_count", Default::NoType),
    ("rhs_component_count", Default::NoType),
    ("num_primitive_operations", Default::NoType),
    ("allow_imprecise_accumulation", Default::NoType),
]);

const GATHER: Member = group(
    "dimension_numbers",
    "gather",
    &[
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
        "index_vector_dim",
    ],
    Default::None,
);
const GATHER_ADDED: Added =
    adds(&[("operand_batching_dims", Default::Numbers), ("start_indices_batching_dims", Default::Numbers)]);

const SCATTER: Member = group(
    "scatter_dimension_numbers",
    "scatter",
    &[
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
        "index_vector_dim",
    ],
    Default::None,
);

const ACCURACY: &[Member] = &[plain("result_accuracy", Default::Accuracy)];
const ACCURACY_ADDED: Added = adds(&[("result_accuracy", Default::Accuracy)]);

/// An operation that got an accuracy.
const fn inexact(name: &'static str, since: &'static [Version]) -> Rule {
    rule(name, since, ACCURACY, ACCURACY_ADDED)
}

/// One that had been there ever, and got it in 1.10.0.
const INEXACT: &[Version] = &[v(0, 9), v(1, 10)];

const TRANSFER: &[Member] =
    &[CHANNEL_OF_TYPE, plain("is_host_transfer", Default::False), plain("source_target_pairs", Default::Numbers)];
const TRANSFER_ADDED: Added = adds(&[("source_target_pairs", Default::Numbers)]);

const WINDOW: &str = "window_dimensions";

/// The rules, by name.
pub(crate) static RULES: &[Rule] = &[
    rule("all_gather", &[v(0, 9), v(1, 5)], &[CHANNEL, GLOBAL], MANY),
    rule("all_reduce", &[v(0, 9), v(1, 5)], &[CHANNEL, GLOBAL], MANY),
    rule("all_to_all", &[v(0, 9), v(1, 5)], &[CHANNEL], MANY),
    rule("async_done", &[v(1, 15)], &[], NOTHING),
    rule("async_start", &[v(1, 15)], &[], NOTHING),
    rule("broadcast", EVER, &[array("broadcast_sizes")], NOTHING),
    rule("broadcast_in_dim", EVER, &[array("broadcast_dimensions")], NOTHING),
    rule("call", EVER, &[symbol("callee", Default::None)], NOTHING),
    inexact("cbrt", INEXACT),
    rule("cholesky", EVER, &[plain("lower", Default::False)], NOTHING),
    rule(
        "collective_broadcast",
        &[v(0, 16), v(1, 20)],
        &[CHANNEL, DYNAMIC_ROOT],
        Added { many: true, ..adds(&[("has_dynamic_root", Default::False)]) },
    ),
    rule("collective_permute", EVER, &[CHANNEL], NOTHING),
    rule("collective_reduce", &[v(1, 19)], &[CHANNEL, GLOBAL, DYNAMIC_ROOT], NOTHING),
    rule("compare", EVER, &[plain("compare_type", Default::ComparisonType)], NOTHING),
    rule(
        "composite",
        &[v(0, 19), v(1, 14)],
        &[
            symbol("decomposition", Default::None),
            plain("version", Default::Number(0)),
            plain("composite_attributes", Default::Dictionary),
        ],
        Added { regions: true, ..NOTHING },
    ),
    rule(
        "convolution",
        EVER,
        &[
            CONVOLUTION,
            array_or("window_strides", Default::Each(1, SPATIAL)),
            plain(CONVOLUTION_PADDING.0, CONVOLUTION_PADDING.1),
            array_or("lhs_dilation", Default::Each(1, SPATIAL)),
            array_or("rhs_dilation", Default::Each(1, SPATIAL)),
            array_or("window_reversal", Default::EachFalse(SPATIAL)),
            PRECISION,
        ],
        NOTHING,
    ),
    inexact("cosine", INEXACT),
    rule(
        "custom_call",
        &[v(0, 9), v(1, 18)],
        &[
            plain("has_side_effect", Default::False),
            plain("backend_config", Default::BackendConfig),
            Member { name: "api_version", kind: Kind::ApiVersion, default: Default::ApiVersion },
            symbol("called_computations", Default::Array),
            plain("operand_layouts", Default::Layouts),
            plain("result_layouts", Default::Layouts),
            plain("output_operand_aliases", Default::Array),
            plain("result_tilings", Default::Array),
        ],
        adds(&[("result_tilings", Default::Array)]),
    ),
    rule("dot", EVER, &[PRECISION], NOTHING),
    rule("dot_general", &[v(0, 9), v(1, 6)], &[DOT, PRECISION, ALGORITHM], ALGORITHM_ADDED),
    rule(
        "dynamic_broadcast_in_dim",
        EVER,
        &[
            array("broadcast_dimensions"),
            array_or("known_expanding_dimensions", Default::Numbers),
            array_or("known_nonexpanding_dimensions", Default::Numbers),
        ],
        NOTHING,
    ),
    rule(
        "dynamic_conv",
        &[v(0, 9), v(0, 20)],
        &[
            CONVOLUTION,
            array_or("window_strides", Default::Each(1, SPATIAL)),
            array_or("lhs_dilation", Default::Each(1, SPATIAL)),
            array_or("rhs_dilation", Default::Each(1, SPATIAL)),
            array_or("window_reversal", Default::EachFalse(SPATIAL)),
            PRECISION,
        ],
        Added { removed: &[CONVOLUTION_PADDING], ..NOTHING },
    ),
    rule("dynamic_gather", &[v(0, 9), v(1, 1)], &[GATHER, SORTED], GATHER_ADDED),
    rule("dynamic_slice", EVER, &[array("slice_sizes")], NOTHING),
    inexact("exponential", &[v(0, 9), v(1, 9)]),
    inexact("exponential_minus_one", INEXACT),
    rule("fft", EVER, &[array("fft_length")], NOTHING),
    rule(
        "func",
        EVER,
        &[
            plain("sym_visibility", Default::String),
            plain("arg_attrs", Default::Array),
            plain("res_attrs", Default::Array),
        ],
        NOTHING,
    ),
    rule("gather", &[v(0, 9), v(1, 1)], &[GATHER, array("slice_sizes"), SORTED], GATHER_ADDED),
    rule("infeed", EVER, &[plain("infeed_config", Default::Said), plain("layout", Default::Array)], NOTHING),
    inexact("log", INEXACT),
    inexact("log_plus_one", INEXACT),
    inexact("logistic", INEXACT),
    rule("map", EVER, &[array("dimensions")], NOTHING),
    rule("outfeed", EVER, &[plain("outfeed_config", Default::Said)], NOTHING),
    rule("pad", EVER, &[array("edge_padding_low"), array("edge_padding_high"), array("interior_padding")], NOTHING),
    rule("recv", &[v(0, 9), v(1, 12)], TRANSFER, TRANSFER_ADDED),
    rule("reduce", EVER, &[array("dimensions")], NOTHING),
    rule("reduce_scatter", EVER, &[CHANNEL, GLOBAL], NOTHING),
    rule(
        "reduce_window",
        EVER,
        &[
            array(WINDOW),
            array_or("window_strides", Default::Each(1, WINDOW)),
            array_or("base_dilations", Default::Each(1, WINDOW)),
            array_or("window_dilations", Default::Each(1, WINDOW)),
            plain("padding", Default::EachPadding(WINDOW)),
        ],
        NOTHING,
    ),
    rule("reverse", EVER, &[array("dimensions")], NOTHING),
    inexact("rsqrt", INEXACT),
    rule(
        "scatter",
        &[v(0, 9), v(1, 1)],
        &[SCATTER, SORTED, plain("unique_indices", Default::False)],
        adds(&[("input_batching_dims", Default::Numbers), ("scatter_indices_batching_dims", Default::Numbers)]),
    ),
    rule(
        "select_and_scatter",
        EVER,
        &[
            array(WINDOW),
            array_or("window_strides", Default::Each(1, WINDOW)),
            plain("padding", Default::EachPadding(WINDOW)),
        ],
        NOTHING,
    ),
    rule("send", &[v(0, 9), v(1, 12)], TRANSFER, TRANSFER_ADDED),
    inexact("sine", INEXACT),
    rule("slice", EVER, &[array("start_indices"), array("limit_indices"), array("strides")], NOTHING),
    rule("sort", EVER, &[plain("dimension", Default::Number(-1)), plain("is_stable", Default::False)], NOTHING),
    inexact("sqrt", INEXACT),
    inexact("tan", &[v(1, 4), v(1, 10)]),
    inexact("tanh", INEXACT),
    rule("transpose", EVER, &[array("permutation")], NOTHING),
];

/// The rule of an operation that has none of its own.
static PLAIN: Rule = rule("", EVER, &[], NOTHING);

/// The rule of an operation.
pub(crate) fn rule_of(name: &str) -> &'static Rule {
    RULES.binary_search_by_key(&name, |rule| rule.name).map_or(&PLAIN, |at| &RULES[at])
}
