import type { Right } from '../../../api/access-lists.ts'
import type { Choice } from '../../../ui/select-list.tsx'
import * as words from '../../../words/messages.js'

/** Returns the options of a dropdown list for the right of a grant: view or change, with translated labels. */
export const rightChoices = (): readonly Choice<Right>[] => [
  { value: 'view', label: words.grant_view() },
  { value: 'change', label: words.grant_change() },
]
