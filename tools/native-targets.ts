import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Build target of one executable. It is static, so it runs on every Linux of that architecture. */
export type Target = {
  /** Architecture by Node's name. */
  readonly arch: string
  /** Target triple of Rust. */
  readonly triple: string
  /** C cross compiler for it, and the `-specs` file with which that uses musl instead of its own library. */
  readonly crossCompiler: string
  readonly specs: string
  /** Debian packages with both. */
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

/** Missing requirement, as one sentence; `undefined` when the target can be built. Installs the target's Rust library if possible. */
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

/** Environment for cargo and for crates with C code, when the target has another architecture. */
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
