import * as words from '../../../words/messages.js'
import { lostAccess, personName, type AccessState } from './access-model.ts'
import type { Access } from './use-access.ts'

/**
 * React component: warning in a dialog that lists the users who lose access to systems by a change, with the numbers of systems. `after`
 * takes the present access state and returns the state after the change.
 */
export function Losses({ access: { state }, after }: { access: Access; after: (before: AccessState) => AccessState }) {
  if (state === undefined) return <p className="text-note text-warn">{words.loss_unknown()}</p>
  const losses = lostAccess(state.systems, state, after(state))
  if (losses.length === 0) return <p className="text-note text-muted">{words.loss_none()}</p>
  return (
    <ul aria-label={words.loss_title()} className="flex flex-col gap-0.5 rounded-control bg-warn-soft px-3 py-2 text-note wrap-anywhere">
      {losses.flatMap(({ person, hidden, readOnly }) => {
        const name = personName(person)
        return [
          hidden > 0 && <li key={`${person.id} hidden`}>{words.loss_hidden({ name, count: hidden })}</li>,
          readOnly > 0 && <li key={`${person.id} read-only`}>{words.loss_read_only({ name, count: readOnly })}</li>,
        ]
      })}
    </ul>
  )
}
