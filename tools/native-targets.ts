import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Build target of the native agent: architecture, Rust target triple and cross compiler. The executable is static, so it runs on every
 * Linux of that architecture.
 */
export type Target = {
  /** Architecture of the build target, by Node's name, such as `x64`. */
  readonly arch: string
  /** Rust target triple of the native agent, such as `x86_64-unknown-linux-musl`. */
  readonly triple: string
  /**
   * Name of the C cross compiler for the target, such as `aarch64-linux-gnu-gcc`. `specs` is the file for its option `-specs`, which
   * selects musl as C library.
   */
  readonly crossCompiler: string
  readonly specs: string
  /**
   * Names of the Debian packages needed to build the native agent for this target, separated by spaces: the cross compiler and the C
   * library musl.
   */
  readonly packages: string
}

export const targets: readonly Target[] = [
  {
    arch: 'x64',
    triple: 'x86_64-unknown-linux-musl',
    crossCompiler: 'x86_64-linux-gnu-gcc',
    specs: '/usr/lib/x86_64-linux-musl/musl-gcc.specs',
    packages: 'gcc-x86-64-linux-gnu musl-dev:amd64',
  },
  {
    arch: 'arm64',
    triple: 'aarch64-unknown-linux-musl',
    crossCompiler: 'aarch64-linux-gnu-gcc',
    specs: '/usr/lib/aarch64-linux-musl/musl-gcc.specs',
    packages: 'gcc-aarch64-linux-gnu musl-dev:arm64',
  },
]

/**
 * Checks whether the native agent can be built for a target. Returns the missing requirement as a sentence, or `undefined` when nothing is
 * missing. Installs the target's Rust standard library first, if it can.
 */
export function missingRequirement({ arch, triple, crossCompiler, specs, packages }: Target): string | undefined {
  if (!answers('cargo', '--version')) return 'needs Rust: https://rustup.rs'
  if (arch === process.arch) {
    if (!answers('musl-gcc', '--version')) return 'needs musl-gcc: apt install musl-tools'
  } else if (!answers(crossCompiler, '--version') || !existsSync(specs)) {
    const foreign = packages.slice(packages.lastIndexOf(':') + 1)
    return `needs ${crossCompiler} and musl: dpkg --add-architecture ${foreign}; apt update; apt install ${packages}`
  }
  const installed = spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).stdout.trim()
  if (existsSync(join(installed, 'lib', 'rustlib', triple))) return undefined
  return spawnSync('rustup', ['target', 'add', triple], { stdio: 'inherit' }).status === 0
    ? undefined
    : `needs Rust's target: rustup target add ${triple}`
}

const answers = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0

/**
 * Returns the environment variables, such as `CC_…` and `CFLAGS_…`, by which cargo cross-compiles C code for the target. Empty when the
 * target is this machine's own architecture.
 */
export function crossEnvironment({ arch, triple, crossCompiler, specs }: Target): Readonly<Record<string, string>> {
  if (arch === process.arch) return {}
  const name = triple.replaceAll('-', '_')
  return {
    [`CC_${name}`]: crossCompiler,
    [`CFLAGS_${name}`]: `-specs ${specs}`,
    // Rust's own C library is linked.
    [`CARGO_TARGET_${name.toUpperCase()}_LINKER`]: crossCompiler,
  }
}
