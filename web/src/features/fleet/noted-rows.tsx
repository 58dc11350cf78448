import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { allNotesQuery, definedFieldsQuery } from '../../api/system-notes.ts'
import { Awaited } from '../../ui/awaited.tsx'
import * as words from '../../words/messages.js'
import type { MatchesNote } from './fleet-filter.ts'
import { FleetSkeleton } from './fleet-skeleton.tsx'
import { matchesNote } from './note-filter.ts'

/**
 * React component: loads the notes and admin-defined fields of all systems, which a filter such as `rack:7` needs. It renders `children`
 * with the function that decides such conditions.
 */
export function NotedRows({ children }: { children: (matches: MatchesNote) => ReactNode }) {
  const fields = useQuery(definedFieldsQuery)
  const notes = useQuery(allNotesQuery)
  const matches = useMemo((): MatchesNote | undefined => {
    if (fields.data === undefined || notes.data === undefined) return undefined
    const noted = { fields: fields.data, notes: notes.data }
    return (systemId, part) => matchesNote(noted, systemId, part)
  }, [fields.data, notes.data])
  const query = {
    data: matches,
    isError: fields.isError || notes.isError,
    error: fields.error ?? notes.error,
    refetch: () => Promise.all([fields.refetch(), notes.refetch()]),
  }
  return (
    <Awaited query={query} skeleton={<FleetSkeleton />} failure={words.notes_failed()}>
      {children}
    </Awaited>
  )
}
