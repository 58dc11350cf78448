import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What one executable is built for; static, so for every Linux of that architecture. */
export type Target = {
  /** As Node names it. */
  readonly arch: string
  /** As Rust names it. */
  readonly triple: string
  /** The C compiler for it on another architecture, and what tells it to use musl instead of its own library. */
  readonly crossCompiler: string
  readonly specs: string
  /** Debian's packages with both. */
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

/** What stands in the way, as one sentence; `undefined` when it can be built. Fetches the target's Rust library when it can. */
export function hindrance({ arch, triple, crossCompiler, specs, packages }: Target): string | undefined {
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

/** What cargo and the crates with C in them are told, when the target is another architecture. */
export function crossEnvironment({ arch, triple, crossCompiler, specs }: Target): Readonly<Record<string, string>> {
  if (arch === process.arch) return {}
  const name = triple.replaceAll('-', '_')
  return {
    [`CC_${name}`]: crossCompiler,
    [`CFLAGS_${name}`]: `-specs ${specs}`,
    // Rust brings the C library that is linked.
    [`CARGO_TARGET_${name.toUpperCase()}_LINKER`]: crossCompiler,
  }
}
