import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { seriesColour } from './series-colour.ts'

test('seriesColour gives each name one of eight colour tokens', () =>
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => assert.match(seriesColour(name), /^--series-[1-8]$/))))

test('seriesColour never changes for these names', () => {
  const colours = ['', 'web', 'database', 'nginx', 'خادم', '__proto__'].map((name) => seriesColour(name))
  assert.deepEqual(colours, ['--series-6', '--series-2', '--series-1', '--series-8', '--series-7', '--series-6'])
})

test('seriesColour distributes names over all tokens', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 800; index++) {
    const colour = seriesColour(`web-${index}`)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  assert.equal(counts.size, 8)
  for (const [colour, count] of counts) assert.ok(count > 60 && count < 140, `${colour}: ${count}`)
})

/** The value of each token in one theme, as `#rrggbb`. */
function tokensOf(theme: string): ReadonlyMap<string, string> {
  const css = readFileSync(new URL('../styles/look.css', import.meta.url), 'utf8')
  const start = css.indexOf(`${theme} {`)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map([...block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, token = '', colour = '']) => [token, colour]))
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

for (const theme of [':root', '.dark']) {
  test(`every series colour has a contrast of 3:1 against a card, ${theme}`, () => {
    const tokens = tokensOf(theme)
    const surface = luminance(tokens.get('--surface') ?? '')
    for (let series = 1; series <= 8; series++) {
      const drawn = luminance(tokens.get(`--series-${series}`) ?? '')
      const contrast = (Math.max(surface, drawn) + 0.05) / (Math.min(surface, drawn) + 0.05)
      assert.ok(contrast >= 3, `--series-${series}: ${contrast}`)
    }
  })
}
