import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  changeTags,
  deletedSources,
  LONGEST_TAG,
  normalTag,
  parseSources,
  restoredSources,
  tagFields,
  tagProblem,
  tagSources,
  type SourcedTag,
  type TagSource,
} from './tag.ts'

const texts: readonly (readonly [text: string, code: string | undefined])[] = [
  ['env=prod', undefined],
  ['a', undefined],
  ['x'.repeat(LONGEST_TAG), undefined],
  ['\u{1F534}'.repeat(LONGEST_TAG), undefined],
  ['__proto__', undefined],
  ['two words', undefined],
  ["it's \\ 50%", undefined],
  ['x'.repeat(LONGEST_TAG + 1), 'validation_max_text_constraint'],
  ['', 'validation_invalid_tag'],
  ['  \u3000', 'validation_invalid_tag'],
  [' a', 'validation_invalid_tag'],
  ['\u200B\u200E', 'validation_invalid_tag'],
  ['a\u202Eb', 'validation_invalid_tag'],
  ['a,b', 'validation_invalid_tag'],
  ['a"b', 'validation_invalid_tag'],
  ['a\0b', 'validation_invalid_tag'],
  ['a\nb', 'validation_invalid_tag'],
  ['a\u2028b', 'validation_invalid_tag'],
  ['a\u0085b', 'validation_invalid_tag'],
  ['a\uD800b', 'validation_invalid_tag'],
  // e with a separate accent.
  ['cafe\u0301', 'validation_invalid_tag'],
]
for (const [text, code] of texts)
  test(`tagProblem: ${JSON.stringify(text.slice(0, 20))} gives ${code ?? 'no error'}`, () => assert.equal(tagProblem(text)?.code, code))

test('normalTag makes every text without forbidden characters a tag, and is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
      const tag = normalTag(text)
      assert.equal(normalTag(tag), tag)
      if (/^[\p{L}\p{N} =]+$/u.test(tag) && Array.from(tag).length <= LONGEST_TAG) assert.equal(tagProblem(tag), undefined)
    }),
  )
})

const before: readonly SourcedTag[] = [
  { tag: 'accepted', sources: ['admin', 'agent'] },
  { tag: 'enrolled', sources: ['token'] },
  { tag: 'mine', sources: ['person'] },
  { tag: 'said', sources: ['agent'] },
  { tag: 'set', sources: ['admin'] },
]
const none = { added: [], removed: [] }
const all = before.map(({ tag }) => tag)
const of = (tags: readonly SourcedTag[]): string => tags.map(({ tag, sources }) => `${tag}:${sources.join('+')}`).join(' ')
const unchanged = of(before)

const changes = [
  [
    'an admin adds a tag',
    'admin',
    { ...none, added: ['new'] },
    'accepted:admin+agent enrolled:token mine:person new:admin said:agent set:admin',
    'new',
    '',
  ],
  [
    'a person adds a tag',
    'person',
    { ...none, added: ['new'] },
    'accepted:admin+agent enrolled:token mine:person new:person said:agent set:admin',
    'new',
    '',
  ],
  [
    'an admin accepts the tag of an agent',
    'admin',
    { ...none, added: ['said'] },
    'accepted:admin+agent enrolled:token mine:person said:admin+agent set:admin',
    'said',
    '',
  ],
  [
    'a person adds the tag of an agent',
    'person',
    { ...none, added: ['said'] },
    'accepted:admin+agent enrolled:token mine:person said:person+agent set:admin',
    'said',
    '',
  ],
  ['an admin sends the whole list and accepts nothing', 'admin', { ...none, set: all }, unchanged, '', ''],
  ['an admin sends the list with a further tag', 'admin', { ...none, set: [...all, 'z'] }, `${unchanged} z:admin`, 'z', ''],
  [
    'an admin takes the acceptance back',
    'admin',
    { ...none, removed: ['accepted'] },
    'accepted:agent enrolled:token mine:person said:agent set:admin',
    '',
    '',
  ],
  [
    'an admin removes tags of a token, a person and an admin',
    'admin',
    { ...none, removed: ['enrolled', 'mine', 'set'] },
    'accepted:admin+agent said:agent',
    '',
    '',
  ],
  ['an admin cannot remove the tag of an agent', 'admin', { ...none, removed: ['said'] }, unchanged, '', 'said'],
  [
    'an admin cannot drop tags of an agent from the list',
    'admin',
    { ...none, set: [] },
    'accepted:admin+agent said:agent',
    '',
    'accepted said',
  ],
  [
    'a person removes only the own tags',
    'person',
    { ...none, set: [] },
    'accepted:admin+agent enrolled:token said:agent set:admin',
    '',
    'accepted enrolled said set',
  ],
  [
    'a person cannot remove the tag of an admin',
    'person',
    { ...none, removed: ['set', 'mine'] },
    'accepted:admin+agent enrolled:token said:agent set:admin',
    '',
    'set',
  ],
  ['a tag that is added and removed is not there', 'admin', { added: ['new'], removed: ['new', 'missing'] }, unchanged, '', ''],
  [
    'hostile names are tags',
    'admin',
    { ...none, set: ['__proto__', ...all], added: ['constructor'] },
    'PROTO',
    '__proto__ constructor',
    '',
  ],
] as const
for (const [name, author, change, expected, given, kept] of changes)
  test(`changeTags: ${name}`, () => {
    const result = changeTags(before, change, author)
    if (expected !== 'PROTO') assert.equal(of(result.tags), expected)
    assert.deepEqual([result.given.join(' '), result.kept.map(({ tag }) => tag).join(' ')], [given, kept])
  })

