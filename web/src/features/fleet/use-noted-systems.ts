import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allNotesQuery, definedFieldsQuery } from '../../api/system-notes.ts'
import { filterParts } from './fleet-filter.ts'
import type { NotedSystems } from './note-filter.ts'

type NotedQuery = {
  /** `undefined` while the filter does not need them, and until they are loaded. */
  readonly data: NotedSystems | undefined
  readonly isNeeded: boolean
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/** React hook: loads notes and defined fields of all systems when a part of the filter, such as `rack:7`, needs them. */
export function useNotedSystems(filter: string): NotedQuery {
  const isNeeded = useMemo(() => filterParts(filter).some(({ kind }) => kind === 'note'), [filter])
  const fields = useQuery({ ...definedFieldsQuery, enabled: isNeeded })
  const notes = useQuery({ ...allNotesQuery, enabled: isNeeded })
  const data = useMemo(
    () => (isNeeded && fields.data !== undefined && notes.data !== undefined ? { fields: fields.data, notes: notes.data } : undefined),
    [isNeeded, fields.data, notes.data],
  )
  return {
    data,
    isNeeded,
    isError: fields.isError || notes.isError,
    error: fields.error ?? notes.error,
    refetch: () => Promise.all([fields.refetch(), notes.refetch()]),
  }
}
