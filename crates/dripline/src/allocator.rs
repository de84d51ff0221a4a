//! How the C library's allocator goes about large blocks. By default it keeps them after their first use, one heap for each thread, so
//! that a few large files on different threads hold several times what is in use.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Blocks of this size and more come from the system, and go back to it.
const LARGE_BLOCK_BYTES: &str = "131072";
const VARIABLES: [&str; 2] = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];

/// Replaces this process by the same program with the allocator set up, unless somebody has chosen already. The allocator reads its
/// variables when a program starts, and at no other time. Where that cannot be done, the program goes on as it is.
pub fn return_large_blocks() {
    if VARIABLES.iter().any(|name| env::var_os(name).is_some()) {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let variables = VARIABLES.map(|name| (name, LARGE_BLOCK_BYTES));
    let _not_replaced = Command::new(program).args(env::args_os().skip(1)).envs(variables).exec();
}
