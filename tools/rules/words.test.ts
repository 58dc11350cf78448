import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentsIn } from './comments.ts'
import { paraphraseIn, paraphrases } from './paraphrases.ts'
import { listFiles, readSource } from './source-tree.ts'

/** Sources of the product, of test helpers and of the tools. Test files are excluded because their names are sentences. */
const sources = listFiles().filter(
  (path) =>
    /^(?:agent|hub|protocol|web)\/(?:native\/)?(?:src|build)\/.*\.(?:tsx?|rs)$|^(?:bench|tools)\/.*\.ts$/.test(path) &&
    !/\.test\.tsx?$|\/(?:words|vectors|fixtures)\//.test(path),
)

/** Participles that are no noun and so name nothing alone. */
const PARTICIPLES =
  /^(?:asked|told|known|shown|found|kept|signed|heard|seen|done|given|taken|sent|said|named|wanted|allowed|checked|identified|joined|prepared|typed|verified|counted|compared|pointed|confirmed|brushed|panned|pinched|claimed|inherited|gathered|required|encoded|skipped|inspected|ended)$/i

const EXPORT = /^export (?:async )?(?:const|function|type|class|interface) (\w+)/gm

const exportsOf = (path: string): readonly string[] => [...readSource(path).matchAll(EXPORT)].map(([, name = '']) => name)

test('comments use the terms of the field', () => {
  const found = sources.flatMap((path) =>
    commentsIn(readSource(path)).flatMap(({ line, text }) => {
      const word = paraphraseIn(text)
      return word === undefined ? [] : [`${path}:${line}: "${word}": ${paraphrases.get(word)}`]
    }),
  )
  assert.deepEqual(found, [])
})

test('documents and the texts of the dashboard use the terms of the field', () => {
  const texts = listFiles().filter((path) => /^(?:docs\/(?:(?:contributing|operators)\/)?)?[^/]*\.md$|^web\/messages\/en\.json$/.test(path))
  const found = texts
    .filter((path) => !['CHANGELOG.md', 'docs/specification.md'].includes(path))
    .flatMap((path) =>
      readSource(path)
        .replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, ''))
        .split('\n')
        .flatMap((line, index) => {
          const word = paraphraseIn(line.replace(/^\s*"[^"]*": /, ''))
          return word === undefined ? [] : [`${path}:${index + 1}: "${word}": ${paraphrases.get(word)}`]
        }),
    )
  assert.deepEqual(found, [])
})

test('no comment begins with a relative clause', () => {
  const found = sources.flatMap((path) =>
    commentsIn(readSource(path)).flatMap(({ line, text }) =>
      /^(?:Of|What|Who|Whom|Whose|Whoever|Whatever) [^?]*$/.test(text) ? [`${path}:${line}: ${text}`] : [],
    ),
  )
  assert.deepEqual(found, [])
})

test('exported names and file names have a noun, not only a participle', () => {
  const files = sources.map((path) => ({ path, name: /([^/]+)\.\w+$/.exec(path)?.[1] ?? '' }))
  const names = sources.flatMap((path) => exportsOf(path).map((name) => ({ path, name })))
  assert.deepEqual(
    [...files, ...names].filter(({ name }) => PARTICIPLES.test(name)).map(({ path, name }) => `${path}: ${name}`),
    [],
  )
})

test('exported names have one meaning per package', () => {
  const places = new Map<string, string[]>()
  for (const path of sources.filter((one) => one.endsWith('.ts') || one.endsWith('.tsx')))
    for (const name of exportsOf(path)) {
      const key = `${path.split('/')[0]} ${name}`
      places.set(key, [...(places.get(key) ?? []), path])
    }
  assert.deepEqual(
    [...places].filter(([, paths]) => paths.length > 1),
    [],
  )
})

test('names keep to the table of words in ARCHITECTURE.md', () => {
  /** Uses of such a word in another sense that is usual in the field. */
  const otherSenses: ReadonlyMap<string, RegExp> = new Map([
    ['host', /host(?:Key|Root|Scoped)|OnHostDisk|requiredHost$/i],
    ['server', /(?:Http|Ssh|Nats|Database)Server|^(?:applicationServer|serverQuery|sshServer|databaseServer)/],
    ['node', /^[nN]odeRuntime/],
    ['client', /(?:Engine|Http|http|engine|query|Tried|tried|Remote)Client|lient(?:Address|Quer|Reader)|triedClient/],
    ['metric', /^[mM]etric(?:s|Id|Ids|Column)?$/],
    ['trusted', /[tT]rusted(?:Prox|Request)/],
    ['known', /^(?:Known(?:Channel|Run)|known(?:Providers|Runs|Zone)|isLastKnown)/],
  ])
  const rows = /## Words\n\n([\s\S]*?)\n(?:\n|$)/.exec(readSource('ARCHITECTURE.md'))?.[1]?.split('\n') ?? []
  const words = rows
    .map((row) => row.split('|')[3]?.trim() ?? '')
    .flatMap((cell) => cell.split(/, | /))
    .filter((word) => /^[a-z]+$/.test(word) && !['not', 'alone', 'rule'].includes(word))
  assert.ok(words.length > 8, words.join())
  const product = sources.filter((path) => /^(?:agent|hub|protocol|web)\/src\//.test(path))
  const found = words.flatMap((word) => {
    const asPart = new RegExp(`(?:^|[a-z0-9])${word[0]?.toUpperCase()}${word.slice(1)}(?=s?(?:[A-Z]|$))|^${word}s?(?=[A-Z]|$)`)
    return product.flatMap((path) =>
      exportsOf(path)
        .filter((name) => asPart.test(name) && otherSenses.get(word.replace(/s$/, ''))?.test(name) !== true)
        .map((name) => `${path}: ${name} ("${word}")`),
    )
  })
  assert.deepEqual(found, [])
})
