import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { systemsQuery } from '../../api/queries.ts'
import { countTags } from '../../api/system-tags.ts'
import { TagChoiceField } from '../../ui/tag-choice-field.tsx'
import type { TagChoice } from '../../ui/tag-choice.ts'

type LabelsInputProps = { label: string; name: string; choice: TagChoice; onChange: (choice: TagChoice) => void }

/**
 * React component: form control of the back-office for a record field that is a list of tags. It suggests the tags that systems have.
 * `onChange` gets the chosen tags with the typed text.
 */
export function LabelsInput(field: LabelsInputProps) {
  const { data: systems } = useQuery(systemsQuery)
  const proposals = useMemo(() => [...countTags(systems ?? []).keys()], [systems])
  return <TagChoiceField {...field} proposals={proposals} />
}
