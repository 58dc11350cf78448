import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from './rules/source-tree.ts'

/** A stub of npm: installs Node in that version and records the Node it runs on. Like npm 10 it removes links that it did not create. */
const npmThatInstalls = (version: string): string => `#!/bin/sh
node --version >> npm-ran-on
rm -f node_modules/.bin/node
mkdir -p node_modules/.bin node_modules/node-any/bin
echo '{"version":"${version}"}' > node_modules/node-any/package.json
printf '#!/bin/sh\\necho v${version}\\n' > node_modules/node-any/bin/node
chmod +x node_modules/node-any/bin/node
`

/** The Node versions on which npm ran during the setup of a fresh clone. */
function setUp(installed: string): readonly string[] {
  const clone = mkdtempSync(join(tmpdir(), 'vedette-clone-'))
  try {
    mkdirSync(join(clone, 'tools'))
    mkdirSync(join(clone, 'programs'))
    copyFileSync(join(root, 'tools', 'setup.mjs'), join(clone, 'tools', 'setup.mjs'))
    writeFileSync(join(clone, 'package-lock.json'), '{}')
    writeFileSync(join(clone, 'package.json'), '{"optionalDependencies":{"node-none":"1","node-any":"1"}}')
    const npm = join(clone, 'programs', 'npm')
    writeFileSync(npm, npmThatInstalls(installed))
    chmodSync(npm, 0o755)
    const path = [dirname(npm), dirname(process.execPath), process.env['PATH']].join(delimiter)
    execFileSync(process.execPath, [join(clone, 'tools', 'setup.mjs')], { env: { PATH: path }, stdio: ['ignore', 'ignore', 'pipe'] })
    const linked = execFileSync(join(clone, 'node_modules', '.bin', 'node'), ['--version'], { encoding: 'utf8' })
    assert.equal(linked.trim(), `v${installed}`)
    return readFileSync(join(clone, 'npm-ran-on'), 'utf8').trim().split('\n')
  } finally {
    rmSync(clone, { recursive: true })
  }
}

const outer = process.version

test('setup runs npm once if it was started by the major version of Node that the project installs', () =>
  assert.deepEqual(setUp(process.versions.node), [outer]))

test('setup runs npm again on the installed Node, because an older Node may skip optional packages', () =>
  assert.deepEqual(setUp('99.1.0'), [outer, 'v99.1.0']))
