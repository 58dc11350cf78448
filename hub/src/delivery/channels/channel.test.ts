import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { cutTo, cutToBytes, oneLine } from './channel.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 200 })

test('cutTo: at most so many units, the beginning of it, no character in two', () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 3, max: 100 }), (whole, most) => {
      const cut = cutTo(whole, most)
      assert.ok(cut.length <= most && cut.isWellFormed())
      assert.ok(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1))))
    }),
  ))

test('cutToBytes: at most so many bytes, the beginning of it, no character in two', () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 100 }), (whole, most) => {
      const cut = cutToBytes(whole, most)
      assert.ok(Buffer.byteLength(cut) <= most)
      // Half a character would be read as U+FFFD. The full text has none at this position, unless it contains one itself.
      assert.ok(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1))))
    }),
    { examples: [['\ufffd', 8]] },
  ))

test('oneLine: whatever a name holds', () => assert.equal(oneLine(' a\r\n\tb\u0000\u2028 c '), 'a b c'))
