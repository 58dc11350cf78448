import { queryOptions } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/** A field of a collection as the hub describes it. */
export type FieldModel = {
  readonly name: string
  readonly type: string
  readonly isHidden: boolean
  readonly isRequired: boolean
  /** Options of a select field. */
  readonly values: readonly string[]
  /** Target collection of a relation, and the most records it may have. */
  readonly to: string
  readonly most: number
}

export type CollectionModel = {
  readonly id: string
  readonly name: string
  /** Whether its records can sign in. */
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
  type: textOf(field['type']) ?? 'text',
  isHidden: field['hidden'] === true,
  isRequired: field['required'] === true,
  values: listOf(field['values']).flatMap((one) => textOf(one) ?? []),
  to: textOf(field['collectionId']) ?? '',
  most: numberOf(field['maxSelect']) ?? 1,
})

/** Columns of the table: all fields except those that no response contains. */
export const shownFields = ({ fields }: CollectionModel): readonly FieldModel[] => fields.filter(({ isHidden }) => !isHidden)

/** Fields of the form. */
export const writableFields = ({ fields }: CollectionModel): readonly FieldModel[] =>
  fields.filter(({ name, type }) => type !== 'autodate' && name !== 'tokenKey')
