import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { agentProgram, nativeAgent } from './native-agent.ts'
import { noteBuilt, type Profile } from './note-built.ts'
import { root } from './rules/source-tree.ts'

/** Asks for the agent's program as if it were built in this folder. */
function programAfter(build: (path: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-built-'))
  try {
    build(nativeAgent(process.arch, folder))
    return basename(agentProgram(folder)[0])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const built = (profile: Profile) => (path: string) => {
  writeFileSync(path, 'ELF')
  noteBuilt(path, profile)
}

const executable = `vedette-agent-linux-${process.arch}`
const node = basename(process.execPath)

for (const [what, build, program] of [
  ['nothing was built', () => {}, node],
  ['a release was built', built('release'), executable],
  ['a development build exists', built('dev'), executable],
  [
    'another version was built',
    (path: string) => {
      built('release')(path)
      writeFileSync(`${path}.version`, '0.0.1 release')
    },
    node,
  ],
  ['the build was removed', (path: string) => writeFileSync(`${path}.version`, `${VEDETTE_VERSION} release`), node],
] as const) {
  test(`npm run agent: ${program} where ${what}`, () => assert.equal(programAfter(build), program))
}

test('npm run agent: the selected program is an agent of this version', () => {
  const [name, version] = execFileSync(process.execPath, [join(root, 'tools', 'agent.ts'), '--version'], { encoding: 'utf8' })
    .trim()
    .split(' ')
  assert.deepEqual([name, version], ['vedette-agent', VEDETTE_VERSION])
})