const source = fc.constantFrom<TagSource>(...tagSources)
const tag = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString', 'env=prod')
const sourced = fc
  .uniqueArray(fc.record({ tag, sources: fc.uniqueArray(source, { minLength: 1 }) }), { selector: (one) => one.tag })
  .map((tags) => parseSources(tags))
const change = fc.record({ set: fc.option(fc.uniqueArray(tag), { nil: undefined }), added: fc.array(tag), removed: fc.array(tag) })

test('changeTags never lets a person give or take a source of others', () => {
  fc.assert(
    fc.property(sourced, change, (tags, wanted) => {
      const others = (all: readonly SourcedTag[]) =>
        parseSources(all.map(({ tag: one, sources }) => ({ tag: one, sources: sources.filter((known) => known !== 'person') })))
      assert.deepEqual(others(changeTags(tags, wanted, 'person').tags), others(tags))
      assert.deepEqual(tagFields(changeTags(tags, wanted, 'person').tags).accessTags, tagFields(tags).accessTags)
    }),
  )
})

test('changeTags of an admin changes no tag of an agent or a rule, and every given tag has access', () => {
  fc.assert(
    fc.property(sourced, change, (tags, wanted) => {
      const fixed = (all: readonly SourcedTag[]) =>
        parseSources(
          all.map(({ tag: one, sources }) => ({ tag: one, sources: sources.filter((known) => known === 'agent' || known === 'rule') })),
        )
      const result = changeTags(tags, wanted, 'admin')
      assert.deepEqual(fixed(result.tags), fixed(tags))
      const { accessTags } = tagFields(result.tags)
      assert.ok(result.given.every((one) => accessTags.includes(one)))
    }),
  )
})

test('tagFields and parseSources are inverse, and only trusted sources give access', () => {
  fc.assert(
    fc.property(sourced, (tags) => {
      const fields = tagFields(tags)
      assert.deepEqual(parseSources(fields.tagSources), tags)
      assert.deepEqual(
        fields.tags,
        tags.map((one) => one.tag),
      )
      for (const { tag: one, sources } of tags)
        assert.equal(fields.accessTags.includes(one), sources.includes('admin') || sources.includes('token'))
    }),
  )
})

test('restoredSources undoes deletedSources, which leaves a tag only to its agent', () => {
  fc.assert(
    fc.property(sourced, fc.nat(), (tags, at) => {
      const one = tags[at % Math.max(1, tags.length)]?.tag ?? 'none'
      const { left, taken } = deletedSources(tags, one)
      for (const { tag, sources } of left) if (tag === one) assert.deepEqual(sources, ['agent'])
      assert.deepEqual(restoredSources(left, one, taken), tags)
    }),
  )
})

test('parseSources leaves out what is no tag with a known source', () => {
  const stored = [
    { tag: 'a', sources: ['admin', 'someone'] },
    { tag: 'b', sources: ['someone'] },
    { tag: 'c' },
    { tag: 7, sources: ['admin'] },
    null,
    'd',
  ]
  assert.deepEqual(parseSources(stored), [{ tag: 'a', sources: ['admin'] }])
  assert.deepEqual(parseSources('text'), [])
})
