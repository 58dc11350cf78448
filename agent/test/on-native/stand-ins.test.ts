import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { assertions } from './assertions.ts'
import { bytesAsText } from './bytes-as-text.ts'
import { takeTests, test as collect } from './collected-tests.ts'
import { FileUrl } from './file-url.ts'

/** Compares the native host's replacements for Node modules with the originals. */

const does = (work: () => unknown): 'holds' | 'fails' => {
  try {
    work()
    return 'holds'
  } catch {
    return 'fails'
  }
}

const leaf = fc.constantFrom<unknown>(0, -0, 1, Number.NaN, '', 'a', '0', null, undefined, true, false, 1n, 0n)
/** Only a few different values, so that equal values are frequent. */
const { value } = fc.letrec<{ value: unknown }>((tie) => {
  const few = fc.array(tie('value'), { maxLength: 2 })
  const members = fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 })
  return {
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      few,
      members,
      few.map((entries) => new Set(entries)),
      fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 }).map((entries) => new Map(entries)),
      fc.array(fc.nat(1), { maxLength: 2 }).map((bytes) => Uint8Array.from(bytes)),
      fc.constantFrom('a', 'b').map((text) => new Error(text)),
      fc.tuple(fc.constantFrom('a', 'b'), tie('value')).map(([text, cause]) => new RangeError(text, { cause })),
      fc.nat(1).map((ms) => new Date(ms)),
    ),
  }
})
/** Two equal values from one seed, or any two values. */
const pair = fc.oneof(fc.tuple(value, value), fc.clone(value, 2))

type Compared = (one: unknown, other: unknown) => void
const compared: Readonly<Record<'equal' | 'notEqual' | 'deepEqual', Compared>> = {
  equal: (one, other) => assert.equal(one, other),
  notEqual: (one, other) => assert.notEqual(one, other),
  deepEqual: (one, other) => assert.deepEqual(one, other),
}

for (const name of ['equal', 'notEqual', 'deepEqual'] as const) {
  test(`assertions.${name} decides like Node for any two values`, () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        assert.equal(
          does(() => assertions[name](one, other)),
          does(() => compared[name](one, other)),
        )
      }),
      { numRuns: 5000 },
    )
  })
}

test('assertions.partialDeepStrictEqual accepts parts of objects, and nothing that Node refuses', () => {
  fc.assert(
    fc.property(pair, ([whole, part]) => {
      if (does(() => assertions.partialDeepStrictEqual(whole, part)) === 'holds') assert.partialDeepStrictEqual(whole, part)
    }),
    { numRuns: 5000 },
  )
  assertions.partialDeepStrictEqual({ a: 1, b: { c: [1], d: 2 } }, { b: { c: [1] } })
  assert.equal(
    does(() => assertions.partialDeepStrictEqual({ a: 1 }, { a: 1, b: undefined })),
    'fails',
  )
})

test('assertions.ok, match and doesNotMatch decide like Node', () => {
  for (const one of [0, 1, '', 'a', null, undefined, Number.NaN, [], 0n]) {
    assert.equal(
      does(() => assertions.ok(one)),
      does(() => assert.ok(one)),
    )
  }
  for (const text of ['', 'abc', 'b', '\n']) {
    for (const pattern of [/b/, /^$/, /^b$/]) {
      for (const name of ['match', 'doesNotMatch'] as const) {
        assert.equal(
          does(() => assertions[name](text, pattern)),
          does(() => assert[name](text, pattern)),
          `${name} ${text} ${String(pattern)}`,
        )
      }
    }
  }
})

class OwnError extends Error {
  readonly code = 5
}

test('assertions.throws and rejects decide like Node', async () => {
  const thrown = [new Error('one'), new RangeError('one'), new OwnError('one'), new OwnError('two')]
  const expected = [
    undefined,
    /one/,
    /^Error: one$/,
    Error,
    RangeError,
    { message: 'one' },
    { message: 'one', code: 5 },
    new OwnError('one'),
  ]
  for (const error of [undefined, ...thrown]) {
    const work = (): void => {
      if (error !== undefined) throw error
    }
    // Node does not accept an explicit undefined.
    for (const one of expected) {
      const nodes = does(() => (one === undefined ? assert.throws(work) : assert.throws(work, one)))
      assert.equal(
        does(() => assertions.throws(work, one)),
        nodes,
        `throws ${String(error)} as ${String(one)}`,
      )
      const later = async (): Promise<void> => work()
      for (const given of [later, later()]) {
        const outcome = await assertions.rejects(given, one).then(
          () => 'holds',
          () => 'fails',
        )
        assert.equal(outcome, nodes, `rejects ${String(error)} as ${String(one)}`)
      }
    }
  }
})

test('assertions print the values that they compared', () => {
  assert.throws(
    () => assertions.deepEqual([1n, new Map([[1, undefined]])], new Uint8Array(1)),
    /\["1",\[\[1,"undefined"\]\]\] is not like \[0\]/,
  )
  assert.throws(() => assertions.equal(1, 2, 'why'), { message: 'why' })
})

test('test collects each registered test once, and refuses unsupported arguments', () => {
  const run = (): void => undefined
  collect('one', run)
  collect('two', { timeout: 5 }, run)
  assert.deepEqual(takeTests(), [
    { name: 'one', run },
    { name: 'two', run },
  ])
  assert.deepEqual(takeTests(), [])
  for (const given of [
    ['skipped', { skip: true }, run],
    ['with its context', (_context: unknown) => undefined],
    ['without work'],
    ['with too much', { timeout: 5 }, { timeout: 5 }, run],
  ]) {
    assert.throws(() => Reflect.apply(collect, undefined, given), TypeError)
  }
  assert.deepEqual(takeTests(), [])
})

test("FileUrl resolves relative paths like Node's URL", () => {
  for (const base of ['file:///a/b/c.ts', 'file:///c.ts']) {
    for (const path of ['x.json', './x.json', '../x.json', '../../y/./x.json', './d/']) {
      const url = new FileUrl(path, base)
      assert.equal(url.pathname, new URL(path, base).pathname, `${path} beside ${base}`)
      assert.equal(new FileUrl('e', url).pathname, new URL('e', new URL(path, base)).pathname)
    }
  }
})

test('bytesAsText encodes Base64 and UTF-8 like Node, and refuses other encodings', () => {
  const { from } = bytesAsText((bytes) => new TextDecoder().decode(bytes))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      assert.equal(from(bytes).toString('base64'), Buffer.from(bytes).toString('base64'))
    }),
  )
  assert.equal(from([0xc3, 0xbc]).toString(), 'ü')
  assert.throws(() => from([]).toString('hex'), /no text in hex/)
})
