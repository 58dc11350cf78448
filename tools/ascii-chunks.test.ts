import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inAscii } from './ascii-chunks.ts'

async function meaning(code: string): Promise<unknown> {
  const { default: value } = (await import(`data:text/javascript,${encodeURIComponent(`export default ${code}`)}`)) as {
    readonly default: unknown
  }
  return value
}

for (const [what, code] of [
  ['a text', '"Grüße … 🔴"'],
  ['a template', '`${1}°C · 🔴`'],
  ['a pattern', '"a🔴bé".replace(/[🔴é]/gu, "-")'],
  ['an unnecessary escape', String.raw`["\ü", "\\ü", "é".replace(/\é/, "-")]`],
  ['a name', '(() => { const größe = 3; return größe })()'],
  ['a comment', '/* … */ 1'],
] as const)
  test(`inAscii keeps the meaning of ${what}`, async () => {
    const written = inAscii(code)
    assert.match(written, /^[\0-\x7f]*$/)
    assert.deepEqual(await meaning(written), await meaning(code))
  })

test('inAscii refuses a raw template with non-ASCII text', () => {
  assert.throws(() => inAscii('String.raw`a…`'), /Cannot bundle "raw`a…/)
  assert.equal(inAscii('String.raw`a` + `…`'), 'String.raw`a` + `\\u2026`')
})
