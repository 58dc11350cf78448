import { queryOptions } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/**
 * Description of one field of a collection in the PocketBase-compatible CRUD API: its name, type, whether it is hidden or required, and
 * options of its type.
 */
export type FieldModel = {
  readonly name: string
  /**
   * Type of the collection's field, such as `text` or `relation`; `labels` for a list of tags, which the hub describes as a marked `json`
   * field.
   */
  readonly type: string
  /** True for a field whose value the hub computes, so that clients cannot write it. */
  readonly isDerived: boolean
  readonly isHidden: boolean
  readonly isRequired: boolean
  /** Allowed values of a collection's select field, as a list of texts; empty for fields of other types. */
  readonly values: readonly string[]
  /** Id of the collection to whose records a relation field refers; an empty string for fields of other types. */
  readonly to: string
  /** Maximum number of records to which a relation field may refer; 1 for fields of other types. */
  readonly most: number
}

export type CollectionModel = {
  readonly id: string
  readonly name: string
  /** True for an auth collection, such as `users`: its records are accounts that can sign in. */
  readonly isAuth: boolean
  readonly fields: readonly FieldModel[]
}

export const collectionsQuery = queryOptions({
  queryKey: officeKeys.collections,
  queryFn: async ({ signal }): Promise<readonly CollectionModel[]> =>
    listOf(recordOf(await getJson('/api/collections?perPage=500&sort=name', signal))['items']).map((one) => modelOf(recordOf(one))),
  staleTime: Number.POSITIVE_INFINITY,
})

const modelOf = (record: JsonRecord): CollectionModel => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  isAuth: record['type'] === 'auth',
  fields: listOf(record['fields']).map((one) => fieldOf(recordOf(one))),
})

const fieldOf = (field: JsonRecord): FieldModel => ({
  name: textOf(field['name']) ?? '',
  type: field['labels'] === true ? 'labels' : (textOf(field['type']) ?? 'text'),
  isDerived: field['derived'] === true,
  isHidden: field['hidden'] === true,
  isRequired: field['required'] === true,
  values: listOf(field['values']).flatMap((one) => textOf(one) ?? []),
  to: textOf(field['collectionId']) ?? '',
  most: numberOf(field['maxSelect']) ?? 1,
})

/**
 * Returns the list of those fields of a collection that can be table columns: all except hidden ones, which the hub's responses do not
 * contain.
 */
export const shownFields = ({ fields }: CollectionModel): readonly FieldModel[] => fields.filter(({ isHidden }) => !isHidden)

/**
 * Returns the list of those fields of a collection that a record's form edits. Left out are dates and values that the hub sets itself, and
 * the token key.
 */
export const writableFields = ({ fields }: CollectionModel): readonly FieldModel[] =>
  fields.filter(({ name, type, isDerived }) => type !== 'autodate' && !isDerived && name !== 'tokenKey')
