import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf } from './sentences.ts'
import { listFiles, readSource } from './source-tree.ts'

/** Maximum number of words of a sentence, and of the mean sentence of a document. */
const MOST_WORDS = 25
const MEAN_WORDS = 18

const documents = listFiles().filter(
  (path) =>
    /^(?:docs\/(?:(?:contributing|operators)\/)?|bench\/README|agent\/[^/]*\/?README)?[^/]*\.md$/.test(path) && path !== 'bench/RESULTS.md',
)

for (const [what, markdown, expected] of [
  ['full stops end sentences, names with dots do not', 'It reads `a.b`. See vedette.sqlite for more! Why?', [3, 5, 1]],
  ['a list entry begins a sentence', 'Three:\n- one two\n- three\n  four', [1, 2, 2]],
  ['code and tables are left out', '```\nnot this one. Nor this.\n```\n| a b c | d |\n|---|---|\nBut this.', [2]],
  ['code in a line is one word, a link its text', 'Run `npm run a b c`, see [the page](docs/a.md#b).', [5]],
  ['a heading ends with its line', '## A heading\nAnd text.', [2, 2]],
] as const)
  test(`sentencesOf: ${what}`, () =>
    assert.deepEqual(
      sentencesOf(markdown).map(({ words }) => words),
      expected,
    ))

for (const path of documents) {
  const sentences = sentencesOf(readSource(path))

  test(`${path}: no sentence has more than ${MOST_WORDS} words`, () => {
    const long = sentences.filter(({ words }) => words > MOST_WORDS)
    assert.deepEqual(
      long.map(({ line, words, text }) => `${path}:${line}: ${words} words: ${text}`),
      [],
    )
  })

  test(`${path}: a sentence has at most ${MEAN_WORDS} words on average`, () => {
    const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0)
    assert.ok(words <= MEAN_WORDS * sentences.length, `${words} words in ${sentences.length} sentences`)
  })
}
