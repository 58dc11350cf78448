/** Node.js command line flags and environment variables with which one command of the single executable (hub or agent) must run. */
export type Tuning = { readonly flags: readonly string[]; readonly environment: Readonly<Record<string, string>> }

/**
 * Command line flags of Node.js and environment variables with which the hub runs. `bench/RESULTS.md` has the measured values.
 *
 * The young generation has two halves of 8 MiB. With 4 MiB, a sample costs 10 % more CPU (benchmark H1); with 16 MiB, the hub takes 20 MiB
 * more. V8 would shrink them between polls, which costs 14 % more CPU. V8 decides how far the heap grows. A fixed 2.5 times the used size
 * would save 15 % CPU in reads of history (benchmark H6), but costs a steady fleet 15 to 25 MiB. Two helper threads are enough: more would
 * share the same work. None of the flags makes V8 compile Node's own modules again.
 *
 * The variables configure the C library's memory, mallopt(3). `M_ARENA_MAX`: the threads share one heap, because a heap for each would
 * waste megabytes. `M_MMAP_THRESHOLD`: allocations of 8 KiB and more that do not fit are mapped, so that a flood does not grow the heap,
 * which cannot shrink below memory in use; pages of SQLite's cache are smaller. `M_TOP_PAD`: the heap grows by little more than the 64 KiB
 * that Node allocates for a read; with less, each read of a steady fleet is mapped, which costs a quarter more CPU. `M_MMAP_MAX`: a process
 * may have 65,530 mappings, and V8 needs some.
 */
export const hubTuning: Tuning = {
  flags: [
    '--min-semi-space-size=8',
    '--max-semi-space-size=8',
    '--v8-pool-size=2',
    // `node:ffi`, by which the hub returns free memory.
    '--disable-warning=ExperimentalWarning',
  ],
  environment: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '8192',
    MALLOC_MMAP_MAX_: '16384',
    MALLOC_TOP_PAD_: '81920',
  },
}

/** Node.js flags for the agent: a maximum of 1 MiB for V8's young generation, because the agent makes little garbage. */
export const agentTuning: Tuning = { flags: ['--max-semi-space-size=1'], environment: {} }

/** Returns true when all flags of `tuning` are among the Node.js flags with which this process runs (`process.execArgv`). */
export const isTuned = ({ flags }: Tuning, running: readonly string[]): boolean => flags.every((flag) => running.includes(flag))
