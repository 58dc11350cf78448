import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { cutTo, cutToBytes, oneLine } from './channel.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 200 })

test('cutTo returns at most that many UTF-16 units and splits no character', () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 3, max: 100 }), (whole, most) => {
      const cut = cutTo(whole, most)
      assert.ok(cut.length <= most && cut.isWellFormed())
      assert.ok(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1))))
    }),
  ))

test('cutToBytes returns at most that many bytes and splits no character', () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 100 }), (whole, most) => {
      const cut = cutToBytes(whole, most)
      assert.ok(Buffer.byteLength(cut) <= most)
      // Half a character would be read as U+FFFD. The full text has none at this position, unless it contains one itself.
      assert.ok(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1))))
    }),
    { examples: [['\ufffd', 8]] },
  ))

test('oneLine replaces line breaks and control characters by single spaces', () =>
  assert.equal(oneLine(' a\r\n\tb\u0000\u2028 c '), 'a b c'))
