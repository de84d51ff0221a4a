//! Makes the C library's allocator return large blocks to the system. By default it keeps them in one heap per thread, so a few large
//! files on different threads would hold several times the memory in use.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Blocks of 128 KiB and more are returned to the system; all threads share two heaps.
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
