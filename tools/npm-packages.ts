import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { programNotices } from './build-program.ts'
import { root } from './rules/source-tree.ts'

/** Path of the single executable for one architecture (Node's name), to be packed into an npm package by {@link packNpmPackages}. */
type NpmProgram = { readonly architecture: 'x64' | 'arm64'; readonly path: string }

const shared = {
  version: VEDETTE_VERSION,
  license: 'MIT',
  repository: { type: 'git', url: 'git+https://github.com/vedette-monitor/vedette.git' },
} as const

/**
 * Packs the npm packages of a release into `folder` and returns the paths of the archives. The first is `vedette`, whose command starts the
 * executable. For each architecture, one more has the executable; npm installs only the one that fits the machine.
 */
export function packNpmPackages(programs: readonly NpmProgram[], folder: string): readonly string[] {
  const work = mkdtempSync(join(tmpdir(), 'vedette-npm-'))
  try {
    const nameOf = (architecture: string): string => `@vedette-monitor/linux-${architecture}`
    const launcher = packageIn(join(work, 'vedette'), {
      ...shared,
      name: 'vedette',
      description: 'Self-hosted server monitoring: one hub, one small agent on each system, one dashboard.',
      type: 'module',
      bin: { vedette: 'launcher.mjs' },
      engines: { node: '>=18' },
      optionalDependencies: Object.fromEntries(programs.map(({ architecture }) => [nameOf(architecture), VEDETTE_VERSION])),
    })
    copyFileSync(join(root, 'program', 'packages', 'launcher.mjs'), join(launcher, 'launcher.mjs'))
    copyFileSync(join(root, 'LICENSE'), join(launcher, 'LICENSE'))
    const machines = programs.map(({ architecture, path }) => {
      const one = packageIn(join(work, architecture), {
        ...shared,
        name: nameOf(architecture),
        description: `The executable of Vedette for Linux on ${architecture}.`,
        os: ['linux'],
        cpu: [architecture],
        exports: { './vedette': './vedette' },
      })
      copyFileSync(path, join(one, 'vedette'))
      writeFileSync(join(one, 'licenses.txt'), programNotices())
      return one
    })
    mkdirSync(folder, { recursive: true })
    return [launcher, ...machines].map((one) => {
      const said = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: one, encoding: 'utf8' })
      return join(folder, said.trim())
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function packageIn(folder: string, description: object): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`)
  return folder
}
