import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import { idsOf } from '../../api/client.ts'
import { textOf, type JsonRecord } from '../../api/json.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { useFieldError } from '../../ui/form-errors.ts'
import { Icon } from '../../ui/icon.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'
import { collectionsQuery, type CollectionModel, type FieldModel } from './collections.ts'
import type { RecordDraft } from './record-draft.ts'
import { recordsQuery } from './records-page.ts'

const SHOWN = 20

/** Props of a form control for one field of a record: label, description of the field, value, and the callback for a changed value. */
export type RecordField = {
  label: string
  field: FieldModel
  value: RecordDraft[string]
  onChange: (value: RecordDraft[string]) => void
}

/**
 * React component: form control for a relation field: the related records by name, each with a remove button, and a search field that adds
 * records. `value` and `onChange` have record ids.
 */
export function RelationInput({ label, field, value, onChange }: RecordField) {
  const error = useFieldError(field.name)
  const ids = idsOf(value)
  const [search, setSearch] = useState('')
  const { to, found, named, failure } = useRelated(field.to, ids, search)
  const offered = found.filter((id) => !ids.includes(id)).slice(0, SHOWN)
  const searchIn = words.office_search_in({ name: to ?? field.name })
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-note font-medium">{label}</legend>
      <Chosen ids={ids} named={named} onTakeOut={(id) => onChange(ids.filter((one) => one !== id))} />
      <SearchField label={searchIn} value={search} onChange={setSearch} aria-invalid={error !== undefined} />
      {failure !== undefined && <p className="text-small text-crit">{failure}</p>}
      <ul className="flex max-h-40 flex-col gap-0.5 overflow-y-auto">
        {offered.map((id) => (
          <li key={id}>
            <Button className="w-full justify-start border-transparent" onClick={() => onChange(field.most > 1 ? [...ids, id] : [id])}>
              <Icon name="plus" />
              <span className="truncate">{named(id)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && <p className="text-small text-crit">{error}</p>}
    </fieldset>
  )
}

type ChosenProps = { ids: readonly string[]; named: (id: string) => string; onTakeOut: (id: string) => void }

const Chosen = ({ ids, named, onTakeOut }: ChosenProps) => (
  <ul className="flex flex-wrap gap-1.5">
    {ids.map((id) => (
      <li key={id} className="flex max-w-full items-center gap-1 rounded-control border border-border bg-sunken pl-2">
        <span className="truncate">{named(id)}</span>
        <button
          type="button"
          aria-label={words.office_take_out({ name: named(id) })}
          onClick={() => onTakeOut(id)}
          className="grid size-7 place-items-center text-muted hover:text-text"
        >
          <Icon name="close" className="size-3.5" />
        </button>
      </li>
    ))}
    {ids.length === 0 && <li className="text-note text-muted">{words.office_none_chosen()}</li>}
  </ul>
)

type Related = {
  /** Name of the collection, such as `users`, to whose records the relation field refers; `undefined` while it is loading. */
  readonly to: string | undefined
  readonly found: readonly string[]
  /**
   * Returns the displayed name, such as an email address, of the related record with this id. Until the name is loaded, and for a record
   * without a name, it is the id itself.
   */
  readonly named: (id: string) => string
  readonly failure: string | undefined
}

/**
 * React hook: searches the records of a collection (given by id) by the text `search`. Returns the ids of the matches, and a function from
 * id to displayed name, which also works for the already selected records (`ids`).
 */
function useRelated(collectionId: string, ids: readonly string[], search: string): Related {
  const { data: collections } = useQuery(collectionsQuery)
  const to = collections?.find(({ id }) => id === collectionId)
  const chosen = ids.map((id) => `id = ${JSON.stringify(id)}`).join(' || ')
  const of = (filter: string, enabled: boolean) => ({
    ...recordsQuery({ collection: to?.name ?? '', filter, sort: '', page: 1 }),
    enabled: to !== undefined && enabled,
  })
  const [found, known] = [useQuery(of(matching(to, search.trim()), true)), useQuery(of(chosen, ids.length > 0))]
  const byId = new Map([...(found.data?.items ?? []), ...(known.data?.items ?? [])].map((one) => [textOf(one['id']) ?? '', one]))
  return {
    to: to?.name,
    found: found.data?.items.flatMap((one) => textOf(one['id']) ?? []) ?? [],
    named: (id) => nameOf(byId.get(id)) ?? id,
    failure: found.isError ? messageOf(found.error) : undefined,
  }
}

function matching(to: CollectionModel | undefined, search: string): string {
  if (search === '' || to === undefined) return ''
  const names = to.fields.map(({ name }) => name).filter((name) => nameFields.includes(name))
  return ['id', ...names].map((name) => `${name} ~ ${JSON.stringify(search)}`).join(' || ')
}

/** List of the names of record fields by which a record is displayed, in order of preference: the first one that the record has is used. */
const nameFields: readonly string[] = ['name', 'email', 'username', 'hostname']

function nameOf(record: JsonRecord | undefined): string | undefined {
  if (record === undefined) return undefined
  for (const field of nameFields) {
    const name = textOf(ownValue(record, field))
    if (name !== undefined) return name
  }
  return undefined
}
