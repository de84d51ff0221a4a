//! How the C library's allocator goes about large blocks. By default it keeps them after their first use, one heap for each thread, so
//! that a few large files on different threads hold several times what is in use.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Blocks of 128 KiB and more come from the system, and go back to it; all threads share two heaps.
const VARIABLES: [(&str, &str); 3] =
    [("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072"), ("MALLOC_ARENA_MAX", "2")];

/// Replaces this process by the same program with the allocator set up, unless somebody has chosen already. The allocator reads its
/// variables when a program starts, and at no other time. Where that cannot be done, the program goes on as it is.
pub fn return_large_blocks() {
    if VARIABLES.iter().any(|(name, _)| env::var_os(name).is_some()) {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let _not_replaced = Command::new(program).args(env::args_os().skip(1)).envs(VARIABLES).exec();
}
