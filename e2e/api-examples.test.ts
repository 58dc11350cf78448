import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { programNamed } from '../tools/installed-programs.ts'
import { freePort } from '../tools/free-port.ts'
import { readSource, root } from '../tools/rules/source-tree.ts'
import { startPagesHub, STEP_MS, type PagesHub } from './pages-hub.ts'

const DOCUMENT = 'docs/api-examples.md'
const MARK = '@@ example'

type Block = { readonly heading: string; readonly language: string; readonly text: string }

/** Code blocks with the heading above each. */
function blocksIn(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map((match) => {
    const [, language = '', text = ''] = match
    return { heading: /(?:[\s\S]*\n)?## ([^\n]+)/.exec(markdown.slice(0, match.index))?.[1] ?? '', language, text }
  })
}

/** oxfmt adds line breaks to JSON. */
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')

/** Replaces the parts of the text that match `…` in the expected text. Returns the text unchanged if it does not match. */
function abridged(text: string, expected: string): string {
  const parts = expected.split('…')
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? text.length - part.length : text.indexOf(part, at)
    if (found < at || !text.startsWith(part, found) || (index === 0 && found > 0)) return text
    at = found + part.length
  }
  return expected
}

describe(DOCUMENT, { timeout: 2 * STEP_MS, skip: programNamed('curl') === undefined && 'there is no curl here' }, () => {
  const blocks = blocksIn(readSource(DOCUMENT))
  const shells = blocks.filter(({ language }) => language === 'sh')
  let hub: PagesHub
  let folder = ''
  let outputs: readonly string[] = []

  before(async () => {
    hub = await startPagesHub()
    await hub.watchMachine(await hub.createAdmin(), 'web-1')
    folder = mkdtempSync(join(tmpdir(), 'vedette-examples-'))
    for (const { language, text } of blocks)
      if (language === 'js') writeFileSync(join(folder, /^\/\/ (\w+\.mjs)\n/.exec(text)?.[1] ?? 'unnamed.mjs'), text)
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules', 'pocketbase'), join(folder, 'node_modules', 'pocketbase'))
    // All examples run in one shell, because later examples use variables of earlier ones.
    const script = shells.map(({ text }) => `${text}\necho; echo '${MARK}'\n`).join('')
    const environment = { ...process.env, HUB: hub.address, PORT: String(await freePort()), NODE_OPTIONS: '' }
    const { stdout, stderr, status } = spawnSync('sh', ['-e'], {
      cwd: folder,
      input: script,
      env: environment,
      encoding: 'utf8',
      timeout: STEP_MS,
    })
    assert.equal(status, 0, `${stdout.slice(-1500)}${stderr}`)
    outputs = stdout.split(`${MARK}\n`).map((output) => output.trim())
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await hub[Symbol.asyncDispose]()
  })

  for (const [index, shell] of shells.entries()) {
    const expected = blocks[blocks.indexOf(shell) + 1]
    test(`${shell.heading}, command ${index + 1}: it prints the output in the document`, () => {
      assert.ok(expected?.language === 'json' || expected?.language === 'text', 'a command is followed by its output')
      const [printed, wanted] = [outputs[index] ?? '', expected.text.trim()].map((text) =>
        expected.language === 'json' ? withoutSpace(text) : text,
      )
      assert.equal(abridged(printed ?? '', wanted ?? ''), wanted)
    })
  }
})
