import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin } from './actor.ts'
import { allowed, relatedFor } from './access.ts'
import type { Collection, Field } from './collection.ts'
import type { Engine } from './engine.ts'
import { idsIn } from './filter/related.ts'
import type { RequestFacts } from './filter/request-facts.ts'
import { presentRecord, type PublicRecord } from './present.ts'
import type { StoredRecord } from './stored-record.ts'

const DEPTH = 6
/** Of records that refer to one. */
const MOST_REFERRING = 1000

type Names = { readonly [name: string]: Names }

/** `system,user.settings_via_user` as a tree; spaces do not matter, what lies too deep is left out. */
export function parseExpand(text: string): Names {
  const tree: { [name: string]: Names } = {}
  for (const path of text.split(',')) {
    let at: { [name: string]: Names } = tree
    for (const name of path.trim().split('.').slice(0, DEPTH)) {
      if (name === '') break
      at = at[name] ??= {}
    }
  }
  return tree
}

/** The records as they are sent, each with what its relations lead to and its reader may view under `expand`. */
export async function presentExpanded(
  engine: Engine,
  { collection, facts }: { readonly collection: Collection; readonly facts: RequestFacts },
  records: readonly StoredRecord[],
  names: Names,
): Promise<readonly PublicRecord[]> {
  const expansions = (await Promise.all(Object.entries(names).map(([name, inner]) => follow(name, inner)))).filter(
    (one) => one !== undefined,
  )
  return records.map((record) => {
    const shown = presentRecord(collection, record, facts.actor)
    if (expansions.length === 0) return shown
    const pairs = expansions.map(({ name, of }) => [name, of(record)] as const).filter(([, value]) => value !== undefined)
    return { ...shown, expand: Object.fromEntries(pairs) as { [name: string]: Json } } // fromEntries forgets that undefined was dropped
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
    const may = await allowed(engine, { collection: target, rule: 'view', facts: expandFacts }, reached, related)
    const visible = reached.filter((_, at) => may[at] === true)
    const shown = await presentExpanded(engine, { collection: target, facts }, visible, inner)
    const shownById = new Map(visible.map((record, at) => [record.id, shown[at] ?? {}]))
    const one = back ? isUnique(target, field) : field.kind === 'relation' && field.many !== true
    const of = (record: StoredRecord): Json | undefined => {
      const found = back
        ? visible
            .filter((other) => idsIn(other[field.name]).includes(record.id))
            .slice(0, MOST_REFERRING)
            .map(({ id }) => shownById.get(id) ?? {})
        : idsIn(record[field.name]).flatMap((id) => shownById.get(id) ?? [])
      return one ? found[0] : found.length === 0 ? undefined : found
    }
    return { name, of }
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
