import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '../../protocol/src/wire/version.ts'
import { isSource, isTest, listFiles, readSource, root } from './source-tree.ts'

const files = listFiles()
const sources = files.filter(isSource)
const texts = files.filter(
  (path) => /\.(ts|tsx|mjs|json|md|html|css|yml|sh)$/.test(path) && !/(^|\/)vectors\//.test(path) && path !== 'package-lock.json',
)

const MAX_LINES = 300

test('no source file has more than 300 lines of code', () => {
  const long = sources.filter((path) => !isTest(path)).map((path) => ({ path, lines: linesOfCode(readSource(path)) }))
  assert.deepEqual(
    long.filter(({ lines }) => lines > MAX_LINES),
    [],
  )
})

function linesOfCode(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line)).length
}

const EMPTY_NAME =
  /^(utils?|helpers?|common|misc|shared|core|managers?|base|types|constants|index)$|(-|\.)(utils?|helpers?|managers?|service)$/

test('files and folders have no meaningless names', () => {
  const named = sources.filter((path) => {
    const parts = posix.normalize(path.replace(/(\.test)?\.(ts|tsx|mjs)$/, '')).split('/')
    return parts.some((part) => EMPTY_NAME.test(part))
  })
  assert.deepEqual(named, [])
})

test('files are named in kebab-case', () => {
  assert.deepEqual(
    sources.filter((path) => !/^[a-z0-9.-]+$/.test(posix.basename(path))),
    [],
  )
})

test('files contain no path of a particular machine', () => {
  const paths = new RegExp(['work', 'farm', 'root', 'home/[a-z]+'].map((name) => `["'\`\\s(]/${name}/`).join('|'))
  assert.deepEqual(
    texts.filter((path) => paths.test(readSource(path))),
    [],
  )
})

test('the lock file records no download addresses', () => {
  assert.doesNotMatch(readSource('package-lock.json'), /"resolved": "https?:/)
})

test('all packages and the protocol have the same version', () => {
  const versions = ['package.json', 'protocol/package.json', 'agent/package.json', 'hub/package.json', 'web/package.json'].map(
    (path) => (JSON.parse(readSource(path)) as { readonly version: string }).version,
  )
  assert.deepEqual([...new Set([...versions, VEDETTE_VERSION])], [VEDETTE_VERSION])
})

test('every environment variable of this project in the code is documented', () => {
  const documents = files
    .filter((path) => path.endsWith('.md'))
    .map(readSource)
    .join('\n')
  const named = sources.flatMap((path) => [...readSource(path).matchAll(/\bVEDETTE_[A-Z][A-Z_]+[A-Z]\b/g)].map(([name]) => name))
  const constants = new Set(['VEDETTE_VERSION'])
  // The agent's variables are documented without prefix; the prefix is documented once.
  const isDocumented = (name: string) => documents.includes(name) || documents.includes(`\`${name.replace(/^VEDETTE_AGENT_/, '')}\``)
  assert.deepEqual(
    [...new Set(named)].filter((name) => !constants.has(name) && !isDocumented(name)),
    [],
  )
})

test('the agent compiles without types of Node or the DOM', () => {
  execFileSync('tsc', ['-p', 'agent/tsconfig.json'], { cwd: root, stdio: 'pipe' })
  execFileSync('tsc', ['-p', 'protocol/tsconfig.json'], { cwd: root, stdio: 'pipe' })
})

test('no test is skipped, is marked "only", or waits for a fixed time', () => {
  const broken = sources
    .filter(isTest)
    .filter((path) => /\b(test|it|describe)\.(skip|only|todo)\(|waitForTimeout\(|[^.]\bsleep\(/.test(readSource(path)))
  assert.deepEqual(broken, [])
})

// About 1 in 250 keys of ssh2 1.17 is unreadable, because ssh2 drops leading zeros of the public key.
test('keys of ssh2 are generated only by code that replaces unreadable keys', () => {
  const makers = sources.filter((path) => /ssh2\.utils\.generateKeyPair/.test(readSource(path)) && !path.startsWith('tools/rules/'))
  assert.deepEqual(new Set(makers), new Set(['agent/src/runtime/node/ssh-server.ts', 'hub/src/fleet/ssh/hub-key.ts']))
})
