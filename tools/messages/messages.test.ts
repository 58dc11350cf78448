import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'
import { readSource, root } from '../rules/source-tree.ts'
import { collectedMessages, dashboardMessages } from './collected-messages.ts'
import { messagesDocument, withoutRemedy } from './messages-document.ts'
import { errorClassesIn, messagesIn } from './messages-in-source.ts'

const DOCUMENT = 'docs/messages.md'

test('docs/messages.md lists exactly the messages of the sources (node tools/describe-messages.ts writes it)', () => {
  const written = messagesDocument(readSource(DOCUMENT), [...collectedMessages(), ...dashboardMessages()])
  const formatted = execFileSync('oxfmt', ['--stdin-filepath', DOCUMENT], { cwd: root, input: written, encoding: 'utf8' })
  assert.equal(readSource(DOCUMENT), formatted)
})

test('docs/messages.md has a remedy for every warning and error of logs, commands, the start and systems that are down', () => {
  assert.deepEqual(withoutRemedy(readSource(DOCUMENT)), [])
})

/** A statement and its messages. */
const statements: readonly (readonly [code: string, messages: readonly string[]])[] = [
  ["throw new LinkError('The link broke')", ['LinkError: The link broke']],
  ['throw new LinkError(`Cannot read "${file.path}"`)', ['LinkError: Cannot read "{path}"']],
  ["throw new LinkError(late ? 'It is late' : 'It is early')", ['LinkError: It is late', 'LinkError: It is early']],
  ["throw new RangeError('one ' + 'text')", ['RangeError: one text']],
  ["throw badRequest('No such thing.')", ['RecordError: No such thing.']],
  ["log.warn('sample not stored', { error })", ['warn: sample not stored']],
  ["parts.log.error('job failed')", ['error: job failed']],
  ["logOf('http').error('request failed')", ['error: request failed']],
  ["log.change('key', 'info', 'Connected to the hub')", ['info: Connected to the hub']],
  ["return { code: 'validation_required', message: 'Cannot be blank.' }", ['field: Cannot be blank.']],
  ["schema.min(1, 'Must be at least 1.')", ['field: Must be at least 1.']],
  ['reader.refuse(`${name}: not a number`)', ['setting: {name}: not a number']],
  ["console.warn('nothing of ours')", []],
  ["new Map([['a b', 1]])", []],
]

test('messagesIn finds the messages of errors, logs, fields and settings', () => {
  const fs = createVirtualFileSystem({
    '/rule/tried.ts': ['class LinkError extends Error {}', ...statements.map(([code], at) => `function tried${at}() { ${code} }`)].join(
      '\n',
    ),
    '/rule/tsconfig.json': JSON.stringify({ compilerOptions: { noEmit: true, noCheck: true }, files: ['tried.ts'] }),
  })
  const api = new API({ cwd: '/rule', fs })
  try {
    const project = api.updateSnapshot({ openProjects: ['/rule/tsconfig.json'] }).getProject('/rule/tsconfig.json')
    const source = project?.program.getSourceFile('/rule/tried.ts')
    assert.ok(source !== undefined)
    const found = messagesIn(source, 'tried.ts', new Set(['RangeError', ...errorClassesIn(source)]))
    assert.deepEqual(
      found.map(({ kind, text }) => `${kind}: ${text}`),
      statements.flatMap(([, messages]) => messages),
    )
  } finally {
    api.close()
  }
})
