import type { Collection, Field } from '../model/collection.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import type { Join } from './plan.ts'

/** Where the records beside a record come from. */
export type RelatedRecords = {
  readonly loadMany: (collection: Collection, ids: readonly string[]) => Promise<readonly StoredRecord[]>
  readonly loadReferring: (collection: Collection, field: Field, ids: readonly string[]) => Promise<readonly StoredRecord[]>
  readonly loadAll: (collection: Collection) => Promise<readonly StoredRecord[]>
  /** Those of the records that the one who asks may list. */
  readonly listable: (collection: Collection, records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
}

/** One thing at the end of a join: a record, an element of a list, or neither when it leads nowhere. */
export type Bound = { readonly record?: StoredRecord | undefined; readonly element?: string | undefined }

/** What a join leads to from where it starts; at least one, as a left join has it. */
export type Related = (join: Join, from: Bound) => readonly Bound[]

const NOWHERE: readonly Bound[] = [{}]

/** Loads everything the joins may lead to from `records`: one question a join, not one a record. */
export async function loadRelated(joins: readonly Join[], records: readonly StoredRecord[], source: RelatedRecords): Promise<Related> {
  const reached = new Map<number, readonly Bound[]>([[0, records.map((record) => ({ record }))]])
  const found = new Map<number, (from: Bound) => readonly Bound[]>()
  for (const join of joins) {
    const starts = reached.get(join.parent) ?? []
    const follow = await follower(join, starts, source)
    found.set(join.id, follow)
    reached.set(join.id, distinctBounds(starts.map(follow)))
  }
  return (join, from) => found.get(join.id)?.(from) ?? NOWHERE
}

/** Many starts lead to the same records: without repeats, a filter of many joins reaches no more than the records there are. */
function distinctBounds(lists: readonly (readonly Bound[])[]): readonly Bound[] {
  const bounds = new Map<string, Bound>()
  for (const list of new Set(lists)) for (const bound of list) bounds.set(bound.record?.id ?? bound.element ?? '', bound)
  return [...bounds.values()]
}

async function follower(
  { step, bound }: Join,
  starts: readonly Bound[],
  source: RelatedRecords,
): Promise<(from: Bound) => readonly Bound[]> {
  const seen = async (collection: Collection, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> =>
    bound ? source.listable(collection, records) : records
  switch (step.kind) {
    case 'each':
      return ({ record }) => orNowhere(idsIn(record?.[step.field.name]).map((element) => ({ element })))
    case 'record': {
      const { from } = step
      const idOf = ({ record, element }: Bound): string => (from === 'element' ? (element ?? '') : (idsIn(record?.[from.name])[0] ?? ''))
      const ids = starts.map(idOf).filter((id) => id !== '')
      const byId = new Map((await seen(step.collection, await source.loadMany(step.collection, ids))).map((record) => [record.id, record]))
      return (start) => {
        const record = byId.get(idOf(start))
        return record === undefined ? NOWHERE : [{ record }]
      }
    }
    case 'back': {
      const ids = starts.flatMap(({ record }) => (record === undefined ? [] : [record.id]))
      const referring = Map.groupBy(
        (await seen(step.collection, await source.loadReferring(step.collection, step.field, ids))).flatMap((record) =>
          idsIn(record[step.field.name]).map((id) => ({ id, record })),
        ),
        ({ id }) => id,
      )
      return ({ record }) => orNowhere(referring.get(record?.id ?? '') ?? [])
    }
    case 'all': {
      const all = (await seen(step.collection, await source.loadAll(step.collection))).map((record) => ({ record }))
      return () => orNowhere(all)
    }
  }
}

function orNowhere(bounds: readonly Bound[]): readonly Bound[] {
  return bounds.length === 0 ? NOWHERE : bounds
}

/** The ids in the value of a relation. */
export function idsIn(value: StoredRecord[string] | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
