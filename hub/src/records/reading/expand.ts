import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type StoredRecord } from '../model/stored-record.ts'
import { ruleResults, relatedFor } from '../engine/access.ts'
import type { Collection, Field } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import { idsIn } from '../filter/matches.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { presentRecord, type PublicRecord } from '../presentation/present.ts'
import { badRequest } from '../model/record-error.ts'

const DEPTH = 6
/**
 * Maximum number of referring records that a back-relation such as `settings_via_user` adds to `expand` of one record: 1,000. Further ones
 * are left out.
 */
const MOST_REFERRING = 1000
/**
 * Maximum number of records in one response, including the related records in `expand`: 100,000. More are rejected with 400. Repetitions
 * count, because circular relations multiply records.
 */
const MOST_SHOWN = 100_000

type Names = ReadonlyMap<string, Names>
type GrowingNames = Map<string, GrowingNames>

/**
 * Parses the query parameter `expand`, such as `system,user.settings_via_user`, to a tree: a map from relation name to the map of its own
 * relations. Names below the sixth level are ignored.
 */
export function parseExpand(text: string): Names {
  const tree: GrowingNames = new Map()
  for (const path of text.split(',')) {
    let at = tree
    for (const name of path.trim().split('.').slice(0, DEPTH)) {
      if (name === '') break
      const next = at.get(name) ?? new Map()
      at.set(name, next)
      at = next
    }
  }
  return tree
}

/**
 * Record for a response, with its related records in `expand`. `count` is the number of records in it, including itself and repetitions.
 */
type ExpandedRecord = { readonly record: PublicRecord; readonly count: number }

type Reader = { readonly collection: Collection; readonly facts: RequestFacts; readonly mostShown?: number }

/**
 * Converts records to their form in an API response to a user. `names` are relations whose records are added in `expand`, if the user may
 * view them. Throws 400 if the response has more records in total than `mostShown` (100,000 by default).
 */
export async function presentExpanded(
  engine: Engine,
  reader: Reader,
  records: readonly StoredRecord[],
  names: Names,
): Promise<readonly PublicRecord[]> {
  return (await expanded(engine, reader, records, names)).map(({ record }) => record)
}

async function expanded(
  engine: Engine,
  { collection, facts, mostShown = MOST_SHOWN }: Reader,
  records: readonly StoredRecord[],
  names: Names,
): Promise<readonly ExpandedRecord[]> {
  const expansions = (await Promise.all([...names].map(([name, inner]) => follow(name, inner)))).filter((one) => one !== undefined)
  let count = 0
  return records.map((record) => {
    const shown = presentRecord(collection, record, facts.actor)
    const found = expansions.flatMap(({ name, one, of }) => {
      const reached = of(record)
      return reached.length === 0 ? [] : [{ name, one, reached }]
    })
    const inside = found.flatMap(({ reached }) => reached.map((each) => each.count)).reduce((sum, each) => sum + each, 0)
    count += 1 + inside
    if (count > mostShown) throw badRequest(`The answer would show more than ${mostShown} records. Expand less.`)
    if (expansions.length === 0) return { record: shown, count: 1 }
    const expand = Object.fromEntries(
      found.map(({ name, one, reached }): [string, Json] => [
        name,
        one ? (reached[0]?.record ?? null) : reached.map((each) => each.record),
      ]),
    )
    return { record: { ...shown, expand }, count: 1 + inside }
  })

  async function follow(name: string, inner: Names) {
    const relation = relationNamed(engine, collection, name)
    if (relation === undefined) return undefined
    const { target, field, back } = relation
    if (target.rules.view === null && !isAdmin(facts.actor)) return undefined
    const related = relatedFor(engine, facts)
    const reached = back
      ? await related.loadReferring(target, field, ids(records))
      : await related.loadMany(
          target,
          records.flatMap((record) => idsIn(record[field.name])),
        )
    const expandFacts: RequestFacts = { ...facts, context: 'expand', method: 'GET' }
    const may = await ruleResults(engine, { collection: target, rule: 'view', facts: expandFacts }, reached, related)
    const visible = reached.filter((_, at) => may[at] === true)
    const shown = await expanded(engine, { collection: target, facts, mostShown }, visible, inner)
    const shownById = new Map(visible.map((record, at) => [record.id, shown[at]]))
    const one = back ? isUnique(target, field) : field.kind === 'relation' && field.many !== true
    const referring = new Map<string, string[]>()
    for (const { id: other, ...values } of back ? visible : []) {
      for (const id of idsIn(values[field.name])) referring.set(id, [...(referring.get(id) ?? []), other].slice(0, MOST_REFERRING))
    }
    const of = (record: StoredRecord): readonly ExpandedRecord[] => {
      const reachedIds = back ? (referring.get(record.id) ?? []) : idsIn(record[field.name])
      return (one ? reachedIds.slice(0, 1) : reachedIds).flatMap((id) => shownById.get(id) ?? [])
    }
    return { name, one, of }
  }
}

function ids(records: readonly StoredRecord[]): readonly string[] {
  return records.map(({ id }) => id)
}

function isUnique(collection: Collection, field: Field): boolean {
  return collection.unique.some(({ fields }) => fields.length === 1 && fields[0] === field.name)
}

function relationNamed(engine: Engine, collection: Collection, name: string) {
  const own = collection.fields.find((field) => field.name === name)
  if (own?.kind === 'relation') {
    const target = engine.collections.find(own.to)
    return target === undefined ? undefined : { target, field: own, back: false }
  }
  const [, from = '', through = ''] = /^(\w+)_via_(\w+)$/.exec(name) ?? []
  const target = engine.collections.find(from)
  const field = target?.fields.find((one) => one.name === through)
  if (target === undefined || field?.kind !== 'relation' || field.to !== collection.name) return undefined
  return { target, field, back: true }
}
