import { useState } from 'react'
import type { Person } from '../../../api/access-lists.ts'
import { useFieldError } from '../../../ui/form-errors.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import * as words from '../../../words/messages.js'
import { personName } from './access-model.ts'

type MembersFieldProps = {
  /** List of all user accounts from which the members of a group are chosen; `undefined` while not loaded. */
  people: readonly Person[] | undefined
  /** List of the ids of the users chosen as members of the group. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Maximum number of users, 100, that the form field for a group's members lists; its search finds the others. */
const MOST_PEOPLE = 100

/**
 * React component: form field for the members of a group, a searchable list of all users with checkboxes. Present members come first.
 * `onChange` gets the ids of all chosen users.
 */
export function MembersField({ people, chosen, onChange }: MembersFieldProps) {
  const error = useFieldError('members')
  const [search, setSearch] = useState('')
  const [membersBefore] = useState(() => new Set(chosen))
  if (people === undefined) return <p className="text-note text-muted">{words.people_unknown()}</p>
  const wanted = search.trim().toLocaleLowerCase()
  const found = people.filter(({ name, email }) => `${name}\n${email}`.toLocaleLowerCase().includes(wanted))
  const sorted = [...found.filter(({ id }) => membersBefore.has(id)), ...found.filter(({ id }) => !membersBefore.has(id))]
  const more = sorted.length - MOST_PEOPLE
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-note font-medium">{words.group_members_chosen({ count: chosen.length })}</legend>
      <SearchField
        label={words.person_search()}
        value={search}
        onChange={setSearch}
        // Enter would save the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {sorted.length === 0 ? (
        <p className="py-1 text-note text-muted">{words.person_none()}</p>
      ) : (
        <ul aria-label={words.group_members()} className="max-h-60 overflow-y-auto rounded-control border border-border p-1">
          {sorted.slice(0, MOST_PEOPLE).map((person) => (
            <li key={person.id}>
              <label className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 hover:bg-hover">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-accent"
                  checked={chosen.includes(person.id)}
                  onChange={({ target }) => onChange(target.checked ? [...chosen, person.id] : chosen.filter((id) => id !== person.id))}
                />
                <span className="min-w-0 wrap-anywhere">
                  {personName(person)}
                  {person.name !== '' && <span className="text-note text-muted"> {person.email}</span>}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-note text-muted">{words.people_more({ count: more })}</p>}
      {error !== undefined && <p className="text-small text-crit">{error}</p>}
    </fieldset>
  )
}
